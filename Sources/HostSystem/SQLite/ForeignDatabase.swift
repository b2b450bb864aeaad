// SPDX-License-Identifier: Apache-2.0

import TextFormats

/// A database of another program, opened for reading: neither its file nor the directory of the file is changed.
///
/// | next to the file | how it is opened |
/// |---|---|
/// | nothing | as an immutable file, without locks |
/// | `-wal`, with the newest changes | without locks, with its index in memory instead of in a new `-shm` file |
/// | `-journal`,  of an interrupted change or of none | as usual: SQLite refuses it if there is a change to undo |
///
/// (verified with SQLite 3.40: opened in the usual way, even for reading only, a database in WAL mode leaves `-shm` and
/// `-wal` behind.)
package enum ForeignDatabase {
  /// The first bytes of an SQLite database (sqlite.org, "Database File Format").
  package static let signature = Array("SQLite format 3\0".utf8)

  static let headerSize = 100

  // Largest value loaded, in bytes: values of scans have less than 2000.
  private static let longestValue: Int32 = 1 << 20

  package static func open<Failure: SQLiteError>(_ path: String) throws(Failure) -> SQLiteConnection<Failure> {
    let connection: SQLiteConnection<Failure> = try opened(path, "immutable=1")
    let companions = connection.companions
    if companions.log { return try opened(path, "mode=ro&vfs=unix-none") }
    if companions.journal { return try opened(path, "mode=ro") }
    return connection
  }

  private static func opened<Failure: SQLiteError>(
    _ path: String, _ parameters: String
  ) throws(Failure) -> SQLiteConnection<Failure> {
    try restricted(SQLiteConnection(path, for: .reading, parameters: parameters))
  }

  /// Opens a copy of the bytes of a database.
  package static func open<Failure: SQLiteError>(
    copying bytes: ArraySlice<UInt8>
  ) throws(Failure) -> SQLiteConnection<Failure> {
    try restricted(SQLiteConnection(copying: bytes))
  }

  private static func restricted<Failure: SQLiteError>(
    _ connection: SQLiteConnection<Failure>
  ) throws(Failure) -> SQLiteConnection<Failure> {
    try connection.distrust()
    // In exclusive mode the index of a log is in memory; nothing may be read before this is set.
    try connection.execute("PRAGMA cell_size_check = ON; PRAGMA locking_mode = EXCLUSIVE")
    try connection.readSchema(longestValue: longestValue)
    // A small cache is enough for rows that are read once.
    try connection.execute("PRAGMA cache_size = -256; PRAGMA mmap_size = 0")
    return connection
  }

  /// Returns the places of the databases among other bytes, as in a disk image or an archive that is not packed. One that is
  /// cut off is left out, and so is one of an SQLite before 3.7, whose header may not say how long it is.
  package static func places(in bytes: [UInt8]) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var position = 0
    while let start = bytes.place(of: "SQLite format 3\0", from: position), start + headerSize <= bytes.count {
      func number(_ offset: Int, _ count: Int) -> Int {
        bytes[start + offset..<start + offset + count].reduce(0) { $0 << 8 | Int($1) }
      }
      // sqlite.org/fileformat2.html, 1.3: 1 stands for a page of 65,536 bytes; three bytes never change; the number of pages is
      // valid if the last change is the one for which it was written.
      let pageSize = number(16, 2) == 1 ? 65_536 : number(16, 2)
      let end = start + number(28, 4) * pageSize
      let isWhole =
        number(21, 3) == 0x402020 && number(24, 4) == number(92, 4) && (start + headerSize...bytes.count).contains(end)
      if isWhole { places.append(start..<end) }
      // The bytes of a database are looked at once, so that a file full of such headers takes no longer than others.
      position = isWhole ? end : start + 1
    }
    return places
  }
}

extension SQLiteConnection {
  /// Returns the names of a table's columns in lower case, with true for those that can be trusted: a computed column
  /// could take any time, and one named `rowid` would hide the row's number. nil without such a table: a view or a
  /// virtual table may compute anything.
  package func columns(ofForeignTable name: String) throws(Failure) -> [String: Bool]? {
    let find = "SELECT 1 FROM sqlite_master WHERE name = ? COLLATE NOCASE AND type = 'table' AND rootpage > 0"
    guard try row(find, .text(name)) != nil else { return nil }
    let columns = try statement("SELECT name, hidden FROM pragma_table_xinfo(?)").all(.text(name)) { column in
      column.textOrNil(0).map { ($0.lowercased(), column.value(1) == .integer(0) && $0.lowercased() != "rowid") }
    }
    return Dictionary(columns, uniquingKeysWith: { $1 })
  }
}
