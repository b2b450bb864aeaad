// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CSQLite

  /// One query, row by row.
  final class SQLiteStatement {
    private let reader: SQLiteReader
    private let statement: OpaquePointer

    /// A value as it is stored, whatever type its column declares.
    enum Value: Hashable {
      case null
      case integer(Int64)
      case real(Double)
      case text(String)
      case blob([UInt8])
    }

    init(_ sql: String, in reader: SQLiteReader) throws(DumpError) {
      var prepared: OpaquePointer?
      guard sqlite3_prepare_v2(reader.connection, sql, -1, &prepared, nil) == SQLITE_OK, let prepared else {
        throw reader.failure
      }
      self.reader = reader
      statement = prepared
    }

    deinit { sqlite3_finalize(statement) }

    /// The values of the next row; nil after the last.
    func next() throws(DumpError) -> [Value]? {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: (0..<sqlite3_column_count(statement)).map(value)
      case SQLITE_DONE: nil
      default: throw reader.failure
      }
    }

    /// The values of the first row with this argument, of a query that has one.
    func first(_ argument: Int64) throws(DumpError) -> [Value]? {
      sqlite3_bind_int64(statement, 1, argument)
      defer { sqlite3_reset(statement) }
      return try next()
    }

    private func value(_ column: Int32) -> Value {
      switch sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
      case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
      case SQLITE_TEXT: .text(String(decoding: bytes(column), as: UTF8.self))
      case SQLITE_BLOB: .blob(bytes(column))
      default: .null
      }
    }

    private func bytes(_ column: Int32) -> [UInt8] {
      // First the value, in the form that is then counted.
      let start = sqlite3_column_blob(statement, column)
      return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
  }
#endif
