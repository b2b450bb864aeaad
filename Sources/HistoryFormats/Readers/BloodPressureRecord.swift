// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The members of a `libre.blood_pressure/1`. Those with `_mmhg` in their names repeat others in another unit.
struct BloodPressureRecord: Decodable {
  private let id: String?
  private let time: String?
  private let systolic: Double?
  private let diastolic: Double?
  private let mean: Double?
  private let unit: String?
  private let pulse: Double?
  private let user: Int?
  private let conditions: [String]?
  private let source: String?

  private enum CodingKeys: String, CodingKey {
    case id, time, systolic, diastolic, mean, unit, user, conditions, source
    case pulse = "pulse_per_minute"
  }

  /// Returns the measurement.
  ///
  /// - Throws: `badField` for a value that is missing or invalid.
  func entry(_ fields: RecordFields) throws(HistoryError) -> BloodPressure {
    guard let time = try fields.time(time) else { throw fields.bad("time", nil) }
    guard let unit else { throw fields.bad("unit", nil) }
    func number(_ name: String, _ value: Double?) throws(HistoryError) -> Double? {
      guard let value else { return nil }
      guard value > 0, value < 1_000 else { throw fields.bad(name, "\(value)") }
      return value
    }
    guard let systolic = try number("systolic", systolic) else { throw fields.bad("systolic", nil) }
    guard let diastolic = try number("diastolic", diastolic) else { throw fields.bad("diastolic", nil) }
    if let user, !(0...255).contains(user) { throw fields.bad("user", "\(user)") }
    if let word = conditions?.first(where: {
      !$0.utf8.allSatisfy("abcdefghijklmnopqrstuvwxyz_".utf8.contains) || $0.isEmpty
    }) {
      throw fields.bad("conditions", word)
    }
    return BloodPressure(
      id: try fields.id(id), time: time, systolic: systolic, diastolic: diastolic, mean: try number("mean", mean),
      unit: try fields.value("unit", unit), pulse: try number("pulse_per_minute", pulse), user: user,
      conditions: conditions ?? [], source: source)
  }
}
