// SPDX-License-Identifier: Apache-2.0
package import CGMModel

#if SQLite
  import CSQLite

  /// One prepared statement, which can be run many times. It is reset after its last row.
  package final class SQLiteStatement<Failure: SQLiteError> {
    private let connection: SQLiteConnection<Failure>
    private let statement: OpaquePointer
    /// The failure of a bind, kept until the statement is run. It is SQLite's failure, because a field of the type
    /// `Failure` would make every step slower (measured: a million inserts took 1.3 times as long).
    private var bindingFailure: SQLiteFailure?
    /// Steps of SQLite's virtual machine that this run has taken.
    private var steps = 0

    init(_ sql: String, in connection: SQLiteConnection<Failure>) throws(Failure) {
      var prepared: OpaquePointer?
      guard
        sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil) == SQLITE_OK,
        let prepared
      else { throw connection.error(connection.failure) }
      self.connection = connection
      statement = prepared
    }

    deinit { sqlite3_finalize(statement) }

    // MARK: Running

    /// Takes the next row. Returns false after the last, and the statement can then be run again.
    /// - Throws: also the failure of a bind, such as a value that is too long for the database; then nothing is run.
    package func step() throws(Failure) -> Bool {
      if let bindingFailure {
        reset()
        throw connection.error(bindingFailure)
      }
      steps += Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1))
      guard connection.mayGoOn(after: steps) else {
        reset()
        throw connection.endlessFailure
      }
      switch sqlite3_step(statement) {
      case SQLITE_ROW: return true
      case SQLITE_DONE:
        reset()
        return false
      default:
        let failure = connection.failure
        reset()
        throw connection.error(failure)
      }
    }

    /// Ends the run without taking the remaining rows.
    package func reset() {
      sqlite3_reset(statement)
      _ = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1)
      steps = 0
      bindingFailure = nil
    }

    package var values: [SQLiteValue] { (0..<sqlite3_column_count(statement)).map(value) }

    // MARK: Values in, from 1

    package func bind(_ value: SQLiteValue, at index: Int32) {
      switch value {
      case .null: note(sqlite3_bind_null(statement, index))
      case .integer(let number): note(sqlite3_bind_int64(statement, index, number))
      case .real(let number): note(sqlite3_bind_double(statement, index, number))
      case .text(""): note(sqlite3_bind_text(statement, index, "", 0, Self.copied))
      case .text(var text):
        // With its length, because NUL is an ordinary character here and does not end the text.
        text.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) { characters in
            let count = UInt64(characters.count)
            note(
              sqlite3_bind_text64(
                statement, index, characters.baseAddress, count, Self.copied, UInt8(SQLITE_UTF8)))
          }
        }
      // An empty array has no address, and SQLite would store NULL without one.
      case .blob(let bytes) where bytes.isEmpty: note(sqlite3_bind_zeroblob(statement, index, 0))
      case .blob(let bytes): note(sqlite3_bind_blob64(statement, index, bytes, UInt64(bytes.count), Self.copied))
      }
    }

    package func bind(_ value: Int, at index: Int32) { note(sqlite3_bind_int64(statement, index, Int64(value))) }

    package func bind(_ value: Double?, at index: Int32) {
      note(value.map { sqlite3_bind_double(statement, index, $0) } ?? sqlite3_bind_null(statement, index))
    }

    /// Keeps the first failure for the next step, which would otherwise run with NULL or with the value of the run
    /// before. A generated statement may not use its last numbered values: these cannot be bound, and are ignored.
    private func note(_ status: Int32) {
      if status != SQLITE_OK, status != SQLITE_RANGE, bindingFailure == nil { bindingFailure = connection.failure }
    }

    /// SQLITE_TRANSIENT, for which SQLite makes its own copy.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    // MARK: Values out, from 0

    package func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    package func realOrNil(_ column: Int32) -> Double? {
      isNull(column) ? nil : sqlite3_column_double(statement, column)
    }

    package func value(_ column: Int32) -> SQLiteValue {
      switch sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
      case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
      case SQLITE_TEXT:
        .text(String(decoding: bytes(column, from: sqlite3_column_text(statement, column)), as: UTF8.self))
      case SQLITE_BLOB: .blob(Array(bytes(column, from: sqlite3_column_blob(statement, column))))
      default: .null
      }
    }

    /// The bytes of a blob, or of a text in UTF-8, also of one that is not valid; nil for any other value.
    package func bytes(_ column: Int32) -> [UInt8]? {
      switch sqlite3_column_type(statement, column) {
      case SQLITE_TEXT: Array(bytes(column, from: sqlite3_column_text(statement, column)))
      case SQLITE_BLOB: Array(bytes(column, from: sqlite3_column_blob(statement, column)))
      default: nil
      }
    }

    /// The value first, as UTF-8 in any encoding of the database; then its length in UTF-8.
    private func bytes(_ column: Int32, from start: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    }
  }
