// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CGMModel
  import CSQLite

  /// A database file of somebody else's, opened to be read: nothing in it or beside it is changed, made or taken away.
  ///
  /// | beside the file | how it is opened |
  /// |---|---|
  /// | nothing | as a file that nobody changes, without locks |
  /// | `-wal`, what was written last | without locks, and its index in memory instead of in a new `-shm` file |
  /// | `-journal`, of a change that was cut off or of none | as usual: SQLite refuses it if there is a change to undo |
  ///
  /// (verified with SQLite 3.40: opened in the usual way, if only to be read, a database in WAL mode leaves `-shm` and
  /// `-wal` behind.)
  final class SQLiteReader {
    let connection: OpaquePointer

    /// Values of more bytes are not loaded: those of a scan have less than 2000.
    private static let longestValue: Int32 = 1 << 20

    private init(_ uri: String) throws(DumpError) {
      var opened: OpaquePointer?
      let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
      let status = sqlite3_open_v2(uri, &opened, flags, nil)
      guard let opened else { throw .database(String(cString: sqlite3_errstr(status))) }
      connection = opened
      guard status == SQLITE_OK, libre_sqlite_distrust(connection) == SQLITE_OK else { throw failure }
      sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Self.longestValue)
      // In exclusive mode the index of a log is in memory. The cache is for rows that are read once.
      for setting in ["cell_size_check = ON", "locking_mode = EXCLUSIVE", "cache_size = -256", "mmap_size = 0"] {
        _ = try statement("PRAGMA \(setting)").next()
      }
    }

    /// Throws `database` with SQLite's words.
    static func open(_ path: String) throws(DumpError) -> SQLiteReader {
      let uri = "file:" + path.utf8.map(escaped).joined()
      let reader = try SQLiteReader("\(uri)?immutable=1")
      let name = sqlite3_db_filename(reader.connection, "main")
      if exists(sqlite3_filename_wal(name)) { return try SQLiteReader("\(uri)?mode=ro&vfs=unix-none") }
      if exists(sqlite3_filename_journal(name)) { return try SQLiteReader("\(uri)?mode=ro") }
      return reader
    }

    deinit { sqlite3_close_v2(connection) }

    func statement(_ sql: String) throws(DumpError) -> SQLiteStatement { try SQLiteStatement(sql, in: self) }

    var failure: DumpError { .database(String(cString: sqlite3_errmsg(connection))) }

    /// Whatever has a meaning in a URI is a plain character of a path.
    private static func escaped(_ byte: UInt8) -> String {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        String(UnicodeScalar(byte))
      default: "%\(HexText.string(of: byte))"
      }
    }

    private static func exists(_ name: UnsafePointer<CChar>?) -> Bool {
      guard let name, let files = sqlite3_vfs_find(nil) else { return false }
      var found: Int32 = 0
      return files.pointee.xAccess(files, name, SQLITE_ACCESS_EXISTS, &found) == SQLITE_OK && found != 0
    }
  }
#endif
