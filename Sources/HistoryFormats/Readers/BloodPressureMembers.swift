// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The members of a `libre.blood_pressure/1`. Those with `_mmhg` in their names repeat others in another unit.
struct BloodPressureMembers {
  private var id: String?
  private var time: String?
  private var systolic: Double?
  private var diastolic: Double?
  private var mean: Double?
  private var unit: String?
  private var pulse: Double?
  private var user: Int?
  private var conditions: [String] = []
  private var source: String?

  private static let members = BloodPressureJSON.Member.allCases
  private static let names = JSONNames(members.map(\.rawValue))

  /// Reads the members of an object; false for a text that is not an object.
  mutating func read(_ json: inout JSONCursor) -> Bool {
    json.object(of: Self.names) { json, name in
      switch Self.members[name] {
      case .id: json.string(into: &id)
      case .time: json.string(into: &time)
      case .systolic: json.double(into: &systolic)
      case .diastolic: json.double(into: &diastolic)
      case .mean: json.double(into: &mean)
      case .unit: json.string(into: &unit)
      case .pulse: json.double(into: &pulse)
      case .user: json.integer(into: &user)
      case .conditions:
        json.array { json in
          guard let word = json.string() else { return false }
          conditions.append(word)
          return true
        }
      case .source: json.string(into: &source)
      case .schema, .referenceID, .systolicMillimetres, .diastolicMillimetres, .meanMillimetres: json.skipValue()
      }
    }
  }

  /// Returns the measurement.
  func entry(_ fields: LineFields) throws(HistoryError) -> BloodPressure {
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
    if let word = conditions.first(where: {
      !$0.utf8.allSatisfy("abcdefghijklmnopqrstuvwxyz_".utf8.contains) || $0.isEmpty
    }) {
      throw fields.bad("conditions", word)
    }
    return BloodPressure(
      id: try fields.id(id), time: time, systolic: systolic, diastolic: diastolic, mean: try number("mean", mean),
      unit: try fields.value("unit", unit), pulse: try number("pulse_per_minute", pulse), user: user,
      conditions: conditions, source: source)
  }
}
