// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem

typealias StoreConnection = SQLiteConnection<StoreError>
typealias StoreStatement = SQLiteStatement<StoreError>

/// The database that stores every sensor's samples once.
///
/// One process writes at a time, and others wait for it; any number of processes read at the same time, each from a
/// consistent state (SQLite's write-ahead log). Data written by a call that has returned survives a crash and a power
/// cut. Use one instance in one task at a time.
public final class SensorStore {
  package enum Access: Sendable {
    case reading
    /// Creates the store if it is missing, and gives one of an earlier schema the tables of this one.
    case writing
    /// Reads a store whose `DatabaseLock` the caller has.
    case locked
  }

  package let path: String
  let database: StoreConnection
  private var statements: [String: StoreStatement] = [:]
  /// Rows of `calibration`, which never change, in both directions.
  var calibrationRows: [CalibrationDescription: Int] = [:]
  var calibrations: [Int: CalibrationDescription] = [:]
  private var change: Int?
  private var writes = false
  /// Is told that the disk has failed a checkpoint, after which the work goes on.
  package var reportsDisk: ((StoreError) -> Void)?
  var origin = RowOrigin.own
  /// The standing of samples before the open transaction, which `settleStandings` compares with its end.
  var standings = WatchedStandings()

  /// - Throws: `missing`, `cannotOpen`, `readOnly`, `busy`, `corrupt`, `notAStore`, `foreignSchema`, `earlierSchema`,
  /// `newerSchema` or `notInThisBuild`.
  package init(_ path: String, for access: Access, lockTimeoutSeconds: Int = 10) throws(StoreError) {
    self.path = path
    if access == .reading, !SQLiteFile.exists(path) { throw .missing(path: path) }
    var connection = try Self.connection(path, access, lockTimeoutSeconds)
    // A new file has taken the store's place while this waited for the lock.
    if connection.hasMoved { connection = try Self.connection(path, access, lockTimeoutSeconds) }
    database = connection
    let schema = try Schema.found(in: database, path: path)
    switch access {
    case .reading, .locked:
      // A file that another process has just created and not filled yet.
      if schema == 0 { throw .missing(path: path) }
    case .writing:
      try Self.startLog(of: database)
      try database.keepLog()
      writes = true
      try database.execute("PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY")
      if schema < Schema.version { try Schema.complete(database) }
      for table in try ChecksummedTable.all(in: database) { try database.execute(table.triggers) }
    }
  }

  deinit {
    if writes, checkpoint() { database.releaseLog() }
  }

  /// Maximum size of a value; every memory, delivery and SQL text is much smaller.
  private static let maximumValueBytes: Int32 = 16 << 20

  /// Opens a connection. In a read-only directory, and on a full disk, SQLite cannot create the index of the log; then
  /// no other process writes either.
  private static func connection(
    _ path: String, _ access: Access, _ lockTimeoutSeconds: Int
  ) throws(StoreError) -> StoreConnection {
    let lockTimeout = Int32(clamping: lockTimeoutSeconds * 1000)
    switch access {
    case .writing:
      let connection = try StoreConnection(path, for: .creating)
      // Check this first: a query may fail because the log cannot be created.
      if connection.isReadOnly { throw .readOnly(path: path) }
      connection.waitForLocks(milliseconds: lockTimeout)
      return try prepared(connection)
    case .reading:
      do throws(StoreError) {
        let connection = try StoreConnection(path, for: .reading)
        // Set this before the first query: a writer that closes locks the file briefly.
        connection.waitForLocks(milliseconds: lockTimeout)
        return try prepared(connection)
      } catch .cannotOpen, .readOnly, .diskFull {
        let connection = try StoreConnection(path, for: .reading, parameters: "immutable=1")
        guard connection.companions.log else { return try prepared(connection) }
        return try self.connection(path, .locked, 0)
      }
    case .locked:
      // The latest changes may be in the log. Without locks, its index is kept in memory.
      let logged = try StoreConnection(path, for: .reading, parameters: "mode=ro&vfs=unix-none")
      _ = try logged.row("PRAGMA locking_mode = EXCLUSIVE")
      return try prepared(logged)
    }
  }

  /// Protects a connection against a file that others have changed, before anything else is read.
  private static func prepared(_ connection: StoreConnection) throws(StoreError) -> StoreConnection {
    try connection.distrustSchema()
    try connection.defineChecksum()
    try connection.readSchema(longestValue: maximumValueBytes)
    return connection
  }

  /// Switches the write-ahead log on. If another process does the same to a new file, SQLite reports busy without
  /// waiting; a transaction waits for it.
  private static func startLog(of database: StoreConnection) throws(StoreError) {
    for _ in 0..<100 {
      do throws(StoreError) {
        _ = try database.row("PRAGMA journal_mode = WAL")
        return
      } catch .busy {
        try database.execute("BEGIN IMMEDIATE; COMMIT")
      }
    }
    _ = try database.row("PRAGMA journal_mode = WAL")
  }

  // MARK: Transactions

