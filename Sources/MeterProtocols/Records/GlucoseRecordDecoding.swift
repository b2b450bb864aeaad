// SPDX-License-Identifier: Apache-2.0
import CGMModel

extension GlucoseRecord {
  /// A record of the glucose service.
  ///
  /// - Parameters:
  ///   - carriedOffset: the offset of the last record of this transfer that stated one, in minutes.
  ///   - features: conditions that the meter cannot detect are dropped (Bluetooth SIG, Glucose Profile 1.0, 4.7); nil
  ///     keeps all.
  init(
    _ measurement: GlucoseMeasurement, packet: [UInt8], context: GlucoseMeasurementContext?, contextPacket: [UInt8]?,
    carriedOffset: Int?, features: GlucoseFeatures?, quirks: Set<MeterQuirk>
  ) {
    let sent = measurement.status ?? []
    let isContextMissing = measurement.hasContext && context == nil
    self.init(
      sequenceNumber: Int(measurement.sequenceNumber), hasLastingNumber: !quirks.contains(.movingNumbers),
      time: MeterClockTime(measurement, carriedOffset: carriedOffset, ignoresOffset: quirks.contains(.wrongOffsets)),
      value: measurement.result?.glucose, special: measurement.result?.concentration.special,
      kind: Self.kind(
        measurement.result, marksKetone: context?.marksKetone ?? false,
        mayBeKetone: isContextMissing && quirks.contains(.ketonesAsGlucose)),
      typeCode: measurement.result?.typeCode, locationCode: measurement.result?.locationCode,
      status: features.map { sent.intersection($0.detected) } ?? sent, context: context, lacksContext: isContextMissing,
      packet: packet, contextPacket: contextPacket)
  }

  /// A record of a OneTouch meter.
  init(_ record: OneTouchRecord, number: UInt16, packet: [UInt8]) {
    self.init(
      sequenceNumber: Int(number), hasLastingNumber: true,
      time: MeterClockTime(base: record.time, offsetMinutes: 0, offsetOrigin: .absent),
      value: MeterGlucose(
        number: DecimalNumber(mantissa: Int(record.milligramsPerDecilitre), exponent: 0), unit: .milligramsPerDecilitre),
      special: nil, kind: record.flag == 0 ? .blood : .controlOrError, typeCode: nil, locationCode: nil, status: [],
      context: nil, lacksContext: false, packet: packet, contextPacket: nil)
  }

  private static func kind(_ result: GlucoseMeasurement.Result?, marksKetone: Bool, mayBeKetone: Bool) -> Kind {
    if result?.isControlSolution ?? false { return .controlSolution }
    if marksKetone { return .ketone }
    if mayBeKetone { return .bloodOrKetone }
    return result?.type == .interstitialFluid ? .interstitialFluid : .blood
  }
}

extension MeterClockTime {
  /// The time of a record by its own offset, else by the last one of the transfer, else without.
  init(_ measurement: GlucoseMeasurement, carriedOffset: Int?, ignoresOffset: Bool) {
    if ignoresOffset {
      self.init(base: measurement.baseTime, offsetMinutes: 0, offsetOrigin: .ignored)
    } else if let sent = measurement.timeOffsetMinutes {
      self.init(base: measurement.baseTime, offsetMinutes: sent, offsetOrigin: .sent)
    } else {
      self.init(
        base: measurement.baseTime, offsetMinutes: carriedOffset ?? 0,
        offsetOrigin: carriedOffset == nil ? .absent : .carried)
    }
  }
}
