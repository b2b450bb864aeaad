// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// One record of a glucose meter as sent: the value of `2A18` (Bluetooth SIG, Glucose Service 1.0, 3.1).
///
/// Any bytes give a value or an error. Reserved flags and surplus bytes are tolerated.
package struct GlucoseMeasurement: Hashable, Sendable {
  /// Number of the record, in the order in which they were made. It is not set back by deleting.
  package let sequenceNumber: UInt16
  /// Inner clock of the meter.
  package let baseTime: CivilTime
  /// Difference between the time that the user sees and the base time in minutes, −32768…32767; nil if this record does
  /// not state it.
  package let timeOffsetMinutes: Int?
  /// Concentration with type and location; nil for a record without a value, which is allowed.
  package let result: Result?
  /// Conditions during the measurement; nil if the meter does not state them.
  package let status: GlucoseStatus?
  /// True if the meter announces a context (`2A34`) with this sequence number.
  package let hasContext: Bool

  /// The part of a record that is there only together with a concentration.
  package struct Result: Hashable, Sendable {
    package let concentration: ShortFloat
    /// `.kilogramsPerLitre` or `.molesPerLitre`.
    package let unit: MeterGlucose.Unit
    /// Number of the sample type, the low nibble; `type` has its meaning.
    package let typeCode: UInt8
    /// Number of the sample location, the high nibble; `location` has its meaning.
    package let locationCode: UInt8

    /// The sample type; nil if the number is reserved.
    package var type: GlucoseSampleType? { GlucoseSampleType(rawValue: typeCode) }
    /// The sample location; nil if the number is reserved.
    package var location: GlucoseSampleLocation? { GlucoseSampleLocation(rawValue: locationCode) }
    /// The concentration; nil for a special value.
    package var glucose: MeterGlucose? { concentration.number.map { MeterGlucose(number: $0, unit: unit) } }
    /// True for a test with control solution. Meters state this in one of two places.
    package var isControlSolution: Bool { type == .controlSolution || location == .controlSolution }
  }

  private enum Flag {
    static let timeOffset: UInt8 = 1 << 0
    static let result: UInt8 = 1 << 1
    static let molesPerLitre: UInt8 = 1 << 2
    static let status: UInt8 = 1 << 3
    static let context: UInt8 = 1 << 4
  }

  /// Decodes a packet.
  ///
  /// - Parameters:
  ///   - bytes: the value of `2A18`.
  ///   - readsMonth13AsJanuary: i-SENS meters with a certain firmware send month 13 for January (read:
  ///     tidepool-org/uploader).
  /// - Throws: `tooShort` if flags announce more than there is, `invalidDate` for a date that the calendar does not have.
  package init(_ bytes: [UInt8], readsMonth13AsJanuary: Bool = false) throws(PacketError) {
    var fields = PacketFields(bytes)
    let flags = try fields.byte()
    sequenceNumber = try fields.short()
    let sent = try fields.date()
    let date =
      readsMonth13AsJanuary && sent.month == 13
      ? MeterDate(
        year: sent.year, month: 1, day: sent.day, hour: sent.hour, minute: sent.minute, second: sent.second) : sent
    timeOffsetMinutes = flags & Flag.timeOffset == 0 ? nil : Int(Int16(bitPattern: try fields.short()))
    if flags & Flag.result == 0 {
      result = nil
    } else {
      let concentration = try fields.shortFloat()
      let place = try fields.byte()
      result = Result(
        concentration: concentration, unit: flags & Flag.molesPerLitre == 0 ? .kilogramsPerLitre : .molesPerLitre,
        typeCode: place & 0x0F, locationCode: place >> 4)
    }
    status = flags & Flag.status == 0 ? nil : GlucoseStatus(rawValue: try fields.short())
    hasContext = flags & Flag.context != 0
    guard let civil = date.civil else { throw .invalidDate(sent) }
    baseTime = civil
  }
}

/// The kind of sample, as the glucose service numbers them.
package enum GlucoseSampleType: UInt8, Hashable, Sendable, CaseIterable {
  case capillaryWholeBlood = 1
  case capillaryPlasma
  case venousWholeBlood
  case venousPlasma
  case arterialWholeBlood
  case arterialPlasma
  case undeterminedWholeBlood
  case undeterminedPlasma
  case interstitialFluid
  case controlSolution
}

/// The place from which a sample was taken, as the glucose service numbers them.
package enum GlucoseSampleLocation: UInt8, Hashable, Sendable, CaseIterable {
  case finger = 1
  case alternateSite
  case earlobe
  case controlSolution
  case notAvailable = 15
}
