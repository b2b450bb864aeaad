// SPDX-License-Identifier: Apache-2.0
import SQLiteAccess

/// A table of values with ids of their own: imported values, finger-sticks or blood pressure.
struct EntryRow: Hashable {
  enum Table: String, Hashable {
    case imported
    case fingerStick = "finger_stick"
    case bloodPressure = "blood_pressure"
  }

  let table: Table
  let brought: BroughtTable
  private let facts: [String]
  private let value: [String]
  /// All columns: the id, the facts that the id is made of, and the other values.
  let columns: String
  /// Inserts a row; an existing row stays unchanged.
  let insert: String
  /// Selects the first value of an id.
  let find: String

  static let imported = EntryRow(
    table: .imported, brought: .imported, facts: ["source", "device", "ring", "time"],
    value: ["glucose_mg_dl", "bound"])
  static let fingerStick = EntryRow(
    table: .fingerStick, brought: .fingerStick, facts: ["time"], value: ["glucose_mg_dl", "note", "source"])
  static let bloodPressure = EntryRow(
    table: .bloodPressure, brought: .bloodPressure, facts: ["time"],
    value: ["systolic", "diastolic", "mean", "unit", "pulse", "user", "conditions", "source"])

  static let all = [imported, fingerStick, bloodPressure]

  private init(table: Table, brought: BroughtTable, facts: [String], value: [String]) {
    (self.table, self.brought, self.facts, self.value) = (table, brought, facts, value)
    columns = (["id"] + facts + value).joined(separator: ", ")
    let marks = Array(repeating: "?", count: 2 + facts.count + value.count).joined(separator: ", ")
    insert = "INSERT INTO \(table.rawValue) (change, \(columns)) VALUES (\(marks)) ON CONFLICT DO NOTHING"
    find = "SELECT \(value[0]) FROM \(table.rawValue) WHERE id = ?"
  }

  func time(of row: [SQLiteValue]) -> Int64? {
    facts.firstIndex(of: "time").flatMap { row[$0 + 1].integer }
  }

  func value(of row: [SQLiteValue]) -> SQLiteValue { row[1 + facts.count] }
}