#else
  /// A build without the trait: it cannot be created.
  package final class SQLiteStatement<Failure: SQLiteError> {
    private init() {}

    package var values: [SQLiteValue] { [] }
    package func step() throws(Failure) -> Bool { false }
    package func reset() {}
    package func bind(_ value: SQLiteValue, at index: Int32) {}
    package func bind(_ value: Int, at index: Int32) {}
    package func bind(_ value: Double?, at index: Int32) {}
    package func integer(_ column: Int32) -> Int { 0 }
    package func isNull(_ column: Int32) -> Bool { false }
    package func realOrNil(_ column: Int32) -> Double? { nil }
    package func value(_ column: Int32) -> SQLiteValue { .null }
    package func bytes(_ column: Int32) -> [UInt8]? { nil }
  }
#endif

extension SQLiteStatement {
  package func next() throws(Failure) -> [SQLiteValue]? { try step() ? values : nil }

  package func first(_ values: SQLiteValue...) throws(Failure) -> [SQLiteValue]? { try first(values) }

  package func first(_ values: [SQLiteValue]) throws(Failure) -> [SQLiteValue]? {
    bind(values)
    defer { reset() }
    return try next()
  }

  package func bind(_ values: [SQLiteValue]) {
    for (index, value) in values.enumerated() { bind(value, at: Int32(index + 1)) }
  }

  package func integerOrNil(_ column: Int32) -> Int? { isNull(column) ? nil : integer(column) }
  package func textOrNil(_ column: Int32) -> String? { value(column).text }
  package func blobOrNil(_ column: Int32) -> [UInt8]? { value(column).blob }

  /// The instant; nil also for an impossible one, as in a damaged file.
  package func instantOrNil(_ column: Int32) -> Instant? { value(column).instant }

  package func run(_ values: SQLiteValue...) throws(Failure) { try run(values) }

  package func run(_ values: [SQLiteValue]) throws(Failure) {
    bind(values)
    while try step() {}
  }

  /// Returns the results of `row` for each row with these values, without those that are nil.
  package func all<Value>(
    _ values: SQLiteValue..., row: (SQLiteStatement) throws(Failure) -> Value?
  ) throws(Failure) -> [Value] {
    bind(values)
    var found: [Value] = []
    while try step() { if let value = try row(self) { found.append(value) } }
    return found
  }
}

/// A value as it is stored, whatever type its column declares.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  package static func integer(_ value: Int) -> SQLiteValue { .integer(Int64(value)) }
  package static func integer(_ value: Int?) -> SQLiteValue { value.map { .integer(Int64($0)) } ?? .null }
  package static func instant(_ value: Instant?) -> SQLiteValue { .integer(value.map { Int($0.secondsSince1970) }) }
  package static func real(orNull value: Double?) -> SQLiteValue { value.map(SQLiteValue.real) ?? .null }
  package static func text(orNull value: String?) -> SQLiteValue { value.map(SQLiteValue.text) ?? .null }
  package static func blob(orNull value: [UInt8]?) -> SQLiteValue { value.map(SQLiteValue.blob) ?? .null }

  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  package var instant: Instant? {
    integer.map { Instant(secondsSince1970: $0) }.flatMap { Instant.writable.contains($0) ? $0 : nil }
  }
  package var text: String? { if case .text(let value) = self { value } else { nil } }
  package var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
  package var real: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(value)
    case .null, .text, .blob: nil
    }
  }
}
