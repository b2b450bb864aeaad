// SPDX-License-Identifier: Apache-2.0

/// Rows of comma-separated values (RFC 4180).
package enum CSVWriting {
  /// Returns one row, with quotes around the cells that need them. `end` is LF for pipes, CRLF for programs on Windows.
  /// `isWithoutFormulas` puts an apostrophe before text that a spreadsheet would run as a formula.
  package static func row(_ cells: [String], end: String = "\n", isWithoutFormulas: Bool = false) -> String {
    cells.map { quoted(isWithoutFormulas && isFormula($0) ? "'\($0)" : $0) }.joined(separator: ",") + end
  }

  /// True for text that begins as a formula does. A negative number does not count.
  private static func isFormula(_ cell: String) -> Bool {
    guard let first = cell.utf8.first, "=+-@\t\r".utf8.contains(first) else { return false }
    return Double(cell) == nil
  }

  private static func quoted(_ cell: String) -> String {
    // Bytes, not characters: a comma with a combining accent is one character, but still separates.
    let isSpecial = cell.utf8.contains {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
    }
    guard isSpecial else { return cell }
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in cell.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }
}
