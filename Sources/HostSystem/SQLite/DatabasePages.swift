// SPDX-License-Identifier: Apache-2.0
import CGMModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The rows of a database file, found page by page: a lost page costs the rows on it and no others, even if it is the root
/// of a table. Which table a row belongs to has to be found out from its values.
///
/// The layout is that of sqlite.org/fileformat2.html: sections 1.3 (header), 1.6 (pages of b-trees) and 2.1 (records). A
/// page of a b-tree is taken only if all of its cells are within it.
package final class DatabasePages {
  /// A row of a table with a rowid, or an entry of an index or of a table without one.
  package struct Record: Hashable, Sendable {
    /// nil for an entry of an index, and for a row of a table without rowids.
    package let rowID: Int64?
    /// Values as they are stored: a column that is the rowid is NULL here, and those of a table without rowids begin with its key.
    package let values: [SQLiteValue]

    /// False for an entry that cannot stand before another one in an index; only numbers and blobs are compared.
    fileprivate func precedes(_ other: Record) -> Bool {
      for (left, right) in zip(values, other.values) where left != right {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return left < right
        case (.blob(let left), .blob(let right)): return left.lexicographicallyPrecedes(right)
        default: return true
        }
      }
      return false
    }
  }

  private let descriptor: Int32
  private let pageSize: Int
  private let usableSize: Int
  package let pageCount: Int

  package init(_ path: String) throws(InputError) {
    descriptor = open(path.fileName, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileSystem.reason(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileSystem.reason(errno) }
    var header = [UInt8](repeating: 0, count: 100)
    _ = pread(descriptor, &header, header.count, 0)
    let size = Int(BigEndian.number(of: header[16..<18]))
    // A lost header is replaced by what SQLite uses for a new file.
    let isKnown = header.starts(with: "SQLite format 3\0".utf8) && (size == 1 || size >= 512 && size & (size - 1) == 0)
    pageSize = isKnown ? (size == 1 ? 65_536 : size) : 4_096
    usableSize = pageSize - (isKnown ? Int(header[20]) : 0)
    pageCount = (Int(status.st_size) + pageSize - 1) / pageSize
  }

  deinit { close(descriptor) }

  /// Calls `body` with the records of each page that can be read and has some. They are all of one table or index.
  package func forEachPage<Failure: Error>(_ body: ([Record]) throws(Failure) -> Void) throws(Failure) {
    for number in stride(from: 1, through: pageCount, by: 1) {
      guard let page = page(number) else { continue }
      let records = records(of: page, at: number == 1 ? 100 : 0)
      if !records.isEmpty { try body(records) }
    }
  }

  /// nil for a page that the disk does not give.
  private func page(_ number: Int) -> [UInt8]? {
    var page = [UInt8](repeating: 0, count: pageSize)
    let count = pread(descriptor, &page, pageSize, off_t(number - 1) * off_t(pageSize))
    return count == pageSize ? page : nil
  }

  // MARK: Pages

  private func records(of page: [UInt8], at start: Int) -> [Record] {
    let isTable: Bool
    let headerSize: Int
    switch page[start] {
    case 0x0D: (isTable, headerSize) = (true, 8)
    case 0x0A: (isTable, headerSize) = (false, 8)
    // Inner pages of an index hold entries, too; those of a table only numbers of rows.
    case 0x02: (isTable, headerSize) = (false, 12)
    default: return []
    }
    let count = Int(BigEndian.number(of: page[start + 3..<start + 5]))
    let pointers = start + headerSize
    guard count > 0, pointers + 2 * count <= usableSize else { return [] }
    var records: [Record] = []
    for index in 0..<count {
      let place = pointers + 2 * index
      let cell = Int(BigEndian.number(of: page[place..<place + 2]))
      guard cell >= pointers + 2 * count, cell < usableSize else { return [] }
      var reader = ByteCursor(page[..<usableSize], at: cell + (headerSize == 12 ? 4 : 0))
      guard let length = reader.number(), length >= 0, length <= pageCount * pageSize else { return [] }
      let rowID = isTable ? reader.number() : nil
      if isTable, rowID == nil { return [] }
      guard let payload = payload(&reader, Int(length), isTable: isTable) else { continue }
      if let values = Self.values(of: payload) { records.append(Record(rowID: rowID, values: values)) }
    }
    return records
  }

  /// The bytes of a record: those on the page, and the rest on pages of its own.
  private func payload(_ reader: inout ByteCursor, _ length: Int, isTable: Bool) -> [UInt8]? {
    let longest = isTable ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
    if length <= longest { return reader.bytes(length) }
    let least = (usableSize - 12) * 32 / 255 - 23
    let wanted = least + (length - least) % (usableSize - 4)
    guard var payload = reader.bytes(wanted <= longest ? wanted : least), let first = reader.bytes(4) else {
      return nil
    }
    var next = Int(BigEndian.number(of: first[...]))
    while payload.count < length {
      // Pages that refer to each other end with the length.
      guard next > 1, next <= pageCount, let page = page(next) else { return nil }
      payload += page[4..<min(usableSize, 4 + length - payload.count)]
      next = Int(BigEndian.number(of: page[..<4]))
    }
    return payload
  }

  // MARK: Records

  private static func values(of payload: [UInt8]) -> [SQLiteValue]? {
    var types = ByteCursor(payload[...], at: 0)
    guard let length = types.number(), length >= 1, length <= payload.count else { return nil }
    var content = ByteCursor(payload[...], at: Int(length))
    var values: [SQLiteValue] = []
    while types.place < Int(length) {
      guard let type = types.number(), let value = value(of: type, &content) else { return nil }
      values.append(value)
    }
    return types.place == Int(length) && content.place == payload.count ? values : nil
  }

  private static func value(of type: Int64, _ content: inout ByteCursor) -> SQLiteValue? {
    switch type {
    case 0: return .null
    case 1...6:
      let length = [1, 2, 3, 4, 6, 8][Int(type) - 1]
      guard let bytes = content.bytes(length) else { return nil }
      let shift = 64 - 8 * length
      return .integer(Int64(bitPattern: BigEndian.number(of: bytes[...]) << shift) >> shift)
    case 7: return content.bytes(8).map { .real(Double(bitPattern: BigEndian.number(of: $0[...]))) }
    case 8, 9: return .integer(type - 8)
    case 12...:
      guard type <= 1 << 31, let bytes = content.bytes(Int(type - 12) / 2) else { return nil }
      return type % 2 == 0 ? .blob(bytes) : String(validating: bytes, as: UTF8.self).map(SQLiteValue.text)
    default: return nil
    }
  }
}

