// SPDX-License-Identifier: Apache-2.0

/// The checksum of a row: FNV-1a of its values, folded to 32 bits. Each step of FNV-1a is a bijection of its state, so
/// two rows that differ in one byte always have other 64 bits. It does not protect against somebody who changes it as
/// well.
struct RowChecksum {
  /// Name of the function in SQL.
  static let function = "row_checksum"

  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  private mutating func add(byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

  private mutating func add(_ kind: UInt8, _ bits: UInt64) {
    add(byte: kind)
    for shift in stride(from: UInt64(0), to: 64, by: 8) { add(byte: UInt8(truncatingIfNeeded: bits >> shift)) }
  }

  /// A whole number has the same checksum as an integer and as a real number, because SQLite stores one as the other.
  mutating func add(_ number: Double) {
    if let whole = Int64(exactly: number) { add(whole) } else { add(2, number.bitPattern) }
  }

  mutating func add(_ number: Int64) { add(1, UInt64(bitPattern: number)) }

  mutating func add(_ kind: UInt8, _ bytes: UnsafeRawBufferPointer) {
    add(kind, UInt64(bytes.count))
    for byte in bytes { add(byte: byte) }
  }

  mutating func addNull() { add(byte: 5) }

  /// A small integer, which takes four bytes of a row.
  var value: Int64 { Int64(Int32(truncatingIfNeeded: state ^ (state >> 32))) }
}

#if SQLite
  import CSQLite

  extension SQLiteConnection {
    /// Defines `row_checksum` for statements and temporary triggers of this connection. The schema of a file does not
    /// use it, so that every program can read and recover the file.
    package func defineChecksum() throws(Failure) {
      let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
      let status = sqlite3_create_function_v2(
        handle, RowChecksum.function, -1, flags, nil,
        { context, count, values in
          var checksum = RowChecksum()
          for index in 0..<Int(count) {
            let value = values?[index]
            func bytes(from start: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
              UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
            }
            switch sqlite3_value_type(value) {
            case SQLITE_INTEGER: checksum.add(sqlite3_value_int64(value))
            case SQLITE_FLOAT: checksum.add(sqlite3_value_double(value))
            // The value first: it may be converted, which changes its length.
            case SQLITE_TEXT: checksum.add(3, bytes(from: sqlite3_value_text(value)))
            case SQLITE_BLOB: checksum.add(4, bytes(from: sqlite3_value_blob(value)))
            default: checksum.addNull()
            }
          }
          sqlite3_result_int64(context, checksum.value)
        }, nil, nil, nil)
      guard status == SQLITE_OK else { throw error(failure) }
    }
  }
#else
  extension SQLiteConnection {
    package func defineChecksum() throws(Failure) {}
  }
#endif
