// SPDX-License-Identifier: Apache-2.0
import CGMModel
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
    let marks = (2..<3 + facts.count + value.count).map { "?\($0)" }.joined(separator: ", ")
    // The values are in the order of the table, where `change` is the last column.
    let checksum = ChecksummedTable.checksum("\(marks), ?1")
    insert = """
      INSERT INTO \(table.rawValue) (change, \(columns), \(ChecksummedTable.column)) VALUES (?1, \(marks), \(checksum))
      ON CONFLICT DO NOTHING
      """
    find = "SELECT \(value[0]) FROM \(table.rawValue) WHERE id = ?"
  }

  /// True if the row's numbers and its time can have been measured.
  func isPossible(_ row: [SQLiteValue]) -> Bool {
    zip(facts + value, row.dropFirst()).allSatisfy { column, value in
      switch column {
      case "time": value.instant != nil
      case "glucose_mg_dl": GlucoseConcentration(possible: value.real) != nil
      case "systolic", "diastolic": value.real?.ifPossible(PossibleValues.bloodPressure) != nil
      case "mean", "pulse": value == .null || value.real?.ifPossible(PossibleValues.bloodPressure) != nil
      default: true
      }
    }
  }

  func time(of row: [SQLiteValue]) -> Int64? {
    facts.firstIndex(of: "time").flatMap { row[$0 + 1].integer }
  }

  func value(of row: [SQLiteValue]) -> SQLiteValue { row[1 + facts.count] }
}
