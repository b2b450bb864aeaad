// SPDX-License-Identifier: Apache-2.0

extension SQLiteConnection {
  /// Returns in words what a database has instead of the objects that these statements create, each for one table, index
  /// or view; nil for exactly these.
  ///
  /// SQLite runs what a schema says: a view in place of a table may have rows without end, and triggers, generated columns
  /// and indices of expressions run with the statements that use a table. So a database of libre's own is opened only if it
  /// has the objects that libre creates, and no others.
  package func difference(from statements: [String]) throws(Failure) -> String? {
    var missing = Dictionary(uniqueKeysWithValues: statements.map { (Self.name(of: $0), $0) })
    let rows = try statement("SELECT name, sql FROM sqlite_master ORDER BY name")
    while let row = try rows.next() {
      let (name, sql) = (row[0].text ?? "", row[1].text)
      if Self.isOfSQLite(name, sql) { continue }
      guard let sql, missing.removeValue(forKey: name) == sql else {
        return "libre did not create \(name) as it is there"
      }
    }
    return missing.keys.min().map { "\($0) is missing" }
  }

  private static func name(of statement: String) -> String {
    let words = statement.split(separator: " ", maxSplits: 4)
    return String(words[words[1] == "UNIQUE" ? 3 : 2])
  }

  /// True for an automatic index, the table of the highest row numbers, the statistics of ANALYZE, and the rows that
  /// `.recover` could not place.
  private static func isOfSQLite(_ name: String, _ sql: String?) -> Bool {
    guard let sql else { return name.hasPrefix("sqlite_autoindex_") }
    return ["sqlite_sequence", "sqlite_stat1", "sqlite_stat4", "lost_and_found"].contains(name)
      && sql.hasPrefix("CREATE TABLE \(name)(")
  }
}
