// SPDX-License-Identifier: Apache-2.0

package enum SQLiteOpenMode {
  case reading, writing
  /// Creates the file if it is missing.
  case creating
}

#if SQLite
  import CSQLite

  /// One connection to a database, used by one task at a time. Its calls, and those of its statements, throw the error
  /// type of the module that opened it.
  package final class SQLiteConnection<Failure: SQLiteError> {
    let handle: OpaquePointer
    private let path: String
    let steps = StepLimit()
    private let log = LogSize()

    /// Opens a file; `parameters` are added to its URI.
    package init(_ path: String, for access: SQLiteOpenMode, parameters: String? = nil) throws(Failure) {
      self.path = path
      var opened: OpaquePointer?
      let flags =
        switch access {
        case .reading: SQLITE_OPEN_READONLY
        case .writing: SQLITE_OPEN_READWRITE
        case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
      let name = parameters.map { Array("\(SQLiteFile.uri(of: path))?\($0)".utf8CString) } ?? path.fileName
      let form = parameters == nil ? 0 : SQLITE_OPEN_URI
      let status = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | form, nil)
      guard let opened else {
        throw Failure(SQLiteFailure(status, String(cString: sqlite3_errstr(status))), path: path)
      }
      handle = opened
      sqlite3_extended_result_codes(handle, 1)
      guard status == SQLITE_OK else { throw error(failure) }
    }

    /// Opens a copy of the bytes of a database, which cannot be written.
    package convenience init(copying bytes: ArraySlice<UInt8>) throws(Failure) {
      try self.init(":memory:", for: .creating)
      guard bytes.count >= ForeignDatabase.headerSize, let copy = sqlite3_malloc64(UInt64(bytes.count)) else {
        throw error(SQLiteFailure(SQLITE_NOMEM, "no memory for a database of \(bytes.count) bytes"))
      }
      bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: copy, count: $0.count).copyMemory(from: $0) }
      // A database in WAL mode is not opened in memory, because it might have a log: this makes it one without a log.
      copy.storeBytes(of: 0x0101, toByteOffset: 18, as: UInt16.self)
      let count = Int64(bytes.count)
      let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
      guard sqlite3_deserialize(handle, "main", copy, count, count, flags) == SQLITE_OK else { throw error(failure) }
    }

    deinit { sqlite3_close_v2(handle) }

    package func statement(_ sql: String) throws(Failure) -> SQLiteStatement<Failure> {
      try SQLiteStatement(sql, in: self)
    }

    package func execute(_ sql: String) throws(Failure) {
      steps.count = 0
      guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error(failure) }
    }

    /// Sets how long to wait for another writer before a call fails with `busy`.
    package func waitForLocks(milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

    package var changes: Int { Int(sqlite3_changes64(handle)) }

    package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// True if the file cannot be written, however it was opened.
    package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// False while a transaction is open.
    package var isIdle: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// Restricts SQLite for a database from an unknown source: its schema cannot call unsafe functions, and its
    /// triggers and views are disabled. Call this before any query.
    package func distrust() throws(Failure) {
      guard libre_sqlite_distrust(handle) == SQLITE_OK else { throw error(failure) }
    }

    /// Restricts SQLite for a database whose triggers are this program's own: its schema cannot call unsafe functions,
    /// and is not changed by statements that write to it.
    package func distrustSchema() throws(Failure) {
      guard libre_sqlite_distrust_schema(handle) == SQLITE_OK else { throw error(failure) }
    }

    /// Reads the schema of a database from an unknown source. SQLite keeps the whole schema in memory and searches it
    /// for every name: 200 MB of schema need 1 GB, 100,000 tables 17 s. So values of more than `longestValue` bytes are
    /// not loaded, now and later, and a schema of more than some 10,000 entries is refused.
    package func readSchema(longestValue: Int32) throws(Failure) {
      limitValues(to: longestValue)
      sqlite3_progress_handler(handle, 100_000, { _ in 1 }, nil)
      do throws(Failure) {
        _ = try row("SELECT 1 FROM sqlite_master LIMIT 1")
      } catch {
        guard [SQLITE_INTERRUPT, SQLITE_TOOBIG].contains(sqlite3_errcode(handle)) else { throw error }
        throw self.error(SQLiteFailure(.notADatabase, "its schema is too large for a program that stores glucose"))
      }
      sqlite3_progress_handler(
        handle, StepLimit.interval,
        { Unmanaged<StepLimit>.fromOpaque($0.unsafelyUnwrapped).takeUnretainedValue().isReached() ? 1 : 0 },
        Unmanaged.passUnretained(steps).toOpaque())
      try limitSteps()
    }

    /// Sets the number of bytes above which a value is not loaded.
    package func limitValues(to count: Int32) { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, count) }

    /// Limits the steps of each statement by the size of the database, so that a file in which pages refer to each other
    /// cannot keep a statement running for ever. Call this again when the database has grown.
    package func limitSteps() throws(Failure) { steps.limit = StepLimit.limit(bytes: try byteCount()) }

    /// True if a statement that has taken `count` steps may take its next row. Rows that need few steps each are counted
    /// here, and a row that needs many by SQLite.
    func mayGoOn(after count: Int) -> Bool {
      steps.count = count
      return count <= steps.limit
    }

    var endlessFailure: Failure { error(SQLiteFailure(SQLITE_INTERRUPT, "")) }

    /// Leaves the write-ahead log to `checkpoint`. SQLite's own checkpoints, after a commit and at the end, ignore a disk
    /// that fails, and the next one may then remove the log.
    package func keepLog() throws(Failure) {
      guard libre_sqlite_keep_log(handle, 1) == SQLITE_OK else { throw error(failure) }
      sqlite3_wal_hook(
        handle,
        { context, _, _, pages in
          guard let context else { return SQLITE_OK }
          Unmanaged<LogSize>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
          return SQLITE_OK
        }, Unmanaged.passUnretained(log).toOpaque())
    }

    /// Lets SQLite remove the log when the last connection is closed.
    package func releaseLog() { _ = libre_sqlite_keep_log(handle, 0) }

    /// Pages of the log after the last commit of this connection.
    package var loggedPages: Int { log.pages }

    /// Moves the log's pages into the database, as far as others who read it allow.
    package func checkpoint() throws(Failure) {
      _ = try row("PRAGMA wal_checkpoint(PASSIVE)")
      log.pages = 0
    }

    /// True if another file has taken the name of the one that is open.
    package var hasMoved: Bool {
      var hasMoved: Int32 = 0
      return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK && hasMoved != 0
    }

    package var companions: (log: Bool, journal: Bool) {
      let name = sqlite3_db_filename(handle, "main")
      return (SQLiteFile.exists(sqlite3_filename_wal(name)), SQLiteFile.exists(sqlite3_filename_journal(name)))
    }

    var failure: SQLiteFailure {
      var code = libre_sqlite_lacks_space(handle) != 0 ? SQLITE_FULL : sqlite3_extended_errcode(handle)
      // A disk that has failed is often mounted read-only by the kernel from then on.
      if code & 0xFF == SQLITE_CANTOPEN, sqlite3_system_errno(handle) == EROFS { code = SQLITE_READONLY }
      return SQLiteFailure(code, String(cString: sqlite3_errmsg(handle)))
    }

    func error(_ failure: SQLiteFailure) -> Failure { Failure(failure, path: path) }
  }

  extension SQLiteFailure {
    init(_ code: Int32, _ words: String) {
      let reason: Reason =
        switch code & 0xFF {
        // SQLITE_PROTOCOL follows ten seconds of waiting for another process that creates the log's index.
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
        case SQLITE_CANTOPEN: .cannotOpen
        case SQLITE_CORRUPT, SQLITE_INTERRUPT: .corrupt
        case SQLITE_FULL: .diskFull
        case SQLITE_NOTADB: .notADatabase
        case SQLITE_READONLY: .readOnly
        default: .other
        }
      let isEndless = code & 0xFF == SQLITE_INTERRUPT
      self.init(reason, isEndless ? "a search in it does not end, so its pages refer to each other" : words)
    }
  }
