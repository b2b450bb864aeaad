// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A record of a glucose meter with its context. Whether it can be used as a finger-stick is decided by
/// `FingerStickVerdict`.
package struct GlucoseRecord: Hashable, Sendable {
  /// Together with the meter it is the record's identity, if `hasLastingNumber`.
  package let sequenceNumber: Int
  /// False for meters that number their records anew with each measurement: time and value are the identity then.
  package let hasLastingNumber: Bool
  package let time: MeterClockTime
  /// The number that was sent, whatever it measures.
  package let value: MeterGlucose?
  /// The special value that was sent in place of a number.
  package let special: ShortFloat.Special?
  package let kind: Kind
  /// A `GlucoseSampleType`, or reserved; nil if not sent.
  package let typeCode: UInt8?
  /// A `GlucoseSampleLocation`, or reserved; nil if not sent.
  package let locationCode: UInt8?
  /// The conditions that the meter can detect and did detect.
  package let status: GlucoseStatus
  package let context: GlucoseMeasurementContext?
  /// The measurement as sent: the value of `2A18`, or the content of a OneTouch answer.
  package let packet: [UInt8]
  /// The context as sent, the value of `2A34`; nil if none arrived.
  package let contextPacket: [UInt8]?

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case blood
    /// Interstitial fluid: the value of a sensor, not of a strip.
    case interstitialFluid = "interstitial_fluid"
    case controlSolution = "control_solution"
    /// A OneTouch record whose flag stands for control solution or an error.
    case controlOrError = "control_or_error"
    /// β-ketone; `ketoneMillimolesPerLitre` has its value.
    case ketone
    /// The context that would tell is missing.
    case bloodOrKetone = "blood_or_ketone"
  }

  /// The concentration of β-ketone in mmol/L: a tenth of the mg/dL that were sent (read: NightscoutFoundation/xDrip,
  /// tidepool-org/uploader); nil unless the record is a ketone test with a number.
  package var ketoneMillimolesPerLitre: DecimalNumber? {
    guard kind == .ketone, let displayed = value?.displayed, displayed.unit == .milligramsPerDecilitre else {
      return nil
    }
    return displayed.number.shifted(by: -1)
  }

  /// nil if the meter's numbers do not last.
  package var bookmark: MeterBookmark? {
    hasLastingNumber ? MeterBookmark(sequenceNumber: sequenceNumber, packet: packet) : nil
  }
}

/// The place in a meter's memory from which the next read continues: its newest record so far. If that record comes back
/// changed or not at all, the meter was reset, and everything is read again.
package struct MeterBookmark: Hashable, Sendable {
  /// 0…65535.
  package let sequenceNumber: Int
  /// `GlucoseRecord.packet`
  package let packet: [UInt8]

  package init(sequenceNumber: Int, packet: [UInt8]) {
    self.sequenceNumber = sequenceNumber
    self.packet = packet
  }
}

extension GlucoseRecord {
  /// A record of the glucose service. `carriedOffset` is the offset of the last record of this transfer that stated one, in
  /// minutes. Conditions that a meter with these `features` cannot detect are dropped (Bluetooth SIG, Glucose Profile 1.0,
  /// 4.7); nil keeps all.
  init(
    _ measurement: GlucoseMeasurement, packet: [UInt8], context: GlucoseMeasurementContext?, contextPacket: [UInt8]?,
    carriedOffset: Int?, features: GlucoseFeatures?, quirks: Set<MeterQuirk>
  ) {
    let sent = measurement.status ?? []
    let isContextMissing = measurement.hasContext && context == nil
    self.init(
      sequenceNumber: Int(measurement.sequenceNumber), hasLastingNumber: !quirks.contains(.movingNumbers),
      time: MeterClockTime(
        base: measurement.baseTime,
        offsetMinutes: quirks.contains(.wrongOffsets) ? 0 : measurement.timeOffsetMinutes ?? carriedOffset ?? 0),
      value: measurement.result?.glucose, special: measurement.result?.concentration.special,
      kind: Self.kind(
        measurement.result, marksKetone: context?.marksKetone ?? false,
        mayBeKetone: isContextMissing && quirks.contains(.ketonesAsGlucose)),
      typeCode: measurement.result?.typeCode, locationCode: measurement.result?.locationCode,
      status: features.map { sent.intersection($0.detected) } ?? sent, context: context,
      packet: packet, contextPacket: contextPacket)
  }

  init(_ record: OneTouchRecord, number: UInt16, packet: [UInt8]) {
    self.init(
      sequenceNumber: Int(number), hasLastingNumber: true,
      time: MeterClockTime(base: record.time, offsetMinutes: 0),
      value: MeterGlucose(
        number: DecimalNumber(mantissa: Int(record.milligramsPerDecilitre), exponent: 0), unit: .milligramsPerDecilitre),
      special: nil, kind: record.flag == 0 ? .blood : .controlOrError, typeCode: nil, locationCode: nil, status: [],
      context: nil, packet: packet, contextPacket: nil)
  }

  private static func kind(_ result: GlucoseMeasurement.Result?, marksKetone: Bool, mayBeKetone: Bool) -> Kind {
    if result?.isControlSolution ?? false { return .controlSolution }
    if marksKetone { return .ketone }
    if mayBeKetone { return .bloodOrKetone }
    return result?.type == .interstitialFluid ? .interstitialFluid : .blood
  }
}

/// The time of a record as the meter's display shows it: local time without a zone.
///
/// A meter sends the time of its inner clock, which is set once, and the difference to the time that the user has set
/// (Bluetooth SIG, Glucose Service 1.0, 3.1.1.3 and 3.1.1.4). The sum depends on nothing but the record and the offsets
/// before it in the transfer, so that it is the same at every read: the meter's clock of today does not enter.
package struct MeterClockTime: Hashable, Sendable {
  /// Inner clock of the meter when the record was made.
  package let base: CivilTime
  /// Minutes to be added to `base`, −32768…32767.
  package let offsetMinutes: Int

  /// Base time plus offset: what the display showed, to be read in the user's zone.
  package var wallTime: CivilTime { CivilTime(base.instant(offsetSeconds: 0).adding(minutes: offsetMinutes)) }
}

/// A concentration as a meter sends it: an exact decimal number with its unit.
package struct MeterGlucose: Hashable, Sendable, CustomStringConvertible {
  package let number: DecimalNumber
  package let unit: Unit

  package enum Unit: Hashable, Sendable {
    case kilogramsPerLitre
    case molesPerLitre
    /// The unit of OneTouch meters.
    case milligramsPerDecilitre
  }

  /// The number in the unit that people read, without rounding: mg/dL for kg/L, mmol/L for mol/L. Only the exponent
  /// changes, because both factors are powers of ten.
  package var displayed: (number: DecimalNumber, unit: GlucoseUnit) {
    switch unit {
    case .kilogramsPerLitre: (number.shifted(by: 5), .milligramsPerDecilitre)
    case .molesPerLitre: (number.shifted(by: 3), .millimolesPerLitre)
    case .milligramsPerDecilitre: (number, .milligramsPerDecilitre)
    }
  }

  /// The concentration, converted to mg/dL at most once.
  package var concentration: GlucoseConcentration {
    let (number, unit) = displayed
    return switch unit {
    case .milligramsPerDecilitre: GlucoseConcentration(milligramsPerDecilitre: number.value)
    case .millimolesPerLitre: GlucoseConcentration(millimolesPerLitre: number.value)
    }
  }

  /// The number and the unit as people read them: `111 mg/dL`, `5.9 mmol/L`.
  package var description: String { "\(displayed.number) \(displayed.unit.rawValue)" }
}
