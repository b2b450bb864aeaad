// SPDX-License-Identifier: Apache-2.0

/// Comma-separated values read by the letter of RFC 4180, with LF as line end: the reader that the writer is held against.
struct CSVTable {
  enum Fault: Error, Hashable {
    case quoteInsidePlainField
    case textAfterQuote
    case openQuote
    case noLineEnd
  }

  var rows: [[String]] = []

  init(_ text: String) throws(Fault) {
    var row: [String] = []
    var field: [UInt8] = []
    var bytes = Array(text.utf8)[...]
    while let byte = bytes.first {
      if byte == UInt8(ascii: "\""), field.isEmpty {
        field = try Self.quoted(&bytes)
        if let next = bytes.first, next != UInt8(ascii: ","), next != 0x0A { throw .textAfterQuote }
        continue
      }
      bytes = bytes.dropFirst()
      switch byte {
      case UInt8(ascii: ","), 0x0A:
        row.append(String(decoding: field, as: UTF8.self))
        field = []
        if byte == 0x0A {
          rows.append(row)
          row = []
        }
      case UInt8(ascii: "\""): throw .quoteInsidePlainField
      default: field.append(byte)
      }
    }
    guard row.isEmpty, field.isEmpty else { throw .noLineEnd }
  }

  /// Takes a field in quotes off the front.
  private static func quoted(_ bytes: inout ArraySlice<UInt8>) throws(Fault) -> [UInt8] {
    var field: [UInt8] = []
    bytes = bytes.dropFirst()
    while let byte = bytes.first {
      bytes = bytes.dropFirst()
      guard byte == UInt8(ascii: "\"") else {
        field.append(byte)
        continue
      }
      guard bytes.first == UInt8(ascii: "\"") else { return field }
      field.append(byte)
      bytes = bytes.dropFirst()
    }
    throw .openQuote
  }
}