/// Reads bytes one after the other, never beyond the end.
private struct ByteCursor {
  private let bytes: ArraySlice<UInt8>
  private(set) var place: Int

  init(_ bytes: ArraySlice<UInt8>, at place: Int) { (self.bytes, self.place) = (bytes, place) }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard place <= bytes.endIndex, count <= bytes.endIndex - place else { return nil }
    defer { place += count }
    return Array(bytes[place..<place + count])
  }

  /// The next number of variable length: seven bits of each byte, and all eight of the ninth.
  mutating func number() -> Int64? {
    var bits: UInt64 = 0
    for index in 0..<9 {
      guard place < bytes.endIndex else { return nil }
      let byte = UInt64(bytes[place])
      place += 1
      if index == 8 { return Int64(bitPattern: bits << 8 | byte) }
      bits = bits << 7 | byte & 0x7F
      if byte < 0x80 { return Int64(bitPattern: bits) }
    }
    return nil
  }
}

/// The file of a damaged database, which nothing else opens as long as this exists.
package final class DamagedDatabase {
  package let pages: DatabasePages
  private let lock: DatabaseLock

  /// - Throws: `isOpen` if another program has it open, and `cannotOpen`.
  package init(_ path: String) throws(SQLiteFailure) {
    // The latest changes are in the log. A file that SQLite cannot open has none that could be moved.
    _ = try? SQLiteConnection<SQLiteFailure>(path, for: .writing).row("PRAGMA wal_checkpoint(TRUNCATE)")
    lock = try DatabaseLock(path)
    do throws(InputError) {
      pages = try DatabasePages(path)
    } catch {
      throw SQLiteFailure(.cannotOpen, error.message)
    }
  }
}

extension ChecksummedTable {
  /// Returns the row of this table that a record is: its values in the order of `columns`. nil for a record of another
  /// table, and for a row that was damaged: its checksum does not hold.
  package func row(of record: DatabasePages.Record, isWithoutRowID: Bool) -> [SQLiteValue]? {
    guard record.values.count == columns.count + 1, (record.rowID == nil) == isWithoutRowID else { return nil }
    let order = isWithoutRowID ? key + (columns + [Self.column]).filter { !key.contains($0) } : columns + [Self.column]
    var values = Dictionary(zip(order, record.values)) { first, _ in first }
    // A column that is the rowid.
    if let rowID = record.rowID, key.count == 1, values[key[0]] == .null { values[key[0]] = .integer(rowID) }
    guard case .integer(let stored)? = values[Self.column] else { return nil }
    let row = columns.compactMap { values[$0] }
    guard Self.checksum(of: row) == stored else { return nil }
    // SQLite itself would take a number for a text.
    for (value, type) in zip(row, types) where !value.isStored(as: type.name, isRequired: type.isRequired) {
      return nil
    }
    return row
  }

