// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// One record of a glucose meter as sent: the value of `2A18` (Bluetooth SIG, Glucose Service 1.0, 3.1).
///
/// Any bytes give a value or an error. Reserved flags and surplus bytes are tolerated.
package struct GlucoseMeasurement: Hashable, Sendable {
  /// Counts in the order in which records were made. It is not set back by deleting.
  package let sequenceNumber: UInt16
  /// Inner clock of the meter.
  package let baseTime: CivilTime
  /// Difference between the time that the user sees and the base time in minutes, −32768…32767; nil if this record does
  /// not state it.
  package let timeOffsetMinutes: Int?
  /// Concentration with type and location; nil for a record without a value, which is allowed.
  package let result: Result?
  /// nil if the meter does not state it.
  package let status: GlucoseStatus?
  /// True if the meter announces a context (`2A34`) with this sequence number.
  package let hasContext: Bool

  /// The part of a record that is there only together with a concentration.
  package struct Result: Hashable, Sendable {
    package let concentration: ShortFloat
    /// `.kilogramsPerLitre` or `.molesPerLitre`.
    package let unit: MeterGlucose.Unit
    /// The low nibble; a `GlucoseSampleType`, or reserved.
    package let typeCode: UInt8
    /// The high nibble; a `GlucoseSampleLocation`, or reserved.
    package let locationCode: UInt8

    var type: GlucoseSampleType? { GlucoseSampleType(rawValue: typeCode) }
    var location: GlucoseSampleLocation? { GlucoseSampleLocation(rawValue: locationCode) }
    /// nil for a special value.
    var glucose: MeterGlucose? { concentration.number.map { MeterGlucose(number: $0, unit: unit) } }
    /// True for a test with control solution. Meters state this in one of two places.
    var isControlSolution: Bool { type == .controlSolution || location == .controlSolution }
  }

  /// Decodes a packet. i-SENS meters with a certain firmware send month 13 for January (read: tidepool-org/uploader).
  ///
  /// - Throws: `tooShort` if flags announce more than there is, `invalidDate` for a date that the calendar does not have.
  package init(_ bytes: [UInt8], readsMonth13AsJanuary: Bool = false) throws(PacketError) {
    var fields = PacketFields(bytes)
    let flags = try fields.byte()
    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
    sequenceNumber = try fields.short()
    let sent = try fields.date()
    var date = sent
    if readsMonth13AsJanuary, sent.month == 13 { date.month = 1 }
    timeOffsetMinutes = has(0x01) ? Int(Int16(bitPattern: try fields.short())) : nil
    if has(0x02) {
      let concentration = try fields.shortFloat()
      let place = try fields.byte()
      result = Result(
        concentration: concentration, unit: has(0x04) ? .molesPerLitre : .kilogramsPerLitre, typeCode: place & 0x0F,
        locationCode: place >> 4)
    } else {
      result = nil
    }
    status = has(0x08) ? GlucoseStatus(rawValue: try fields.short()) : nil
    hasContext = has(0x10)
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

/// Conditions during a glucose measurement: the sensor status annunciation of `2A18` (Bluetooth SIG, Glucose Service 1.0,
/// 3.1.1.8), least significant byte first. Bits 12 to 15 are reserved.
package struct GlucoseStatus: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let batteryLow = GlucoseStatus(rawValue: 1 << 0)
  package static let sensorMalfunction = GlucoseStatus(rawValue: 1 << 1)
  package static let sampleTooSmall = GlucoseStatus(rawValue: 1 << 2)
  package static let stripInsertedWrongly = GlucoseStatus(rawValue: 1 << 3)
  package static let wrongStrip = GlucoseStatus(rawValue: 1 << 4)
  package static let aboveRange = GlucoseStatus(rawValue: 1 << 5)
  package static let belowRange = GlucoseStatus(rawValue: 1 << 6)
  package static let tooHot = GlucoseStatus(rawValue: 1 << 7)
  package static let tooCold = GlucoseStatus(rawValue: 1 << 8)
  package static let stripPulledTooSoon = GlucoseStatus(rawValue: 1 << 9)
  package static let generalFault = GlucoseStatus(rawValue: 1 << 10)
  /// The meter's clock had a fault; the time of the record may be wrong.
  package static let timeFault = GlucoseStatus(rawValue: 1 << 11)

  /// The conditions under which the value must not be used.
  package static let spoilsValue: GlucoseStatus = [
    .sensorMalfunction, .sampleTooSmall, .stripInsertedWrongly, .wrongStrip, .tooHot, .tooCold, .stripPulledTooSoon,
    .generalFault,
  ]

  /// Stable names of the conditions, such as `strip_pulled_too_soon`, in the order of their bits.
  package var names: [String] { words.map { $0.replacing(" ", with: "_") } }

  /// The conditions in words, in the order of their bits.
  package var words: [String] { texts(byBit: Self.texts) }

  /// A name is made of these words: letters and spaces only.
  private static let texts = [
    "battery low", "sensor malfunction", "sample too small", "strip inserted wrongly", "wrong type of strip",
    "above range", "below range", "too hot", "too cold", "strip pulled too soon", "general fault", "time may be wrong",
  ]
}

extension OptionSet where RawValue == UInt16 {
  /// The texts of the bits that are set, in their order; a bit without a text is left out.
  func texts(byBit texts: [String]) -> [String] {
    texts.indices.filter { rawValue >> $0 & 1 == 1 }.map { texts[$0] }
  }
}

/// The abilities of a glucose meter: the value of `2A51` (Bluetooth SIG, Glucose Service 1.0, 3.3).
package struct GlucoseFeatures: Hashable, Sendable {
  let rawValue: UInt16

  init(_ bytes: [UInt8]) throws(PacketError) {
    var fields = PacketFields(bytes)
    rawValue = try fields.short()
  }

  /// The conditions that the meter can detect. A condition that it cannot detect is to be ignored in its records
  /// (Bluetooth SIG, Glucose Profile 1.0, 4.7).
  var detected: GlucoseStatus {
    GlucoseStatus(Self.statuses.indices.filter { rawValue >> $0 & 1 == 1 }.map { Self.statuses[$0] })
  }

  /// The conditions by feature bit, 0 to 9. Bit 10 says that the meter can be paired with several devices.
  private static let statuses: [GlucoseStatus] = [
    .batteryLow, .sensorMalfunction, .sampleTooSmall, .stripInsertedWrongly, .wrongStrip, [.aboveRange, .belowRange],
    [.tooHot, .tooCold], .stripPulledTooSoon, .generalFault, .timeFault,
  ]
}

/// Notes on a record of a glucose meter: the value of `2A34` (Bluetooth SIG, Glucose Service 1.0, 3.2). Only the meal is
/// used here.
///
/// | flag | fields behind the flags and the record's number, in this order |
/// |---|---|
/// | 80 | further flags |
/// | 01 | carbohydrate: 1 breakfast, 2 lunch, 3 dinner, 4 snack, 5 drink, 6 supper, 7 brunch; an SFLOAT in kg |
/// | 02 | the meal |
/// | 04 | low nibble: who tested (1 self, 2 professional, 3 laboratory, 15 not available); high nibble: health (1 minor issues, 2 major issues, 3 menses, 4 stress, 5 no issues, 15 not available) |
/// | 08 | exercise: seconds, FFFF for more than 65534; intensity in % |
/// | 10 | medication: 1 rapid, 2 short, 3 intermediate, 4 long acting, 5 premixed; an SFLOAT in kg, with flag 20 in litres |
/// | 40 | HbA1c: an SFLOAT in % |
///
/// Any bytes give a value or an error. The SIG's old XML files name grams and millilitres.
package struct GlucoseMeasurementContext: Hashable, Sendable {
  /// The number of the record that it belongs to.
  let sequenceNumber: UInt16
  /// A `Meal`, or reserved; nil if the meter did not state one.
  let mealCode: UInt8?

  package var meal: Meal? { mealCode.flatMap(Meal.init) }

  /// True if the record is a ketone test: meal 6, which i-SENS meters use for this and the service does not define
  /// (read: NightscoutFoundation/xDrip, tidepool-org/uploader).
  var marksKetone: Bool { mealCode == 6 }

  package enum Meal: UInt8, Hashable, Sendable, CaseIterable {
    case before = 1
    case after
    case fasting
    case casual
    case bedtime
  }

  init(_ bytes: [UInt8]) throws(PacketError) {
    var fields = PacketFields(bytes)
    let flags = try fields.byte()
    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
    sequenceNumber = try fields.short()
    if has(0x80) { try fields.skip(1) }
    if has(0x01) { try fields.skip(1, 2) }
    mealCode = has(0x02) ? try fields.byte() : nil
    if has(0x04) { try fields.skip(1) }
    if has(0x08) { try fields.skip(2, 1) }
    if has(0x10) { try fields.skip(1, 2) }
    if has(0x40) { try fields.skip(2) }
  }
}
