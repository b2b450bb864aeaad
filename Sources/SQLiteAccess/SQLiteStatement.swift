// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CSQLite

  /// One statement, prepared once and run as often as is wanted. It is reset when its last row has been taken.
  package final class SQLiteStatement {
    private let connection: SQLiteConnection
    private let statement: OpaquePointer

    init(_ sql: String, in connection: SQLiteConnection) throws(SQLiteFailure) {
      var prepared: OpaquePointer?
      guard
        sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil) == SQLITE_OK,
        let prepared
      else { throw connection.failure }
      self.connection = connection
      statement = prepared
    }

    deinit { sqlite3_finalize(statement) }

    // MARK: Running

    /// Takes the next row; false after the last, and the statement can be run again then.
    package func step() throws(SQLiteFailure) -> Bool {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: return true
      case SQLITE_DONE:
        sqlite3_reset(statement)
        return false
      default:
        let failure = connection.failure
        sqlite3_reset(statement)
        throw failure
      }
    }

    /// Gives up the rows that are left.
    package func reset() { sqlite3_reset(statement) }

    /// Runs a statement that gives no rows, with these values.
    package func run(_ values: SQLiteValue...) throws(SQLiteFailure) {
      bind(values)
      while try step() {}
    }

    /// The values of the next row; nil after the last.
    package func next() throws(SQLiteFailure) -> [SQLiteValue]? {
      guard try step() else { return nil }
      return (0..<sqlite3_column_count(statement)).map(value)
    }

    /// The first row with these values; the others are given up.
    package func first(_ values: SQLiteValue...) throws(SQLiteFailure) -> [SQLiteValue]? {
      bind(values)
      defer { reset() }
      return try next()
    }

    // MARK: Values in, from 1

    package func bind(_ values: [SQLiteValue]) {
      for (index, value) in values.enumerated() { bind(value, at: Int32(index + 1)) }
    }

    package func bind(_ value: SQLiteValue, at index: Int32) {
      switch value {
      case .null: sqlite3_bind_null(statement, index)
      case .integer(let number): sqlite3_bind_int64(statement, index, number)
      case .real(let number): sqlite3_bind_double(statement, index, number)
      case .text(let text): sqlite3_bind_text(statement, index, text, -1, Self.copied)
      // An empty array has no address, and no address would be NULL.
      case .blob(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(statement, index, 0)
      case .blob(let bytes): sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), Self.copied)
      }
    }

    package func bind(_ value: Int, at index: Int32) { sqlite3_bind_int64(statement, index, Int64(value)) }

    package func bind(_ value: Double?, at index: Int32) {
      if let value { sqlite3_bind_double(statement, index, value) } else { sqlite3_bind_null(statement, index) }
    }

    /// SQLITE_TRANSIENT: SQLite makes its own copy.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    // MARK: Values out, from 0

    package func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    package func integerOrNil(_ column: Int32) -> Int? { isNull(column) ? nil : integer(column) }

    package func realOrNil(_ column: Int32) -> Double? {
      isNull(column) ? nil : sqlite3_column_double(statement, column)
    }

    package func textOrNil(_ column: Int32) -> String? { value(column).text }

    package func blobOrNil(_ column: Int32) -> [UInt8]? { value(column).blob }

    package func value(_ column: Int32) -> SQLiteValue {
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
#else
  /// A build without the trait: nobody can have one.
  package final class SQLiteStatement {
    private init() {}

    package func step() throws(SQLiteFailure) -> Bool { false }
    package func reset() {}
    package func run(_ values: SQLiteValue...) throws(SQLiteFailure) {}
    package func next() throws(SQLiteFailure) -> [SQLiteValue]? { nil }
    package func first(_ values: SQLiteValue...) throws(SQLiteFailure) -> [SQLiteValue]? { nil }
    package func bind(_ values: [SQLiteValue]) {}
    package func bind(_ value: SQLiteValue, at index: Int32) {}
    package func bind(_ value: Int, at index: Int32) {}
    package func bind(_ value: Double?, at index: Int32) {}
    package func integer(_ column: Int32) -> Int { 0 }
    package func isNull(_ column: Int32) -> Bool { false }
    package func integerOrNil(_ column: Int32) -> Int? { nil }
    package func realOrNil(_ column: Int32) -> Double? { nil }
    package func textOrNil(_ column: Int32) -> String? { nil }
    package func blobOrNil(_ column: Int32) -> [UInt8]? { nil }
    package func value(_ column: Int32) -> SQLiteValue { .null }
  }
#endif