  static func checksum(of row: [SQLiteValue]) -> Int64 {
    var checksum = RowChecksum()
    for value in row { checksum.add(value) }
    return checksum.value
  }
}

extension SQLiteValue {
  /// True for a value that a column of a STRICT table with this type holds. A whole REAL is stored as an integer.
  fileprivate func isStored(as type: String, isRequired: Bool) -> Bool {
    switch self {
    case .null: !isRequired
    case .integer: type == "INTEGER" || type == "REAL"
    case .real: type == "REAL"
    case .text: type == "TEXT"
    case .blob: type == "BLOB"
    }
  }
}

extension RowChecksum {
  fileprivate mutating func add(_ value: SQLiteValue) {
    switch value {
    case .null: addNull()
    case .integer(let number): add(number)
    case .real(let number): add(number)
    case .text(let text): Array(text.utf8).withUnsafeBytes { add(3, $0) }
    case .blob(let bytes): bytes.withUnsafeBytes { add(4, $0) }
    }
  }
}

extension SQLiteConnection {
  /// Inserts each row of a damaged file whose checksum holds into the table of this database that it belongs to, but none
  /// whose key is there. `other` gets the records of other pages, which have no checksum, if they ascend as those of an
  /// index do. References are not looked at: foreign keys have to be off.
  ///
  /// A page belongs to the table whose schema takes all of its rows: a checksum does not tell tables with as many columns
  /// from each other, but their types and conditions do.
  package func insert(
    rowsOf pages: DatabasePages, other: (DatabasePages.Record) throws(Failure) -> Void
  ) throws(Failure) {
    var tables: [(table: ChecksummedTable, isWithoutRowID: Bool, insert: SQLiteStatement<Failure>)] = []
    for table in try ChecksummedTable.all(in: self) {
      let columns = table.columns + [ChecksummedTable.column]
      let isWithoutRowID = try row("SELECT wr FROM pragma_table_list(?)", .text(table.name))?.first?.integer == 1
      let marks = columns.map { _ in "?" }.joined(separator: ", ")
      let insert = try statement(
        "INSERT INTO \(table.name) (\(columns.joined(separator: ", "))) VALUES (\(marks)) ON CONFLICT DO NOTHING")
      tables.append((table, isWithoutRowID, insert))
    }
    try pages.forEachPage { records throws(Failure) in
      for (table, isWithoutRowID, insert) in tables {
        let rows = records.map { table.row(of: $0, isWithoutRowID: isWithoutRowID) }
        let sound = rows.compactMap(\.self)
        if sound.isEmpty { continue }
        try execute("SAVEPOINT page")
        do throws(Failure) {
          for row in sound {
            // The checksum is that of the row, so the trigger that computes it has nothing to do.
            insert.bind(row + [.integer(ChecksummedTable.checksum(of: row))])
            defer { insert.reset() }
            _ = try insert.step()
          }
          return try execute("RELEASE page")
        } catch {
          // Rows of another table.
          try execute("ROLLBACK TO page; RELEASE page")
        }
      }
      guard zip(records, records.dropFirst()).allSatisfy({ $0.precedes($1) }) else { return }
      for record in records { try other(record) }
    }
  }

  /// Removes rows that refer to missing rows, or the reference where that is what the schema says of a removed row.
  package func removeOrphans() throws(Failure) {
    let rows = try statement(
      """
      SELECT main.name, key.id, key."table", key."from", key."to", key.on_delete FROM sqlite_master AS main
      JOIN pragma_foreign_key_list(main.name) AS key WHERE main.type = 'table' ORDER BY main.name, key.id, key.seq
      """
    ).all { row in row.values }
    let references = Dictionary(grouping: rows) { [$0[0], $0[1]] }.values
    var isChanged = true
    while isChanged {
      isChanged = false
      for reference in references {
        let (table, parent) = (reference[0][0].text ?? "", reference[0][2].text ?? "")
        let columns = reference.map { (from: $0[3].text ?? "", to: $0[4].text ?? "") }
        let refers = columns.map { "\(table).\($0.from) IS NOT NULL" }.joined(separator: " AND ")
        let found = columns.map { "parent.\($0.to) = \(table).\($0.from)" }.joined(separator: " AND ")
        let isOrphan = "\(refers) AND NOT EXISTS (SELECT 1 FROM \(parent) AS parent WHERE \(found))"
        let unset = columns.map { "\($0.from) = NULL" }.joined(separator: ", ")
        try execute(
          reference[0][5] == .text("SET NULL")
            ? "UPDATE \(table) SET \(unset) WHERE \(isOrphan)" : "DELETE FROM \(table) WHERE \(isOrphan)")
        if changes > 0 { isChanged = true }
      }
    }
  }
}
