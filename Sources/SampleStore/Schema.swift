// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// The tables of the store (<doc:Tables>), and the check that a file has exactly them.
enum Schema {
  /// `LIBR`: marks the database as libre's (SQLite's `application_id`).
  static let applicationID = 0x4C49_4252
  /// Number of the schema (SQLite's `user_version`).
  static let version = steps.count

  /// The statements by which each schema goes beyond the one before it, each for one table, index or view.
  private static let steps = [storeTables + outboxTables + [alertTable], [runTable]]

  /// Returns the number of a store's schema; 0 for an empty database.
  /// - Throws: `notAStore`, `corrupt`, `earlierSchema`, `newerSchema` or `foreignSchema` for anything else; `path` is
  /// named by the error.
  static func found(in database: StoreConnection, path: String) throws(StoreError) -> Int {
    // All is read at one moment: another process may be creating the store.
    try database.execute("BEGIN")
    defer { try? database.execute("COMMIT") }
    let found = try number("user_version", of: database)
    if found == 0, try database.row("SELECT 1 FROM sqlite_master LIMIT 1") == nil { return 0 }
    guard try number("application_id", of: database) == applicationID else { throw .notAStore(path: path) }
    // Development versions before 0.1.0 had a table of finger-sticks and schemas 1 to 7; the last of them had schema 1,
    // and no alerts.
    let isEarlier =
      "name = 'finger_stick' OR \(found) = 1 AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'alert')"
    if try database.row("SELECT 1 FROM sqlite_master WHERE \(isEarlier)") != nil { throw .earlierSchema(path: path) }
    if found > version { throw .newerSchema(path: path, found: found, known: version) }
    guard found > 0 else {
      throw .corrupt(path: path, words: "its header has the impossible schema number \(found)")
    }
    if let words = try database.difference(from: Array(steps.prefix(found).joined())) {
      throw .foreignSchema(path: path, words: words)
    }
    return found
  }

  /// Makes a store of this version of an empty database, or of a store with an earlier schema, in one transaction, unless
  /// another process has just done so.
  static func complete(_ database: StoreConnection) throws(StoreError) {
    try database.execute("BEGIN IMMEDIATE")
    let found = try number("user_version", of: database)
    for statement in steps.dropFirst(max(0, found)).joined() { try database.execute(statement) }
    if found == 0 {
      let checksum = ChecksummedTable.checksum("id, change, removed_before, keeps_log")
      try database.execute(
        """
        INSERT INTO store (id, change) VALUES (randomblob(8), 0);
        UPDATE store SET \(ChecksummedTable.column) = \(checksum);
        PRAGMA application_id = \(applicationID)
        """)
    }
    if found < version { try database.execute("PRAGMA user_version = \(version)") }
    try database.execute("COMMIT")
  }

  private static func number(_ pragma: String, of database: StoreConnection) throws(StoreError) -> Int {
    Int(try database.row("PRAGMA \(pragma)")?.first?.integer ?? 0)
  }
}
