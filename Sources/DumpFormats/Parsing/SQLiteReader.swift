// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import SQLiteAccess

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
  enum SQLiteReader {
    /// Values of more bytes are not loaded: those of a scan have less than 2000.
    private static let longestValue: Int32 = 1 << 20

    /// Throws `database` with SQLite's words.
    static func open(_ path: String) throws(DumpError) -> SQLiteConnection {
      let uri = SQLiteConnection.uri(of: path)
      return try DumpError.from { () throws(SQLiteFailure) in
        let connection = try opened("\(uri)?immutable=1")
        let companions = connection.companions
        if companions.log { return try opened("\(uri)?mode=ro&vfs=unix-none") }
        if companions.journal { return try opened("\(uri)?mode=ro") }
        return connection
      }
    }

    private static func opened(_ uri: String) throws(SQLiteFailure) -> SQLiteConnection {
      let connection = try SQLiteConnection(uri, for: .reading, isURI: true)
      try connection.distrust()
      // In exclusive mode the index of a log is in memory: nothing can be read before that is set.
      for setting in ["cell_size_check = ON", "locking_mode = EXCLUSIVE"] {
        _ = try connection.row("PRAGMA \(setting)")
      }
      try connection.readSchema(longestValue: longestValue)
      // The cache is for rows that are read once.
      for setting in ["cache_size = -256", "mmap_size = 0"] { _ = try connection.row("PRAGMA \(setting)") }
      return connection
    }
  }

  extension DumpError {
    /// What SQLite is asked for; its failure is an error of the dump.
    static func from<Value>(_ work: () throws(SQLiteFailure) -> Value) throws(DumpError) -> Value {
      do throws(SQLiteFailure) {
        return try work()
      } catch {
        throw .database(error.words)
      }
    }
  }
#endif
