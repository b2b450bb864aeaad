// SPDX-License-Identifier: Apache-2.0
import Foundation
import HostSystem
import Libre1Core
import TestSupport
import Testing

/// A store with every kind of row, and the ways in which damage and other programs change one.
enum HostileStore {
  /// Makes the store by commands, with a configuration that has its sink.
  static func make() throws -> (store: [UInt8], configuration: [UInt8]) {
    let sandbox = try Sandbox()
    let store = ["--store", "s.sqlite"]
    func run(_ words: String...) throws {
      let outcome = try sandbox.run(words + store)
      try #require(outcome.status == 0, "\(words): \(outcome.errors)")
    }
    for (number, dump) in ["active", "expired", "young"].enumerated() {
      try sandbox.copy("\(dump).hex", to: "\(dump).hex")
      try run("import", "--mine", "\(dump).hex", "--read-at", "2024-05-0\(number + 2)T10:15:00Z")
    }
    // A sensor without a scan, of which only an export came.
    let export = try sandbox.run("export", "--format", "ndjson", "--from", "all", "--store", "s.sqlite")
    try sandbox.write(export.text.replacingOccurrences(of: "E007A0FF", with: "E007A0EE"), to: "other.ndjson")
    _ = try sandbox.run(["import", "--mine", "other.ndjson"] + store)
    let table = (0..<40).map { "2024-05-0\(5 + $0 / 20) 12:\(10 + $0 % 20):10,scan,\(100 + $0).4" }
    try sandbox.write("local_time,kind,mg_dL\n\(table.joined(separator: "\n"))\n", to: "table.csv")
    try run("import", "table.csv")
    for (time, value) in [("09:33", 140), ("09:48", 133), ("10:03", 130)] {
      try run("add", "\(value)", "--at", "2024-05-04T\(time):00Z", "--note", "before lunch")
    }
    try run("calibrate", "--force")
    try run("meter", "read", "sim:meter")
    for cuff in ["sim:cuff", "sim:monitor"] { _ = try sandbox.run(["meter", "read", cuff] + store) }
    let sink = try sandbox.run("sink", "add", "lines", "file", "path=\(sandbox.path("lines.ndjson"))")
    try #require(sink.status == 0, "\(sink.errors)")
    try run("sync")
    try run("latest")
    func bytes(_ name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: sandbox.url.appendingPathComponent(name)))
    }
    return (try bytes("s.sqlite"), try bytes("config/libre/config.toml"))
  }

  /// Writes a store without the files that SQLite may have left next to the last one.
  static func write(_ bytes: [UInt8], to path: String) throws {
    for suffix in ["-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  // MARK: Bits

  /// The bytes of rows: the used parts of all leaf pages, of tables and of indices.
  static func rows(of bytes: [UInt8]) -> [Int] {
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    var places: [Int] = []
    for page in 0..<bytes.count / size {
      let header = page * size + (page == 0 ? 100 : 0)
      guard [0x0A, 0x0D].contains(bytes[header]) else { continue }
      let start = Int(bytes[header + 5]) << 8 | Int(bytes[header + 6])
      places += page * size + start..<(page + 1) * size
    }
    return places
  }

  // MARK: Edits

  private static let numbers = [
    "9e999", "-9e999", "1e300", "-1", "0", "1e-300", "9223372036854775807", "-9223372036854775808", "NULL", "1000.5",
    "1e18", "65536", "253402300800", "2147483648",
  ]
  private static let texts = [
    "''", "'x'", "char(27) || ']0;x' || char(7) || char(27) || '[31m'", "char(0x9b) || '2J' || char(0x202e)", "x'00'",
    "zeroblob(3000)", "x'ff00ff'", "replace(hex(zeroblob(2000)), '00', 'é')", "'1:1e999:-5 x:y:z'",
    "'-1 99999999999999999999'", "'{\"a\":[}'", "char(10) || 'a,\"b'",
  ]

  /// Returns a changed store, and what was changed in words.
  static func edited(_ bytes: [UInt8], path: String, _ random: inout SplitMix64) throws -> String {
    if random.number(0...3) == 0 {
      var changed = bytes
      let places = random.number(0...1) == 0 ? rows(of: bytes) : Array(bytes.indices)
      let count = random.number(1...8)
      for _ in 0..<count {
        changed[places[random.number(0...places.count - 1)]] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.number(0...9) == 0 { changed.removeLast(random.number(1...changed.count)) }
      try write(changed, to: path)
      return "\(count) bytes"
    }
    try write(bytes, to: path)
    let database = try SQLiteConnection<SQLiteFailure>(path, for: .writing)
    try database.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
    var edits: [String] = []
    for _ in 0..<random.number(1...3) { edits.append(try edit(database, &random)) }
    for edit in edits where (try? database.execute(edit)) == nil { continue }
    return edits.joined(separator: "; ")
  }

  private static func edit(
    _ database: SQLiteConnection<SQLiteFailure>, _ random: inout SplitMix64
  ) throws -> String {
    let tables = try texts("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'", database)
    func one(_ list: [String]) -> String { list[random.number(0...list.count - 1)] }
    let table = one(tables)
    switch random.number(0...11) {
    case 0:
      return one([
        "DROP TABLE \(table)", "DELETE FROM \(table)", "ALTER TABLE \(table) ADD COLUMN z AS (randomblob(9)) VIRTUAL",
        "CREATE VIEW z AS SELECT * FROM \(table)", "PRAGMA user_version = \(random.number(-1...9))",
        "CREATE TRIGGER z AFTER UPDATE ON \(table) BEGIN DELETE FROM sample; END", "PRAGMA application_id = 1",
        "DROP TABLE \(table); CREATE VIEW \(table) AS WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n AS id, n AS wear, 0 AS ring, n AS minute FROM r",
        "DELETE FROM \(table) WHERE random() % 2", "ANALYZE", "DROP INDEX sample_change",
        "DROP TRIGGER imported_removed",
        "INSERT INTO \(table) SELECT * FROM \(table)",
      ])
    default:
      let columns = try texts("SELECT name FROM pragma_table_info('\(table)')", database)
      let column = one(columns)
      let value = random.number(0...2) == 0 ? one(Self.texts) : one(numbers)
      // Half of the edits write a value of another type; STRICT is taken away for them.
      let update =
        "UPDATE \(table) SET \(column) = \(value)\(random.number(0...1) == 0 ? "" : " WHERE random() % 4 = 0")"
      guard random.number(0...1) == 0 else { return update }
      let other = "UPDATE sqlite_master SET sql = replace(sql, ') STRICT', ')') WHERE name = '\(table)'"
      let back =
        "UPDATE sqlite_master SET sql = sql || CASE WHEN sql LIKE '%WITHOUT ROWID' THEN '' ELSE ' STRICT' END WHERE name = '\(table)' AND sql NOT LIKE '%STRICT%'"
      let without =
        "UPDATE sqlite_master SET sql = replace(sql, '), WITHOUT ROWID', ') STRICT, WITHOUT ROWID') WHERE name = '\(table)'"
      let loosened = [
        "PRAGMA writable_schema = ON", other, "PRAGMA writable_schema = RESET", update, "PRAGMA writable_schema = ON",
        without, back, "PRAGMA writable_schema = RESET",
      ]
      for statement in loosened { try? database.execute(statement) }
      return "loosened: \(update)"
    }
  }

  private static func texts(_ sql: String, _ database: SQLiteConnection<SQLiteFailure>) throws -> [String] {
    try database.statement(sql).all { $0.textOrNil(0) }
  }
}
