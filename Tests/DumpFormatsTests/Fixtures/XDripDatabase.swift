// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CSQLite
  @testable import DumpFormats
  import Foundation
  import TestSupport

  /// A database as xDrip makes it, in a directory of its own that is deleted with it.
  final class XDripDatabase {
    /// The table of 2017 (read: xDrip `LibreBlock.java` `46d1118`); the later table has additional columns.
    static let oldSchema = """
      CREATE TABLE LibreBlock (_id INTEGER PRIMARY KEY AUTOINCREMENT);
      ALTER TABLE LibreBlock ADD COLUMN timestamp INTEGER;
      ALTER TABLE LibreBlock ADD COLUMN reference TEXT;
      ALTER TABLE LibreBlock ADD COLUMN blockbytes BLOB;
      ALTER TABLE LibreBlock ADD COLUMN bytestart INTEGER;
      ALTER TABLE LibreBlock ADD COLUMN byteend INTEGER;
      """
    static let newColumns = """
      ALTER TABLE LibreBlock ADD COLUMN calculatedbg REAL;
      ALTER TABLE LibreBlock ADD COLUMN uuid TEXT;
      ALTER TABLE LibreBlock ADD COLUMN patchUid BLOB;
      ALTER TABLE LibreBlock ADD COLUMN patchInfo BLOB;
      """
    static let indices = """
      CREATE INDEX index_LibreBlock_timestamp on LibreBlock(timestamp);
      CREATE INDEX index_LibreBlock_bytestart on LibreBlock(bytestart);
      CREATE INDEX index_LibreBlock_byteend on LibreBlock(byteend);
      """

    private let directory: TemporaryDirectory
    var folder: URL { directory.url }
    private var connection: OpaquePointer?

    init(_ schema: String = oldSchema + newColumns + indices, name: String = "export.sqlite") throws {
      directory = try TemporaryDirectory(isInMemory: true)
      path = directory.path(name)
      guard sqlite3_open(path, &connection) == SQLITE_OK else { throw Failure(sql: "open") }
      try execute(schema)
    }

    deinit { sqlite3_close(connection) }

    struct Failure: Error { let sql: String }

    let path: String

    func execute(_ sql: String) throws {
      guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw Failure(sql: sql) }
    }

    /// Adds a row; the values are SQL.
    func add(
      at timestamp: String = "1714644900000", _ bytes: [UInt8] = TextFixture.memory, start: Int = 0, end: Int = 344,
      uid: String = "NULL", patchInfo: String = "NULL"
    ) throws {
      try execute(
        """
        INSERT INTO LibreBlock (timestamp, reference, blockbytes, bytestart, byteend, patchUid, patchInfo)
        VALUES (\(timestamp), 'nfc', \(Self.blob(bytes)), \(start), \(end), \(uid), \(patchInfo))
        """)
    }

    static func blob(_ bytes: [UInt8]) -> String { "x'\(TextFixture.hex(bytes, separator: ""))'" }

    /// The contents of a directory, by name.
    func files(in folder: URL? = nil) throws -> [String: Data] {
      let folder = folder ?? self.folder
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      return try Dictionary(
        uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) })
    }

    /// A copy of the current database and the files next to it, under another name in its own directory.
    func copy(as name: String = "copy.sqlite", with suffixes: [String] = ["-wal", "-journal"]) throws -> URL {
      let other = folder.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
      for suffix in [""] + suffixes where FileManager.default.fileExists(atPath: path + suffix) {
        try FileManager.default.copyItem(
          atPath: path + suffix, toPath: other.appendingPathComponent(name + suffix).path)
      }
      return other.appendingPathComponent(name)
    }
  }
#endif
