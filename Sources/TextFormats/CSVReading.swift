// SPDX-License-Identifier: Apache-2.0

/// Reads separated values (RFC 4180) from pieces of a file: append a piece, take the rows that are complete.
///
/// A byte order mark, any line end, quoted fields with line ends, separators and doubled quotes in them are understood;
/// empty lines are passed over. A quote inside a field that does not begin with one is a character like any other.
package struct CSVReading {
  /// A longer row is no row of a history.
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
  /// So many bytes of a byte order mark were met; all of them too when there is none to come.
  private var markLength = 0

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  // Computed: a stored constant is looked up at every byte.
  private static var quote: UInt8 { UInt8(ascii: "\"") }
  private static var lineFeed: UInt8 { 0x0A }
  private static var carriageReturn: UInt8 { 0x0D }

  /// `hasQuotes` is false for programs that write fields as they are, quotes among them.
  package init(separator: UInt8, hasQuotes: Bool = true) {
    self.separator = separator
    self.hasQuotes = hasQuotes
  }

  /// Of comma, semicolon and tab the one that is most frequent outside quotes; a comma where there is none.
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

  /// Adds the next piece of the file. All rows of the piece before must have been taken.
  package mutating func append(_ piece: [UInt8]) {
    self.piece = piece
    position = 0
  }

  /// The next complete row; nil when the rest of the piece holds none.
  package mutating func next() throws(CSVError) -> CSVRow? {
    while position < piece.count {
      if state == .plain || state == .quoted { try addRun() }
      guard position < piece.count else { return nil }
      let byte = piece[position]
      position += 1
      if markLength < Self.mark.count {
        if byte == Self.mark[markLength] {
          markLength += 1
          continue
        }
        for other in Self.mark.prefix(markLength) { _ = try isRowEnd(after: other) }
        markLength = Self.mark.count
      }
      if try isRowEnd(after: byte) { return takeRow(isEnded: true, isLastFieldWhole: true) }
    }
    return nil
  }

  /// What follows the last line end, once the whole file was appended; nil if nothing does.
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
    taken.isEnded = isEnded
    taken.isLastFieldWhole = isLastFieldWhole
    state = .rowStart
    row = CSVRow(line: line)
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

  /// Adds what follows in the field up to a character that may mean something.
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

/// One row: fields without their quotes.
package struct CSVRow {
  /// On which it begins, from 1.
  package fileprivate(set) var line: Int
  /// False for one at the end of the file without a line end, which may have been cut off.
  package fileprivate(set) var isEnded = true
  /// True if a line end or a closing quote shows where the last field ends.
  package fileprivate(set) var isLastFieldWhole = true

  fileprivate var bytes: [UInt8] = []
  private var ends: [Int] = []

  fileprivate init(line: Int) { self.line = line }

  fileprivate var size: Int { bytes.count + ends.count }

  fileprivate mutating func endField() { ends.append(bytes.count) }

  /// The number of fields.
  package var count: Int { ends.count }

  /// A field's text without white space at either end; empty for a column that the row does not have. What is not UTF-8
  /// is replaced.
  package subscript(column: Int) -> String {
    guard ends.indices.contains(column) else { return "" }
    let field = bytes[(column == 0 ? 0 : ends[column - 1])..<ends[column]]
    return TextLine(number: line, bytes: field).text
  }

  /// All fields, as they stand.
  package var fields: [String] {
    var start = 0
    return ends.map { end in
      defer { start = end }
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
  }
}

/// Why a file is no table of separated values.
package enum CSVError: Error, Hashable, Sendable {
  /// The row that begins there has a quote that is never closed.
  case unclosedQuote(line: Int)
  /// Neither a separator nor a line end follows a closing quote.
  case textAfterQuote(line: Int)
  /// A row of more bytes than are read.
  case tooLong(line: Int, limit: Int)
}
