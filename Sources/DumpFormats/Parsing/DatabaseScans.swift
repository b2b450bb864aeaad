// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CGMModel
  import HostSystem
  import TextFormats

  typealias DumpDatabase = SQLiteConnection<DumpError>

  /// A table of another program's database with one scan in each row.
  struct ScanTable {
    let name: String
    /// Milliseconds since 1970, by which the rows are ordered; NULL if it is missing.
    let time: String
    /// The memory, or what is left of it, which the table must have.
    let bytes: String
    /// Other columns that the table must have.
    var required: [String] = []
    /// The columns whose values are passed to `facts`, NULL for a missing column.
    let facts: [String]
    /// An SQL condition for rows with scans; nil if all rows have one.
    var condition: String?

    struct Row {
      let bytes: [UInt8]
      let readAt: Instant?
      let facts: [SQLiteValue]
    }
  }

  /// The scans in such a table, read one at a time. One that cannot be read gives a failure in its place.
  final class DatabaseScans {
    typealias Completion = (ScanTable.Row, ScanTable) throws(DumpError) -> Dump

    private let table: ScanTable
    /// The row numbers in the order of the times. Only they are sorted, and SQLite sorts on disk if memory is short.
    private let order: SQLiteStatement<DumpError>
    private let scan: SQLiteStatement<DumpError>
    private let complete: Completion
    private var isOver = false

    init(_ table: ScanTable, in database: DumpDatabase, _ complete: @escaping Completion) throws(DumpError) {
      self.table = table
      self.complete = complete
      let columns = try Self.columns(of: table.name, in: database)
      for column in table.required + [table.bytes] where columns[column.lowercased()] == nil {
        throw .badField("\(table.name).\(column)", value: nil)
      }
      let optional = ([table.time] + table.facts).map { columns[$0.lowercased()] == nil ? "NULL" : $0 }
      order = try database.statement(
        "SELECT rowid FROM \(table.name) WHERE \(table.condition ?? "1") ORDER BY \(optional[0]), rowid")
      scan = try database.statement(
        "SELECT \(table.bytes), \(optional.joined(separator: ", ")) FROM \(table.name) WHERE rowid = ?")
    }

    /// Returns names in lower case. Throws `badField` for a table that is missing, and for a column that is computed.
    private static func columns(of table: String, in database: DumpDatabase) throws(DumpError) -> [String: Bool] {
      guard let columns = try database.columns(ofForeignTable: table) else {
        throw .badField("the table \(table)", value: nil)
      }
      if let computed = columns.filter({ !$0.value }).keys.min() {
        throw .badField("\(table).\(computed)", value: computed == "rowid" ? "hides the row number" : "computed column")
      }
      return columns
    }

    func next() -> DumpSequence.Element? {
      if isOver { return nil }
      do throws(DumpError) {
        // A row that was deleted meanwhile is skipped.
        while case .integer(let row)? = try order.next()?.first {
          if let dump = dump(row) { return dump }
        }
        isOver = true
        return nil
      } catch {
        isOver = true
        return .failure(error)
      }
    }

    private func dump(_ row: Int64) -> DumpSequence.Element? {
      do throws(DumpError) {
        guard let values = try scan.first(.integer(row)) else { return nil }
        guard case .blob(let bytes) = values[0], !bytes.isEmpty else { throw table.badField(table.bytes, values[0]) }
        let row = ScanTable.Row(bytes: bytes, readAt: try readAt(values[1]), facts: Array(values.dropFirst(2)))
        return .success(try complete(row, table))
      } catch {
        return .failure(error)
      }
    }

    /// nil for a missing time, and for one before the first sensor (some apps write 0 for an unknown time).
    private func readAt(_ value: SQLiteValue) throws(DumpError) -> Instant? {
      switch value {
      case .null: return nil
      case .integer(let milliseconds): return AppFacts.readAt(milliseconds: milliseconds)
      case .real, .text, .blob: throw table.badField(table.time, value)
      }
    }
  }

  extension ScanTable {
    /// The memory of a row with the UID of a column and the patch info, where they are not empty.
    func dump(
      of row: Row, uid: SQLiteValue, in column: String, patchInfo: SQLiteValue
    ) throws(DumpError) -> Dump {
      try DumpLength.check(row.bytes)
      var image = MemoryImage(bytes: row.bytes, readAt: row.readAt)
      if let bytes = Self.bytes(patchInfo) {
        guard let known = PatchInfo(bytes) else { throw badField("patchInfo", patchInfo) }
        image.patchInfo = known
      }
      return try dump(of: image, uid: uid, in: column)
    }

    /// The dump of an image with the UID of a column, where it is not empty.
    func dump(of image: MemoryImage, uid: SQLiteValue, in column: String) throws(DumpError) -> Dump {
      try AppFacts.dump(
        of: image, uid: Self.bytes(uid), label: image.readAt?.rfc3339,
        invalid: .badField(column, value: Self.shown(uid)))
    }

    /// The bytes of a value, or of the hex digits in it; nil for an empty value, an empty array for an invalid one.
    private static func bytes(_ value: SQLiteValue) -> [UInt8]? {
      switch value {
      case .null, .blob([]), .text(""): nil
      case .blob(let bytes): bytes
      case .text(let digits): HexText.bytes(of: digits) ?? []
      case .integer, .real: []
      }
    }

    func badField(_ column: String, _ value: SQLiteValue) -> DumpError {
      .badField("\(name).\(column)", value: Self.shown(value))
    }

    private static func shown(_ value: SQLiteValue) -> String? {
      switch value {
      case .null, .blob([]): nil
      case .integer(let number): String(number)
      case .real(let number): String(number)
      case .text(let text): SafeText.excerpt(text)
      case .blob(let bytes): HexText.string(of: bytes.prefix(SafeText.excerptLength))
      }
    }
  }

  extension DumpFile {
    func database() throws(DumpError) -> DumpDatabase {
      guard bytes.starts(with: ForeignDatabase.signature) else {
        throw .notThisFormat(lacks: "SQLite's signature at the start")
      }
      guard let path else { throw .databaseNotInFile }
      return try ForeignDatabase.open(path)
    }
  }

  extension DumpSequence {
    /// The scans in a table of a database. Throws `badField` or `database` for one without the table.
    init(
      _ table: ScanTable, in database: DumpDatabase, _ completion: @escaping DatabaseScans.Completion
    ) throws(DumpError) {
      var scans: DatabaseScans? = try DatabaseScans(table, in: database, completion)
      self.init {
        let next = scans?.next()
        // The database is closed after its last row.
        if next == nil { scans = nil }
        return next
      }
    }
  }
#endif
