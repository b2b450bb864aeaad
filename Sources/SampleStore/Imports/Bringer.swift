// SPDX-License-Identifier: Apache-2.0
import SQLiteAccess

/// The origin of what is being stored, which decides to which imports a row belongs.
///
/// A row belongs to every import that has met it, whether the import added it, found it equal, or found another value
/// there. A row that anything else has met too (a scan, a value that was typed) belongs to none. So an import that is
/// removed takes along what it alone has brought, and the same file imported twice is gone when both imports are.
enum Bringer: Hashable {
  /// A sensor or the user.
  case own
  /// The import of this number.
  case importing(Int)
  /// Nobody: rows that are there move, or their memory is decoded again.
  case nobody
}

/// A table that imports bring rows of, and the statements that note to which imports a row belongs. They take the row's
/// key, and after it the number of an import.
struct BroughtTable: Hashable, Sendable {
  let name: String
  /// How a row of this table is called in the table of its imports.
  let key: [String]
  let addTo: String
  /// Adds the import only to a row that already belongs to one.
  let addAlsoTo: String
  let takeFromAll: String

  static let scan = BroughtTable("scan", key: "scan")
  static let sample = BroughtTable("sample", key: "wear", "ring", "minute")
  static let imported = BroughtTable("imported", key: "id")
  static let fingerStick = BroughtTable("finger_stick", key: "id")

  static let all = [scan, sample, imported, fingerStick]

  private init(_ name: String, key: String...) {
    self.name = name
    self.key = key
    let columns = (key + ["import"]).joined(separator: ", ")
    let marks = (1...key.count + 1).map { "?\($0)" }.joined(separator: ", ")
    let isRow = key.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: " AND ")
    let insert = "INSERT INTO \(name)_import (\(columns)) SELECT \(marks)"
    addTo = "\(insert) WHERE TRUE ON CONFLICT DO NOTHING"
    addAlsoTo = "\(insert) WHERE EXISTS (SELECT 1 FROM \(name)_import WHERE \(isRow)) ON CONFLICT DO NOTHING"
    takeFromAll = "DELETE FROM \(name)_import WHERE \(isRow)"
  }

  /// Selects the keys of the rows that belong to the import `?1` alone.
  var brought: String {
    let columns = key.joined(separator: ", ")
    return """
      SELECT \(columns) FROM \(name)_import AS mine WHERE import = ?1 AND NOT EXISTS (
        SELECT 1 FROM \(name)_import AS other
        WHERE \(key.map { "other.\($0) = mine.\($0)" }.joined(separator: " AND ")) AND other.import <> ?1)
      """
  }
}

extension SensorStore {
  /// Notes who has brought a row, which was there before unless `isNew`.
  func note(_ table: BroughtTable, _ key: [SQLiteValue], isNew: Bool) throws(StoreError) {
    switch bringer {
    case .nobody: return
    case .own: if !isNew { try statement(table.takeFromAll).run(key) }
    case .importing(let number):
      try statement(isNew ? table.addTo : table.addAlsoTo).run(key + [.integer(number)])
    }
  }

  /// Does what changes nothing about who brought the rows.
  func moving<Value>(_ work: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    let before = bringer
    bringer = .nobody
    defer { bringer = before }
    return try work()
  }

  /// Two rows of `sample` become one, or one moves: it belongs to the imports of both, or to none if one of them does.
  func noteMoved(sample key: [SQLiteValue], imports: [Int], isNew: Bool) throws(StoreError) {
    if imports.isEmpty, !isNew { try statement(BroughtTable.sample.takeFromAll).run(key) }
    let add = try statement(isNew ? BroughtTable.sample.addTo : BroughtTable.sample.addAlsoTo)
    for number in imports { try add.run(key + [.integer(number)]) }
  }

  /// Notes again to which imports scans belong that have moved.
  func noteMoved(scans: [[SQLiteValue]]) throws(StoreError) {
    for scan in scans {
      try statement(
        "INSERT INTO scan_import (scan, import) SELECT number, ?2 FROM scan WHERE id = ?1 ON CONFLICT DO NOTHING"
      ).run(scan)
    }
  }
}
