// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A record of a glucose meter with its context. Whether it can be used as a finger-stick is decided by
/// `FingerStickVerdict`.
package struct GlucoseRecord: Hashable, Sendable {
  /// Number of the record in the meter. Together with the meter it is the record's identity, if `hasLastingNumber`.
  package let sequenceNumber: Int
  /// False for meters that number their records anew with each measurement: time and value are the identity then.
  package let hasLastingNumber: Bool
  package let time: MeterClockTime
  /// The number that was sent, whatever it measures; nil for a record without a number.
  package let value: MeterGlucose?
  /// The special value that was sent in place of a number; nil for a number or no value.
  package let special: ShortFloat.Special?
  package let kind: Kind
  /// Number of the sample type, 1…10; nil if not sent. See `GlucoseSampleType`.
  package let typeCode: UInt8?
  /// Number of the sample location; nil if not sent. See `GlucoseSampleLocation`.
  package let locationCode: UInt8?
  /// The conditions that the meter can detect and did detect.
  package let status: GlucoseStatus
  package let context: GlucoseMeasurementContext?
  /// True if the meter announced a context that did not arrive.
  package let lacksContext: Bool
  /// The measurement as sent: the value of `2A18`, or the content of a OneTouch answer.
  package let packet: [UInt8]
  /// The context as sent, the value of `2A34`; nil if none arrived.
  package let contextPacket: [UInt8]?

  /// Substance that was tested.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case blood
    /// Interstitial fluid: the value of a sensor, not of a strip.
    case interstitialFluid = "interstitial_fluid"
    case controlSolution = "control_solution"
    /// A OneTouch record whose flag stands for control solution or an error.
    case controlOrError = "control_or_error"
    /// A test for β-ketone; `ketoneMillimolesPerLitre` has its value.
    case ketone
    /// Glucose or ketone: the context that would tell is missing.
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

  /// The bookmark from which the next read continues; nil if the meter's numbers do not last.
  package var bookmark: MeterBookmark? {
    hasLastingNumber ? MeterBookmark(sequenceNumber: sequenceNumber, packet: packet) : nil
  }
}

/// The place in a meter's memory from which the next read continues: its newest record so far.
///
/// The next read begins with this record. If it comes back changed or not at all, the meter was reset, and everything
/// is read again.
package struct MeterBookmark: Hashable, Sendable {
  /// Number of the record, 0…65535.
  package let sequenceNumber: Int
  /// The record as sent, `GlucoseRecord.packet`.
  package let packet: [UInt8]

  package init(sequenceNumber: Int, packet: [UInt8]) {
    self.sequenceNumber = sequenceNumber
    self.packet = packet
  }
}
