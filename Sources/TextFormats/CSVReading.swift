// SPDX-License-Identifier: Apache-2.0

/// Reads separated values (RFC 4180) from pieces of a file: append a piece, take the rows that are complete. It accepts
/// a byte order mark, any line end, and quoted fields that contain line ends, separators and doubled quotes; it skips
/// empty lines. A quote inside an unquoted field is an ordinary character.
package struct CSVReading {
  package static let limit = 1 << 20

  private enum State { case rowStart, fieldStart, plain, quoted, afterQuote }

  private let separator: UInt8
  private let hasQuotes: Bool
  private var piece: [UInt8] = []
  private var position = 0
  private var state = State.rowStart
  private var row = CSVRow(line: 1)
  private var line = 1
  private var followsReturn = false
  /// The number of bytes of the byte order mark that were found; its full length also for a file without one.
  private var byteOrderMarkLength = 0

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  // Computed: a stored constant is looked up at every byte.
  private static var quote: UInt8 { UInt8(ascii: "\"") }
  private static var lineFeed: UInt8 { 0x0A }
  private static var carriageReturn: UInt8 { 0x0D }

  /// A reader for files of this separator. `hasQuotes` is false for programs that write quotes as ordinary characters.
  package init(separator: UInt8, hasQuotes: Bool = true) {
    (self.separator, self.hasQuotes) = (separator, hasQuotes)
  }

  /// The most frequent of comma, semicolon and tab outside quotes; a comma if the text has none of them.
  package static func separator(in head: some Sequence<UInt8>) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in head {
      if byte == quote { isQuoted.toggle() }
      if !isQuoted { counts[byte, default: 0] += 1 }
    }
    let candidates = [",", ";", "\t"].map(UInt8.init(ascii:))
    return candidates.reduce(candidates[0]) { counts[$1, default: 0] > counts[$0, default: 0] ? $1 : $0 }
  }

  /// Adds the next piece of the file, after all rows of the piece before were taken.
  package mutating func append(_ piece: [UInt8]) {
    self.piece = piece
    position = 0
  }

  /// Returns the next complete row; nil if the rest of the piece has none.
  package mutating func next() throws(CSVError) -> CSVRow? {
    while position < piece.count {
      if state == .plain || state == .quoted { try addRun() }
      guard position < piece.count else { return nil }
      let byte = piece[position]
      position += 1
      if byteOrderMarkLength < Self.byteOrderMark.count {
        if byte == Self.byteOrderMark[byteOrderMarkLength] {
          byteOrderMarkLength += 1
          continue
        }
        for other in Self.byteOrderMark.prefix(byteOrderMarkLength) { _ = try isRowEnd(after: other) }
        byteOrderMarkLength = Self.byteOrderMark.count
      }
      if try isRowEnd(after: byte) { return takeRow(isEnded: true, isLastFieldWhole: true) }
    }
    return nil
  }

  /// Returns the text after the last line end, once the whole file was appended; nil for no text.
  package mutating func finish() throws(CSVError) -> CSVRow? {
    switch state {
    case .rowStart: return nil
    case .quoted: throw .unclosedQuote(line: row.line)
    case .fieldStart, .plain, .afterQuote:
      row.endField()
      return takeRow(isEnded: false, isLastFieldWhole: state == .afterQuote)
    }
  }

  private mutating func takeRow(isEnded: Bool, isLastFieldWhole: Bool) -> CSVRow {
    var taken = row
    (taken.isEnded, taken.isLastFieldWhole) = (isEnded, isLastFieldWhole)
    (state, row) = (.rowStart, CSVRow(line: line))
    return taken
  }

  private mutating func isRowEnd(after byte: UInt8) throws(CSVError) -> Bool {
    let isLineEnd = byte == Self.lineFeed || byte == Self.carriageReturn
    let endsReturn = byte == Self.lineFeed && followsReturn
    followsReturn = byte == Self.carriageReturn
    if isLineEnd, !endsReturn { line += 1 }
    switch state {
    case .rowStart:
      if isLineEnd { return false }
      row.line = line
      return try isRowEnd(afterFirst: byte)
    case .fieldStart: return try isRowEnd(afterFirst: byte)
    case .plain: return try isRowEnd(afterPlain: byte)
    case .quoted:
      if byte == Self.quote { state = .afterQuote } else { try add(byte) }
      return false
    case .afterQuote:
      if byte == Self.quote {
        state = .quoted
        try add(byte)
        return false
      }
      guard isLineEnd || byte == separator else { throw .textAfterQuote(line: line) }
      return try isRowEnd(afterPlain: byte)
    }
  }

  private mutating func isRowEnd(afterFirst byte: UInt8) throws(CSVError) -> Bool {
    if hasQuotes, byte == Self.quote {
      state = .quoted
      return false
    }
    state = .plain
    return try isRowEnd(afterPlain: byte)
  }

  private mutating func isRowEnd(afterPlain byte: UInt8) throws(CSVError) -> Bool {
    switch byte {
    case Self.lineFeed, Self.carriageReturn:
      row.endField()
      return true
    case separator:
      row.endField()
      state = .fieldStart
      guard row.size < Self.limit else { throw .tooLong(line: row.line, limit: Self.limit) }
    default: try add(byte)
    }
    return false
  }

  private mutating func addRun() throws(CSVError) {
    let (separator, isQuoted) = (separator, state == .quoted)
    let rest = piece[position...]
    let run = rest.prefix { byte in
      byte != Self.lineFeed && byte != Self.carriageReturn && byte != (isQuoted ? Self.quote : separator)
    }
    guard !run.isEmpty else { return }
    guard row.size + run.count <= Self.limit else { throw .tooLong(line: row.line, limit: Self.limit) }
    row.bytes += run
    position = run.endIndex
    followsReturn = false
  }

  private mutating func add(_ byte: UInt8) throws(CSVError) {
    guard row.size < Self.limit else { throw .tooLong(line: row.line, limit: Self.limit) }
    row.bytes.append(byte)
  }
}

