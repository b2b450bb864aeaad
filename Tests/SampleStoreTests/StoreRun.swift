// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import HostSystem
  import Synchronization
  import TestSupport
  import Testing

  @testable import SampleStore

  /// An operation on a store whose disk fails meanwhile, and the state afterwards.
  struct StoreRun {
    let operation: StoreOperation
    /// The files before, and the content of the store before and after.
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

    /// Returns the files of a store of that name with this content.
    static func files(named name: String, _ fill: (SensorStore) throws -> Void) throws -> [String: [UInt8]] {
      let disk = FaultyDisk()
      try fill(try SensorStore(disk.path(name), for: .writing))
      return disk.contents
    }

    static func store(_ disk: FaultyDisk) throws -> SensorStore {
      try SensorStore(disk.path(name), for: .writing, lockTimeoutSeconds: 0)
    }

    struct Outcome {
      /// nil if the operation reported success.
      var error: StoreError?
      let disk: FaultyDisk
    }

    /// Runs it on a disk that starts to fail, and closes the store. `then` inspects the store while it is open.
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

    static func database(_ disk: FaultyDisk) throws -> SQLiteConnection<SQLiteFailure> {
      try SQLiteConnection(disk.path(name), for: .creating)
    }

    static func rows(of store: SensorStore) throws -> [String] { try rows(store.database) }

    /// Returns every row of every table without random values, as one text per table.
    static func rows(_ database: SQLiteConnection<some SQLiteError>) throws -> [String] {
      let schema = "SELECT coalesce(group_concat(sql, ';'), '') FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'"
      let version = try database.row("PRAGMA user_version")?.first?.integer ?? -1
      let tables = try database.row(schema)?.first?.text ?? ""
      let known = queries.withLock { $0[tables] }
      let query = try known ?? query(of: database)
      queries.withLock { $0[tables] = query }
      return ["schema \(version): \(tables)"] + (try database.row(query) ?? []).map { $0.text ?? "-" }
    }

    /// For each schema, the queries for all rows of its tables, cached because they are slow to build.
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
        // The store's id and a batch's key, which their checksums include, and what a failed disk leaves behind.
        if table == "store" && ["id", "keeps_log", ChecksummedTable.column].contains(column) { continue }
        if table == "batch" && ["key", "checksum"].contains(column) { continue }
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
