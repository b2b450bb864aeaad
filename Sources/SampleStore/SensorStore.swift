// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SQLiteAccess

/// SQLite, with its failures as errors of the store.
typealias StoreConnection = SQLiteConnection<StoreError>
typealias StoreStatement = SQLiteStatement<StoreError>

/// The file in which every sensor's samples are remembered once.
///
/// One process writes at a time, and waits for another; any number read meanwhile, each from a state that stands still
/// for it (SQLite's write-ahead log). What a call that returned has written survives a crash and a power cut.
/// One instance belongs to one task at a time.
public final class SensorStore {
  public enum Access: Sendable {
    /// Nothing in the file is changed.
    case reading
    /// Makes the store if there is none.
    case writing
  }

  /// As it was opened.
  public let path: String
  let database: StoreConnection
  private var statements: [String: StoreStatement] = [:]
  /// Rows of `calibration`, which never change, in both directions.
  var calibrationRows: [CalibrationDescription: Int] = [:]
  var calibrations: [Int: CalibrationDescription] = [:]
  private var change: Int?
  /// The origin of what is stored now.
  var bringer = Bringer.own
  /// How many migrations it has seen: all of them, unless an older store is opened for reading only.
  private var version = Schema.migrations.count
  /// False for a store of before there were sinks.
  var hasOutbox: Bool { version >= Schema.firstWithOutbox }
  /// False for a store of before imports were listed.
  var hasImports: Bool { version >= Schema.firstWithImports }
  /// False for a store of before imported values and finger-sticks were sent.
  var hasEntryOutbox: Bool { version >= Schema.firstWithEntryOutbox }
  /// True of a row `outbox` that may be sent: it does not wait for a change of the store.
  var isDue: String {
    version >= Schema.firstWithWaiting
      ? "(outbox.waiting_since IS NULL OR outbox.waiting_since < (SELECT change FROM store))" : "TRUE"
  }
  /// The column of `wear` that is true for a provisional start; an older store has none.
  var isProvisional: String { version >= Schema.firstWithProvisionalStarts ? "wear.is_provisional" : "0" }

  /// Opens the store at `path`.
  ///
  /// Throws `missing`, `cannotOpen`, `readOnly`, `busy`, `corrupt`, `notAStore`, `newerSchema` or `notInThisBuild`.
  public init(_ path: String, for access: Access, patienceSeconds: Int = 10) throws(StoreError) {
    self.path = path
    if access == .reading, !SQLiteFile.exists(path) { throw .missing(path: path) }
    database = try Self.connection(path, access, patienceSeconds)
    let (version, application, isEmpty) = try Schema.state(of: database)
    guard isEmpty && version == 0 || application == Schema.applicationID else { throw .notAStore(path: path) }
    let known = Schema.migrations.count
    if version > known { throw .newerSchema(path: path, found: version, known: known) }
    switch access {
    case .reading:
      // A file that a writer has just made and not filled yet.
      if version < Schema.oldestReadable { throw .missing(path: path) }
      self.version = version
    case .writing:
      try Self.startLog(of: database)
      try database.execute("PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL")
      if version < known { try Schema.migrate(database) }
    }
  }

  /// Of a memory, a delivery or the text of a table, none has nearly as many bytes.
  private static let longestValue: Int32 = 16 << 20

  /// In a folder that may not be written to, and on a full disk, there is no place for the log's index; then nobody else
  /// writes either.
  private static func connection(
    _ path: String, _ access: Access, _ patienceSeconds: Int
  ) throws(StoreError) -> StoreConnection {
    let lockTimeout = Int32(clamping: patienceSeconds * 1000)
    switch access {
    case .writing:
      let connection = try StoreConnection(path, for: .creating)
      // Before anything is asked, which may fail for want of a place for the log.
      if connection.isReadOnly { throw .readOnly(path: path) }
      connection.waitForLocks(milliseconds: lockTimeout)
      try connection.readSchema(longestValue: longestValue)
      return connection
    case .reading:
      do throws(StoreError) {
        let connection = try StoreConnection(path, for: .reading)
        // Before the first look: a writer that ends locks the file for a moment.
        connection.waitForLocks(milliseconds: lockTimeout)
        try connection.readSchema(longestValue: longestValue)
        return connection
      } catch .cannotOpen, .readOnly, .diskFull {
        let connection = try StoreConnection(path, for: .reading, parameters: "immutable=1")
        guard connection.companions.log else { return connection }
        // What was written last is in the log. Without locks, its index is kept in memory.
        let logged = try StoreConnection(path, for: .reading, parameters: "mode=ro&vfs=unix-none")
        _ = try logged.row("PRAGMA locking_mode = EXCLUSIVE")
        return logged
      }
    }
  }

  /// Turns the write-ahead log on. While another process does the same to a new file, SQLite says busy without waiting;
  /// a transaction waits for it.
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

  /// Everything that `work` does is kept, or nothing of it. What one inside another does is kept when that one is.
  public func transaction<Value, Failure: StoreFailure>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
    guard database.isIdle else { return try part(work) }
    try attempt(database.execute("BEGIN IMMEDIATE"), or: Failure.self)
    change = nil
    do throws(Failure) {
      let value = try work()
      try attempt(database.execute("COMMIT"), or: Failure.self)
      return value
    } catch {
      // A full disk may have rolled it back already.
      if !database.isIdle { try? database.execute("ROLLBACK") }
      forgetCalibrations()
      throw error
    }
  }

  private func part<Value, Failure: StoreFailure>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
    try attempt(database.execute("SAVEPOINT part"), or: Failure.self)
    do throws(Failure) {
      let value = try work()
      try attempt(database.execute("RELEASE part"), or: Failure.self)
      return value
    } catch {
      if !database.isIdle { try? database.execute("ROLLBACK TO part; RELEASE part") }
      forgetCalibrations()
      // The number of the change may have been taken back too.
      change = nil
      throw error
    }
  }

  /// What `work` would give; nothing of it is kept.
  public func rehearse<Value, Failure: StoreFailure>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
    try attempt(database.execute("BEGIN IMMEDIATE"), or: Failure.self)
    change = nil
    defer {
      if !database.isIdle { try? database.execute("ROLLBACK") }
      forgetCalibrations()
    }
    return try work()
  }

  /// What is read inside is of one moment, whatever is written meanwhile.
  public func snapshot<Value, Failure: StoreFailure>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
    guard database.isIdle else { return try work() }
    try attempt(database.execute("BEGIN"), or: Failure.self)
    defer { try? database.execute("COMMIT") }
    return try work()
  }

  /// What was made in a transaction that is taken back is not there.
  private func forgetCalibrations() {
    calibrationRows = [:]
    calibrations = [:]
  }

  /// A statement that is prepared once a connection.
  func statement(_ sql: String) throws(StoreError) -> StoreStatement {
    if let statement = statements[sql] { return statement }
    let statement = try database.statement(sql)
    statements[sql] = statement
    return statement
  }

  /// The number of the transaction that is open, which is given to it when it first changes something.
  func nextChange() throws(StoreError) -> Int {
    if let change { return change }
    let row = try statement("UPDATE store SET change = change + 1 RETURNING change")
    defer { row.reset() }
    let number = try row.step() ? row.integer(0) : 0
    change = number
    return number
  }
}
