// SPDX-License-Identifier: Apache-2.0

/// Notes on a record of a glucose meter: the value of `2A34` (Bluetooth SIG, Glucose Service 1.0, 3.2).
///
/// Any bytes give a value or an error. Amounts are in kilograms or litres as the service has them; the SIG's old XML files
/// name grams and millilitres.
package struct GlucoseMeasurementContext: Hashable, Sendable {
  /// The number of the record that it belongs to.
  package let sequenceNumber: UInt16
  package let carbohydrate: Carbohydrate?
  /// Number of the meal; `meal` has its meaning. nil if the meter did not state one.
  package let mealCode: UInt8?
  /// Number of the person who tested: 1 self, 2 professional, 3 laboratory, 15 not available.
  package let testerCode: UInt8?
  /// State of health: 1 minor issues, 2 major issues, 3 menses, 4 stress, 5 no issues, 15 not available.
  package let healthCode: UInt8?
  package let exercise: Exercise?
  package let medication: Medication?
  /// HbA1c in per cent.
  package let hba1c: ShortFloat?

  /// Carbohydrate that was eaten or drunk.
  package struct Carbohydrate: Hashable, Sendable {
    /// 1 breakfast, 2 lunch, 3 dinner, 4 snack, 5 drink, 6 supper, 7 brunch
    package let code: UInt8
    package let kilograms: ShortFloat
  }

  package struct Exercise: Hashable, Sendable {
    /// Duration in seconds; nil if longer than 65534 s.
    package let seconds: Int?
    /// Intensity in per cent.
    package let intensity: UInt8
  }

  package struct Medication: Hashable, Sendable {
    /// 1 rapid, 2 short, 3 intermediate, 4 long acting, 5 premixed
    package let code: UInt8
    package let amount: ShortFloat
    /// Unit of the amount: litres if true, else kilograms.
    package let isInLitres: Bool
  }

  /// The meal; nil if none was stated or the number is reserved.
  package var meal: Meal? { mealCode.flatMap(Meal.init) }

  /// True if the record is a ketone test: meal 6, which i-SENS meters use for this and the service does not define
  /// (read: NightscoutFoundation/xDrip, tidepool-org/uploader).
  package var marksKetone: Bool { mealCode == Self.ketoneMealCode }

  private static let ketoneMealCode: UInt8 = 6

  package enum Meal: UInt8, Hashable, Sendable, CaseIterable {
    case before = 1
    case after
    case fasting
    case casual
    case bedtime
  }

  private enum Flag {
    static let carbohydrate: UInt8 = 1 << 0
    static let meal: UInt8 = 1 << 1
    static let testerHealth: UInt8 = 1 << 2
    static let exercise: UInt8 = 1 << 3
    static let medication: UInt8 = 1 << 4
    static let medicationInLitres: UInt8 = 1 << 5
    static let hba1c: UInt8 = 1 << 6
    static let extended: UInt8 = 1 << 7
  }

  /// Decodes a packet.
  ///
  /// - Throws: `tooShort` if the flags announce more than there is.
  package init(_ bytes: [UInt8]) throws(PacketError) {
    var fields = PacketFields(bytes)
    let flags = try fields.byte()
    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
    sequenceNumber = try fields.short()
    if has(Flag.extended) { _ = try fields.byte() }
    carbohydrate =
      has(Flag.carbohydrate) ? Carbohydrate(code: try fields.byte(), kilograms: try fields.shortFloat()) : nil
    mealCode = has(Flag.meal) ? try fields.byte() : nil
    let person: UInt8? = has(Flag.testerHealth) ? try fields.byte() : nil
    testerCode = person.map { $0 & 0x0F }
    healthCode = person.map { $0 >> 4 }
    if has(Flag.exercise) {
      let seconds = try fields.short()
      exercise = Exercise(seconds: seconds == .max ? nil : Int(seconds), intensity: try fields.byte())
    } else {
      exercise = nil
    }
    medication =
      has(Flag.medication)
      ? Medication(
        code: try fields.byte(), amount: try fields.shortFloat(), isInLitres: has(Flag.medicationInLitres)) : nil
    hba1c = has(Flag.hba1c) ? try fields.shortFloat() : nil
  }
}
