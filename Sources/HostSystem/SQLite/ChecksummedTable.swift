// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A table whose rows have a checksum of all their other columns (SampleStore's Decisions/0007).
///
/// Temporary triggers of each writing connection compute it, so that no statement of the store has to, and no other
/// program needs the function.
package struct ChecksummedTable {
  package static let column = "checksum"

  package let name: String
  /// Columns in the order of the table, without the checksum.
  package let columns: [String]
  /// The declared type of each column, and whether it has to have a value.
  let types: [(name: String, isRequired: Bool)]
  package let key: [String]

  /// Reads which tables of a store have checksums: none in a store from before there were any.
  package static func all<Failure>(in database: SQLiteConnection<Failure>) throws(Failure) -> [ChecksummedTable] {
    let rows = try database.statement(
      """
      SELECT main.name, column.name, column.pk, column.type, column."notnull" FROM sqlite_master AS main JOIN pragma_table_info(main.name) AS column
      WHERE main.type = 'table' ORDER BY main.name, column.cid
      """)
    var columns: [String: [(name: String, keyPlace: Int64, type: String, isRequired: Bool)]] = [:]
    while let row = try rows.next() {
      guard let table = row[0].text, let column = row[1].text else { continue }
      columns[table, default: []].append((column, row[2].integer ?? 0, row[3].text ?? "", row[4] == .integer(1)))
    }
    return columns.filter { $0.value.contains { $0.name == Self.column } }.sorted { $0.key < $1.key }.map {
      let key = $0.value.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }.map(\.name)
      let own = $0.value.filter { $0.name != Self.column }
      return ChecksummedTable(
        name: $0.key, columns: own.map(\.name), types: own.map { ($0.type, $0.isRequired) },
        key: key.isEmpty ? ["rowid"] : key)
    }
  }

  /// SQL expression for the checksum of a row with these values, in the order of the table. The two statements that insert
  /// most rows use it, so that each of these rows is written once.
  package static func checksum(_ values: String) -> String { "\(RowChecksum.function)(\(values))" }

  private func checksum(_ prefix: String = "") -> String {
    Self.checksum(columns.map { prefix + $0 }.joined(separator: ", "))
  }

  package var triggers: String {
    let isRow = key.map { "\($0) = NEW.\($0)" }.joined(separator: " AND ")
    let seal = "BEGIN UPDATE \(name) SET \(Self.column) = \(checksum("NEW.")) WHERE \(isRow); END;"
    return """
      CREATE TEMP TRIGGER \(name)_inserted AFTER INSERT ON main.\(name) WHEN NEW.\(Self.column) IS NULL \(seal)
      CREATE TEMP TRIGGER \(name)_updated AFTER UPDATE OF \(columns.joined(separator: ", ")) ON main.\(name) \(seal)
      """
  }

  package func faults<Failure>(in database: SQLiteConnection<Failure>) throws(Failure) -> [String] {
    try Self.faults(
      in: database, name, key, where: "\(Self.column) IS NOT \(checksum())",
      "was damaged, or changed by another program")
  }

  /// Returns a sentence for each row of a table with a condition; columns of the `key` name the row.
  package static func faults<Failure>(
    in database: SQLiteConnection<Failure>, _ table: String, _ key: [String], where condition: String, _ words: String
  ) throws(Failure) -> [String] {
    try database.statement("SELECT \(key.joined(separator: ", ")) FROM \(table) WHERE \(condition)").all { row in
      let place = zip(key, row.values).map { "\($0) \(text(of: $1))" }.joined(separator: ", ")
      return "a row of \(table) (\(place)) \(words)"
    }
  }

  private static func text(of value: SQLiteValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes): bytes.count == 16 ? SampleID(bytes: bytes).description : HexText.string(of: bytes)
    }
  }
}
