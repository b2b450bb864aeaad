// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// The tables of the store (<doc:Tables>), and the check that a file has exactly them.
enum Schema {
  /// `LIBR`: marks the database as libre's (SQLite's `application_id`).
  static let applicationID = 0x4C49_4252
  /// Number of the schema (SQLite's `user_version`).
  static let version = 1

  /// The statements that create the store, each for one table, index or view.
  static let statements = storeTables + outboxTables + [alertTable]

  /// True for a store, false for an empty database.
  /// - Throws: `notAStore`, `corrupt`, `earlierSchema`, `newerSchema` or `foreignSchema` for anything else; `path` is
  /// named by the error.
  static func isStore(_ database: StoreConnection, path: String) throws(StoreError) -> Bool {
    // All is read at one moment: another process may be creating the store.
    try database.execute("BEGIN")
    defer { try? database.execute("COMMIT") }
    let found = try number("user_version", of: database)
    if found == 0, try database.row("SELECT 1 FROM sqlite_master LIMIT 1") == nil { return false }
    guard try number("application_id", of: database) == applicationID else { throw .notAStore(path: path) }
    // Development versions before 0.1.0 had a table of finger-sticks and schemas 1 to 7; the last of them had schema 1,
    // and no alerts.
    let isEarlier =
      "name = 'finger_stick' OR \(found) = \(version) AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'alert')"
    if try database.row("SELECT 1 FROM sqlite_master WHERE \(isEarlier)") != nil { throw .earlierSchema(path: path) }
    if found > version { throw .newerSchema(path: path, found: found, known: version) }
    guard found == version else {
      throw .corrupt(path: path, words: "its header has the impossible schema number \(found)")
    }
    if let words = try database.difference(from: statements) { throw .foreignSchema(path: path, words: words) }
    return true
  }

  /// Makes a store of an empty database in one transaction, unless another process has just done so.
  static func create(in database: StoreConnection) throws(StoreError) {
    try database.execute("BEGIN IMMEDIATE")
    if try number("user_version", of: database) == 0 {
      for statement in statements { try database.execute(statement) }
      let checksum = ChecksummedTable.checksum("id, change, removed_before, keeps_log")
      try database.execute(
        """
        INSERT INTO store (id, change) VALUES (randomblob(8), 0);
        UPDATE store SET \(ChecksummedTable.column) = \(checksum);
        PRAGMA user_version = \(version);
        PRAGMA application_id = \(applicationID)
        """)
    }
    try database.execute("COMMIT")
  }

  private static func number(_ pragma: String, of database: StoreConnection) throws(StoreError) -> Int {
    Int(try database.row("PRAGMA \(pragma)")?.first?.integer ?? 0)
  }
}
