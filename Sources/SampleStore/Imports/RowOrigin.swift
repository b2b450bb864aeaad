// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// Origin of the rows being stored, which decides to which imports a row belongs.
///
/// A row belongs to every import that contains it: the import added it, found it equal, or found another value. A
/// row that also has another origin (a scan, a typed value) belongs to no import. So removing an import removes only
/// the rows that no other origin has, and a file imported twice is gone when both imports are removed.
enum RowOrigin: Hashable {
  /// A sensor or the user.
  case own
  case importing(Int)
  /// No origin: existing rows are moved, or their memory is decoded again.
  case unchanged
}

/// A table with rows from imports, with statements that bind the key of a row and then the number of an import.
struct BroughtTable: Hashable, Sendable {
  let name: String
  let key: [String]
  let addTo: String
  /// Adds the import only to a row that already belongs to an import.
  let addAlsoTo: String
  let takeFromAll: String

  static let scan = BroughtTable("scan", key: "scan")
  static let sample = BroughtTable("sample", key: "wear", "ring", "minute")
  static let entry = BroughtTable("entry", key: "id")

  static let all = [scan, sample, entry]

  /// SQL conditions for rows that only the import `?1` brought.
  static let isSample = "(sample.wear, ring, minute) IN (\(sample.brought))"
  static let isEntry = "id IN (\(entry.brought))"

  private init(_ name: String, key: String...) {
    self.name = name
    self.key = key
    let columns = (key + ["import"]).joined(separator: ", ")
    let marks = (1...key.count + 1).map { "?\($0)" }.joined(separator: ", ")
    let isRow = key.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: " AND ")
    let insert = """
      INSERT INTO \(name)_import (\(columns), \(ChecksummedTable.column)) SELECT \(marks), \(ChecksummedTable.checksum(marks))
      """
    addTo = "\(insert) WHERE TRUE ON CONFLICT DO NOTHING"
    addAlsoTo = "\(insert) WHERE EXISTS (SELECT 1 FROM \(name)_import WHERE \(isRow)) ON CONFLICT DO NOTHING"
    takeFromAll = "DELETE FROM \(name)_import WHERE \(isRow)"
  }

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
  func note(_ table: BroughtTable, _ key: [SQLiteValue], isNew: Bool) throws(StoreError) {
    switch origin {
    case .unchanged: return
    case .own: if !isNew { try statement(table.takeFromAll).run(key) }
    case .importing(let number):
      try statement(isNew ? table.addTo : table.addAlsoTo).run(key + [.integer(number)])
    }
  }

  func moving<Value>(_ work: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    let before = origin
    origin = .unchanged
    defer { origin = before }
    return try work()
  }

  /// Records that two rows of `sample` became one, or one moved: it belongs to both rows' imports, unless one has none.
  func noteMoved(sample key: [SQLiteValue], imports: [Int], isNew: Bool) throws(StoreError) {
    if imports.isEmpty, !isNew { try statement(BroughtTable.sample.takeFromAll).run(key) }
    let add = try statement(isNew ? BroughtTable.sample.addTo : BroughtTable.sample.addAlsoTo)
    for number in imports { try add.run(key + [.integer(number)]) }
  }

  func noteMoved(scans: [[SQLiteValue]]) throws(StoreError) {
    for scan in scans {
      try run(
        "INSERT INTO scan_import (scan, import) SELECT number, ?2 FROM scan WHERE id = ?1 ON CONFLICT DO NOTHING", scan)
    }
  }
}