  /// Runs `work` in a transaction: all or none of its changes are kept. Nested ones are kept with the outer one.
  package func transaction<Value, Failure: StoreFailure>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
    let isPart = !database.isIdle
    try attempt(database.execute(isPart ? "SAVEPOINT part" : "BEGIN IMMEDIATE"), or: Failure.self)
    if !isPart {
      change = nil
      standings = WatchedStandings()
      // It may have grown since.
      try? database.limitSteps()
    }
    do throws(Failure) {
      let value = try work()
      if !isPart { try attempt(settleStandings(), or: Failure.self) }
      try attempt(database.execute(isPart ? "RELEASE part" : "COMMIT"), or: Failure.self)
      if !isPart, database.loggedPages >= Self.pagesToMove { _ = checkpoint() }
      return value
    } catch {
      // A full disk may have caused a rollback already.
      if !database.isIdle { try? database.execute(isPart ? "ROLLBACK TO part; RELEASE part" : "ROLLBACK") }
      forgetCalibrations()
      // The rollback may have included the number of the change.
      change = nil
      throw error
    }
  }

  // MARK: Write-ahead log

  /// Pages in the log that make a checkpoint worthwhile; SQLite's own number.
  private static let pagesToMove = 1_000

  /// True after a disk has failed a checkpoint: the log has pages that may be missing in the file, whatever a later
  /// checkpoint says, because a file system reports a failed write once. The log stays until the store is in a new file.
  package func keepsLog() throws(StoreError) -> Bool { try integer("SELECT keeps_log FROM store") == 1 }

  package func setKeepsLog(_ keepsLog: Bool) throws(StoreError) {
    try run("UPDATE store SET keeps_log = ?", .integer(keepsLog ? 1 : 0))
  }

  /// Moves the log into the file; false if it has to stay.
  private func checkpoint() -> Bool {
    do throws(StoreError) {
      if try keepsLog() { return false }
      try database.checkpoint()
      return true
    } catch .database(_, let words) {
      try? setKeepsLog(true)
      reportsDisk?(.logKept(path: path, words: words))
    } catch {
      // A full disk, or a busy one: the log stays, and the next checkpoint does it all.
    }
    return false
  }

  /// Runs `work` in the transaction that is open, which must not be kept if it fails, or else in one of its own.
  ///
  /// It is meant for many rows. In a nested transaction, SQLite keeps a copy of every changed page in memory and walks
  /// through all copies after each statement, so that the time grows with the square of the rows.
  package func joinedTransaction<Value, Failure: StoreFailure>(
    _ work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    database.isIdle ? try transaction(work) : try work()
  }

  /// Chooses whether transactions wait for the disk. If they do not, a power cut may undo the last ones, and the store is
  /// intact. They also keep more of the file in memory, because rows with random ids change most of its pages. The first
  /// transaction after `true` waits, and then all before it are on the disk too.
  package func setDurable(_ isDurable: Bool) throws(StoreError) {
    // The sizes are in KiB; the first is SQLite's default.
    let cache = isDurable ? 2_000 : 64_000
    try database.execute("PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL"); PRAGMA cache_size = -\(cache)")
  }

  /// Runs `work` and returns its result without keeping any change.
  package func rehearse<Value, Failure: StoreFailure>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
    try attempt(database.execute("BEGIN IMMEDIATE"), or: Failure.self)
    change = nil
    defer {
      if !database.isIdle { try? database.execute("ROLLBACK") }
      forgetCalibrations()
    }
    return try work()
  }

  /// Runs `work` on the state of one moment, unaffected by other writers.
  package func snapshot<Value, Failure: StoreFailure>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
    guard database.isIdle else { return try work() }
    try attempt(database.execute("BEGIN"), or: Failure.self)
    defer { try? database.execute("COMMIT") }
    return try work()
  }

  private func forgetCalibrations() {
    calibrationRows = [:]
    calibrations = [:]
  }

  /// Returns a statement, prepared once for each connection.
  func statement(_ sql: String) throws(StoreError) -> StoreStatement {
    if let statement = statements[sql] { return statement }
    let statement = try database.statement(sql)
    statements[sql] = statement
    return statement
  }

  func run(_ sql: String, _ values: SQLiteValue...) throws(StoreError) { try statement(sql).run(values) }
  func run(_ sql: String, _ values: [SQLiteValue]) throws(StoreError) { try statement(sql).run(values) }

  func first(_ sql: String, _ values: SQLiteValue...) throws(StoreError) -> [SQLiteValue]? { try first(sql, values) }
  func first(_ sql: String, _ values: [SQLiteValue]) throws(StoreError) -> [SQLiteValue]? {
    try statement(sql).first(values)
  }

  func integer(_ sql: String, _ values: SQLiteValue...) throws(StoreError) -> Int? { try integer(sql, values) }
  func integer(_ sql: String, _ values: [SQLiteValue]) throws(StoreError) -> Int? {
    try first(sql, values)?.first?.integer.map(Int.init)
  }

  func exists(_ sql: String, _ values: SQLiteValue...) throws(StoreError) -> Bool { try first(sql, values) != nil }

  /// Returns the number of the open transaction, which it gets with its first change.
  func nextChange() throws(StoreError) -> Int {
    if let change { return change }
    let row = try statement("UPDATE store SET change = change + 1 RETURNING change")
    defer { row.reset() }
    let number = try row.step() ? row.integer(0) : 0
    change = number
    return number
  }
}
