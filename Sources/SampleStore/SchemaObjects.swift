// SPDX-License-Identifier: Apache-2.0
import SQLiteAccess

/// Tables, indices and triggers of a schema, by name, each as the parts of the statement that creates it.
///
/// SQLite runs what a schema says: a view in place of a table may have rows without end, and triggers, generated columns
/// and indices of expressions run with the statements that use a table. So a store is opened only if it has the objects
/// that the migrations create, and no others.
struct SchemaObjects {
  private var objects: [String: Set<String>] = [:]

  /// The objects that the first `version` migrations create.
  init(ofVersion version: Int) {
    for migration in Schema.migrations.prefix(version) {
      for statement in Self.statements(of: migration) { apply(statement) }
    }
  }

  /// The objects of a file, without those that SQLite makes itself.
  init(in database: StoreConnection) throws(StoreError) {
    let rows = try database.statement("SELECT name, sql FROM sqlite_master")
    while let row = try rows.next() {
      let (name, sql) = (row[0].text ?? "", row[1].text)
      if Self.isOfSQLite(name, sql) { continue }
      objects[name] = Self.parts(of: (sql ?? "").utf8)
    }
  }

  /// Returns in words what a file has instead of these objects; nil for a file with the same objects.
  func difference(in file: SchemaObjects) -> String? {
    for (name, parts) in file.objects.sorted(by: { $0.key < $1.key }) where parts != objects[name] {
      return "libre did not create \(name) as it is there"
    }
    return objects.keys.sorted().first { file.objects[$0] == nil }.map { "\($0) is missing" }
  }

  /// True for an automatic index, the table of the highest row numbers, the statistics of ANALYZE, and the rows that
  /// `.recover` could not place.
  private static func isOfSQLite(_ name: String, _ sql: String?) -> Bool {
    guard let sql else { return name.hasPrefix("sqlite_autoindex_") }
    return ["sqlite_sequence", "sqlite_stat1", "sqlite_stat4", "lost_and_found"].contains(name)
      && sql.hasPrefix("CREATE TABLE \(name)(")
  }

  private mutating func apply(_ statement: Substring) {
    let words = statement.split(separator: " ", maxSplits: 5)
    guard words.count > 2 else { return }
    let name = String(words[2])
    switch words[0] {
    case "CREATE": objects[name] = Self.parts(of: statement.utf8)
    case "DROP": objects[name] = nil
    case "ALTER" where words[3] == "RENAME": objects[String(words[5])] = objects.removeValue(forKey: name)
    // ALTER TABLE name ADD COLUMN: SQLite inserts the column after the last one.
    case "ALTER": objects[name]?.formUnion(Self.parts(of: "(\(words[5]))".utf8))
    default: break
    }
  }

  /// Splits a migration at its semicolons, and removes them. A statement begins at the beginning of a line; in a trigger only its end does.
  private static func statements(of migration: String) -> [Substring] {
    var statements: [Substring] = []
    var start = migration.startIndex
    for line in migration.split(separator: "\n", omittingEmptySubsequences: true) where line.hasSuffix(";") {
      if line.hasPrefix(" "), migration[start...].drop(while: \.isWhitespace).hasPrefix("CREATE TRIGGER") { continue }
      statements.append(migration[start..<line.endIndex].dropLast().drop(while: \.isWhitespace))
      start = line.endIndex
    }
    return statements
  }

  /// Splits a statement at the parentheses and commas of its outermost list, without its spaces.
  private static func parts(of sql: some Sequence<UInt8>) -> Set<String> {
    var parts: Set<String> = []
    var part: [UInt8] = []
    var depth = 0
    for byte in sql where byte > 0x20 && byte != UInt8(ascii: ";") {
      let before = depth
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
      if min(before, depth) == 0 && before != depth || depth == 1 && byte == UInt8(ascii: ",") {
        parts.insert(String(decoding: part, as: UTF8.self))
        part = []
      } else {
        part.append(byte)
      }
    }
    parts.insert(String(decoding: part, as: UTF8.self))
    parts.remove("")
    return parts
  }
}