#else
  package final class SQLiteConnection<Failure: SQLiteError> {
    package init(_ path: String, for access: SQLiteOpenMode, parameters: String? = nil) throws(Failure) {
      throw Self.missing
    }
    package init(copying bytes: ArraySlice<UInt8>) throws(Failure) { throw Self.missing }

    private static var missing: Failure {
      Failure(SQLiteFailure(.notInThisBuild, "this build of libre was made without SQLite"), path: "")
    }

    package func statement(_ sql: String) throws(Failure) -> SQLiteStatement<Failure> { throw Self.missing }
    package func execute(_ sql: String) throws(Failure) {}
    package func waitForLocks(milliseconds: Int32) {}
    package var changes: Int { 0 }
    package var lastInsertedRow: Int64 { 0 }
    package var isReadOnly: Bool { true }
    package var isIdle: Bool { true }
    package func distrust() throws(Failure) {}
    package func readSchema(longestValue: Int32) throws(Failure) {}
    package func limitSteps() throws(Failure) {}
    package func limitValues(to count: Int32) {}
    package func distrustSchema() throws(Failure) {}
    package func keepLog() throws(Failure) {}
    package func releaseLog() {}
    package var loggedPages: Int { 0 }
    package func checkpoint() throws(Failure) {}
    package var hasMoved: Bool { false }
    package var companions: (log: Bool, journal: Bool) { (false, false) }
  }
#endif

extension SQLiteConnection {
  func byteCount() throws(Failure) -> Int64 {
    try row("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")?.first?.integer ?? 0
  }

  package func row(_ sql: String, _ values: SQLiteValue...) throws(Failure) -> [SQLiteValue]? {
    let statement = try statement(sql)
    statement.bind(values)
    return try statement.next()
  }

  /// Lists faults that SQLite finds in the file, and rows that refer to missing rows; empty for an intact file.
  package func faults() throws(Failure) -> [String] {
    var faults: [String] = []
    let integrity = try statement("PRAGMA integrity_check")
    while let row = try integrity.next() {
      if let words = row.first?.text, words != "ok" { faults.append(words) }
    }
    let keys = try statement("PRAGMA foreign_key_check")
    while let row = try keys.next() {
      faults.append("a row of \(row[0].text ?? "?") refers to a missing row of \(row[2].text ?? "?")")
    }
    return faults
  }
}

final class LogSize {
  var pages = 0
}

/// The number of steps of SQLite's virtual machine that a statement may take. A legal statement takes some ten steps
/// for each byte of the database at most (a search for each of its rows). Pages that refer to each other can make a
/// loop of exponential length out of a small file.
final class StepLimit {
  static let interval: Int32 = 100_000

  static func limit(bytes: Int64) -> Int { 20_000_000 + 100 * Int(clamping: min(bytes, 1 << 50)) }

  var limit = StepLimit.limit(bytes: 0)
  var count = 0

  func isReached() -> Bool {
    count += Int(Self.interval)
    return count > limit
  }
}