package struct CSVRow {
  /// The number of its first line, from 1.
  package fileprivate(set) var line: Int
  /// False for a row at the end of the file without a line end, which may be truncated.
  package fileprivate(set) var isEnded = true
  /// True if a line end or a closing quote marks the end of the last field.
  package fileprivate(set) var isLastFieldWhole = true

  fileprivate var bytes: [UInt8] = []
  private var ends: [Int] = []
  fileprivate init(line: Int) { self.line = line }
  fileprivate var size: Int { bytes.count + ends.count }
  fileprivate mutating func endField() { ends.append(bytes.count) }
  package var count: Int { ends.count }

  /// The text without white space at either end; empty for a column that the row lacks. Invalid UTF-8 is replaced.
  package subscript(column: Int) -> String {
    guard ends.indices.contains(column) else { return "" }
    let field = bytes[(column == 0 ? 0 : ends[column - 1])..<ends[column]]
    return TextLine(number: line, bytes: field).text
  }

  package var fields: [String] {
    var start = 0
    return ends.map { end in
      defer { start = end }
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
  }
}

package enum CSVError: Error, Hashable, Sendable {
  /// The row that begins there has an opening quote without a closing one.
  case unclosedQuote(line: Int)
  /// A closing quote is followed by neither a separator nor a line end.
  case textAfterQuote(line: Int)
  case tooLong(line: Int, limit: Int)
}

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
    let quote = UInt8(ascii: "\"")
    let isSpecial = cell.utf8.contains {
      $0 == UInt8(ascii: ",") || $0 == quote || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
    }
    guard isSpecial else { return cell }
    var bytes = [quote]
    for byte in cell.utf8 {
      if byte == quote { bytes.append(byte) }
      bytes.append(byte)
    }
    return String(decoding: bytes + [quote], as: UTF8.self)
  }
}
