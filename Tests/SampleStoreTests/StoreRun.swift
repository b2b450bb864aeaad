// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import SQLiteAccess
  import SensorSimulator
  import Synchronization
  import TestSupport
  import Testing

  @testable import SampleStore

  /// An operation on a store whose disk fails in it, and what is there afterwards.
  struct StoreRun {
    let operation: StoreOperation
    /// The files before, and what is in the store before and after.
    let files: [String: [UInt8]]
    let before: [String]
    let after: [String]

    private static let name = "history.sqlite"

    init(_ operation: StoreOperation) throws {
      self.operation = operation
      let begun = FaultyDisk(try operation.files())
      if !operation.opens { try operation.prepare(try Self.store(begun)) }
      files = begun.contents
      before = try Self.rows(try Self.database(FaultyDisk(files)))
      let done = FaultyDisk(files)
      try operation.act(try Self.store(done))
      after = try Self.rows(try Self.database(done))
    }

    /// The files of a store of that name with this in it.
    static func files(named name: String, _ fill: (SensorStore) throws -> Void) throws -> [String: [UInt8]] {
      let disk = FaultyDisk()
      try fill(try SensorStore(disk.path(name), for: .writing))
      return disk.contents
    }

    static func store(_ disk: FaultyDisk) throws -> SensorStore {
      try SensorStore(disk.path(name), for: .writing, lockTimeoutSeconds: 0)
    }

    /// What came of it.
    struct Outcome {
      /// nil where the operation said that it was done.
      var error: StoreError?
      let disk: FaultyDisk
    }

    /// Does it on a disk that is made to fail at its beginning, and closes the store. `then` looks at it while it is open.
    func outcome(
      failing: (FaultyDisk) -> Void, then: (SensorStore, FaultyDisk, StoreError?) throws -> Void = { _, _, _ in }
    ) throws -> Outcome {
      let disk = FaultyDisk(files)
      var outcome = Outcome(disk: disk)
      do {
        if operation.opens { failing(disk) }
        let store = try Self.store(disk)
        if !operation.opens { failing(disk) }
        do {
          try operation.act(store)
        } catch let error as StoreError {
          outcome.error = error
        }
        try then(store, disk, outcome.error)
      } catch let error as StoreError {
        outcome.error = error
      }
      return outcome
    }

    /// Its database, past the store.
    static func database(_ disk: FaultyDisk) throws -> SQLiteConnection<SQLiteFailure> {
      try SQLiteConnection(disk.path(name), for: .creating)
    }

    static func rows(of store: SensorStore) throws -> [String] { try rows(store.database) }

    /// Every row of every table, but for what chance makes: a text for each table.
    static func rows(_ database: SQLiteConnection<some SQLiteError>) throws -> [String] {
      let schema = "SELECT coalesce(group_concat(sql, ';'), '') FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'"
      let version = try database.row("PRAGMA user_version")?.first?.integer ?? -1
      let tables = try database.row(schema)?.first?.text ?? ""
      let known = queries.withLock { $0[tables] }
      let query = try known ?? query(of: database)
      queries.withLock { $0[tables] = query }
      return ["schema \(version): \(tables)"] + (try database.row(query) ?? []).map { $0.text ?? "-" }
    }

    /// For each schema, what asks for all that is in its tables; it is long to make.
    private static let queries = Mutex<[String: String]>([:])

    private static func query(of database: SQLiteConnection<some SQLiteError>) throws -> String {
      let columns = try database.statement(
        """
        SELECT tables.name, columns.name FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_stat%' ORDER BY tables.name, columns.cid
        """)
      var lines: [(table: String, columns: [String])] = []
      while let row = try columns.next() {
        guard let table = row[0].text, let column = row[1].text else { continue }
        // The store's id and a batch's key.
        if table == "store" && column == "id" || table == "batch" && column == "key" { continue }
        if lines.last?.table != table { lines.append((table, [])) }
        lines[lines.count - 1].columns.append("quote(\(column))")
      }
      let texts = lines.map { line in
        let row = line.columns.joined(separator: " || ' ' || ")
        return """
          (SELECT '\(line.table): ' || group_concat(line, char(10))
            FROM (SELECT \(row) AS line FROM \(line.table) ORDER BY line))
          """
      }
      return "SELECT \(texts.isEmpty ? "NULL" : texts.joined(separator: ", "))"
    }
  }
#endif
