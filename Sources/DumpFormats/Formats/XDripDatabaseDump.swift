// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CGMModel
  import Libre1Core
  import SQLiteAccess
  import TextFormats

  /// A database that xDrip+ exported: months of scans, each with its time, in the order of their times.
  ///
  /// | table `LibreBlock` | |
  /// |---|---|
  /// | `timestamp` | milliseconds since 1970, when the phone got the bytes |
  /// | `blockbytes` | the bytes |
  /// | `bytestart`, `byteend` | 0 and 344 for a whole memory; other rows (44 for a Bluetooth packet) are passed over |
  /// | `patchUid`, `patchInfo` | may be empty; old databases have no such columns |
  ///
  /// (read: xDrip `LibreBlock.java`, `46d1118` and, with all columns, `4080a26`.) One scan is in memory at a time; one
  /// that cannot be read is a failure in its place.
  public struct XDripDatabaseDump: DumpFormat {
    public init() {}

    public let name = "xdrip"
    public let summary = "xDrip+ database export (SQLite), with the UID and the time of each scan"

    public func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
      guard file.bytes.starts(with: DatabaseFile.mark) else {
        throw .notThisFormat(lacks: "SQLite's mark at the start")
      }
      guard let path = file.path else { throw .databaseNotInFile }
      var scans: Scans? = try Scans(SQLiteReader.open(path))
      return DumpSequence {
        let next = scans?.next()
        // Whatever it still holds open is closed.
        if next == nil { scans = nil }
        return next
      }
    }
  }

  /// The rows with whole memories in them.
  private final class Scans {
    /// The row numbers, in the order of the times: only they are sorted, and what does not fit in memory goes to disk.
    private let order: SQLiteStatement
    private let scan: SQLiteStatement
    private var isOver = false

    init(_ database: SQLiteConnection) throws(DumpError) {
      // A view or a virtual table is on no page.
      let table = try DumpError.from { () throws(SQLiteFailure) in
        try database.row(
          "SELECT 1 FROM sqlite_master WHERE name = 'LibreBlock' COLLATE NOCASE AND type = 'table' AND rootpage > 0")
      }
      guard table != nil else { throw .badField("the table LibreBlock", value: nil) }
      let columns = try Self.columns(database)
      for column in ["timestamp", "blockbytes", "bytestart", "byteend"] where !columns.contains(column) {
        throw .badField("LibreBlock.\(column)", value: nil)
      }
      // The signs keep SQLite from the indices of these two, which most rows have in common: it would have to sort.
      let inOrder = """
        SELECT rowid FROM LibreBlock WHERE +bytestart = 0 AND +byteend = \(MemoryMap.byteCount)
        ORDER BY timestamp, rowid
        """
      let facts = ["patchuid", "patchinfo"].map { columns.contains($0) ? $0 : "NULL" }.joined(separator: ", ")
      (order, scan) = try DumpError.from { () throws(SQLiteFailure) in
        (
          try database.statement(inOrder),
          try database.statement("SELECT timestamp, blockbytes, \(facts) FROM LibreBlock WHERE rowid = ?")
        )
      }
    }

    func next() -> DumpSequence.Element? {
      if isOver { return nil }
      do throws(DumpError) {
        // A row that somebody took away in between is passed over.
        while case .integer(let row)? = try DumpError.from({ () throws(SQLiteFailure) in try order.next() })?.first {
          if let dump = dump(row) { return dump }
        }
        isOver = true
        return nil
      } catch {
        isOver = true
        return .failure(error)
      }
    }

    /// The names of the columns, in lower case. Throws `badField` for one that is computed, which could take any time.
    private static func columns(_ database: SQLiteConnection) throws(DumpError) -> Set<String> {
      let columns = try DumpError.from { () throws(SQLiteFailure) in
        let statement = try database.statement("SELECT name, hidden FROM pragma_table_xinfo('LibreBlock')")
        var columns: [[SQLiteValue]] = []
        while let column = try statement.next() { columns.append(column) }
        return columns
      }
      var names: Set<String> = []
      for column in columns {
        guard case .text(let name) = column[0] else { continue }
        guard column[1] == .integer(0) else { throw .badField("LibreBlock.\(name)", value: "computed") }
        // It would stand for the row's number, and finding a row by it would mean going through all of them.
        guard name.lowercased() != "rowid" else { throw .badField("LibreBlock.\(name)", value: "of the table's own") }
        names.insert(name.lowercased())
      }
      return names
    }

    private func dump(_ row: Int64) -> DumpSequence.Element? {
      do throws(DumpError) {
        let found = try DumpError.from { () throws(SQLiteFailure) in try scan.first(.integer(row)) }
        guard let values = found else { return nil }
        guard case .blob(let bytes) = values[1], !bytes.isEmpty else { throw Self.badField("blockbytes", values[1]) }
        try DumpLength.check(bytes)
        var image = MemoryImage(bytes: bytes)
        image.readAt = try Self.instant(values[0])
        if let bytes = Self.bytes(values[3]) {
          guard let patchInfo = PatchInfo(bytes) else { throw Self.badField("patchInfo", values[3]) }
          image.patchInfo = patchInfo
        }
        do {
          return .success(
            try AppFacts.dump(of: image, uid: Self.bytes(values[2]), label: image.readAt?.rfc3339))
        } catch {
          throw Self.badField("patchUid", values[2])
        }
      } catch {
        return .failure(error)
      }
    }

    /// nil for no time, and for one that no sensor can have been read at (0, which xDrip writes for none, among them).
    private static func instant(_ value: SQLiteValue) throws(DumpError) -> Instant? {
      switch value {
      case .null: return nil
      case .integer(let milliseconds): return AppFacts.readAt(milliseconds: milliseconds)
      case .real, .text, .blob: throw badField("timestamp", value)
      }
    }

    /// The bytes of a value, or of the hex digits in it; nil for an empty one. No bytes for what is neither.
    private static func bytes(_ value: SQLiteValue) -> [UInt8]? {
      switch value {
      case .null, .blob([]), .text(""): nil
      case .blob(let bytes): bytes
      case .text(let digits): HexText.bytes(of: digits) ?? []
      case .integer, .real: []
      }
    }

    private static func badField(_ column: String, _ value: SQLiteValue) -> DumpError {
      let text: String? =
        switch value {
        case .null, .blob([]): nil
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): SafeText.excerpt(text)
        case .blob(let bytes): HexText.string(of: bytes.prefix(SafeText.excerptLength))
        }
      return .badField("LibreBlock.\(column)", value: text)
    }
  }
#endif
