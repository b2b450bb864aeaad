// SPDX-License-Identifier: Apache-2.0
import Libre1Core
import TextFormats

/// The rows of bytes in a line of a text, in one reading of its digits: tokens of one form with the same marks between
/// them. Times, offsets and columns of characters differ in one or the other, and so are left out.
struct RowFinder {
  let reading: DigitReading
  /// The tokens of the row that is read, and the number of its bytes.
  private var current: [Int] = []
  private var count = 0
  /// The tokens of the rows that were read, one row after the other.
  private var kept: [Int] = []
  private var best = Candidate()
  /// The rows of whole blocks, of which one line can have many.
  private var blocks: [Candidate] = []
  /// The row that was handed over last.
  private(set) var row = ByteRow()
  /// The form of the last long row, which the rest of the listing has too.
  private var usualForm = Int.min
  private var form = 0
  private var mark: Mark?

  init(_ reading: DigitReading) { self.reading = reading }

  private struct Candidate {
    /// The place in `kept`.
    var tokens = 0..<0
    var count = 0
    var form = -1
  }

  /// The characters between two tokens.
  private struct Mark: Equatable {
    var characters = 0
    var hasSpace = false
    /// True for one character that stands between the numbers of a time or a date.
    var isJoint = false
    var endsRow = false
    var isWide = false

    static func == (one: Mark, other: Mark) -> Bool { one.characters == other.characters }

    init(_ text: [UInt8], _ range: Range<Int>, isMarked: Bool) {
      endsRow = range.count > 80
      isJoint = range.count == 1 && ":.-/".utf8.contains(text[range.lowerBound])
      guard !endsRow else { return }
      var before: UInt8 = 0
      for position in range {
        let character = text[position]
        if TextLine.isSpace(character) {
          hasSpace = true
          if TextLine.isSpace(before) { isWide = true }
        } else if !isMarked {
          characters = characters &* 31 &+ Int(character)
        }
        // A comment, the next column, or an address before the bytes.
        if character == UInt8(ascii: "|") || isMarked && character == UInt8(ascii: ":")
          || before == UInt8(ascii: "/") && "/*".utf8.contains(character)
        {
          endsRow = true
        }
        before = character
      }
    }
  }

  /// Hands over all rows of whole blocks, or else the longest row; the order of the bytes is that of the digits.
  mutating func forEachRow(
    _ text: [UInt8], _ tokens: [TextToken], lineEnd: Int, _ take: (ByteRow) -> Void
  ) {
    (count, mark, form, best) = (0, nil, 0, Candidate())
    current.removeAll(keepingCapacity: true)
    kept.removeAll(keepingCapacity: true)
    blocks.removeAll(keepingCapacity: true)
    for (index, token) in tokens.enumerated() {
      guard let form = reading.form(of: token, text), index > 0 || !Self.isOffset(text, token) else {
        // Numbers without a mark are indices and casts there.
        if reading != .markedHex || token.isMarked { close() }
        continue
      }
      if let last = current.last {
        // A minus belongs to its number.
        let end = token.isNegative && reading.isDecimal ? token.start - 1 : token.start
        let between = Mark(text, tokens[last].end..<end, isMarked: reading == .markedHex)
        if between.isWide, count >= 4, isText(of: text, tokens, at: token.start, lineEnd) { break }
        if form != self.form || between.endsRow {
          close()
        } else if let mark, mark != between, !isHalf(text, tokens[last].end..<token.start) {
          // The last token belongs to these marks, unless it is the end of a time.
          let taken = current.count == 2 && (!mark.isJoint || mark.hasSpace || !between.hasSpace) ? last : nil
          close()
          if let taken { append(taken, tokens) }
          self.mark = taken == nil ? nil : between
        } else {
          mark = mark ?? between
        }
      }
      self.form = form
      append(index, tokens)
    }
    close()
    if best.count >= MemoryMap.blockSize { usualForm = best.form }
    if blocks.isEmpty, best.count > 0 { blocks.append(best) }
    for block in blocks where block.form == best.form {
      let (first, last) = (kept[block.tokens.lowerBound], kept[block.tokens.upperBound - 1])
      row.removeAll()
      for index in kept[block.tokens] { reading.append(tokens[index], text, to: &row) }
      row.label = Self.label(text, tokens, first > 0 ? first - 1 : last + 1)
      row.wordSize = reading.byteCount(of: tokens[first])
      take(row)
    }
  }

  private mutating func append(_ index: Int, _ tokens: [TextToken]) {
    current.append(index)
    count += reading.byteCount(of: tokens[index])
  }

  private mutating func close() {
    if count > 0 {
      let isUsual = form == usualForm
      // The last row of a listing may be shorter than the offset before it.
      let isBest = count + (isUsual ? 16 : 0) >= best.count + (best.form == usualForm ? 16 : 0)
      let isBlocks = count.isMultiple(of: MemoryMap.blockSize)
      if isBest || isBlocks {
        let row = Candidate(tokens: kept.count..<kept.count + current.count, count: count, form: form)
        kept += current
        if isBest { best = row }
        if isBlocks { blocks.append(row) }
      }
    }
    current.removeAll(keepingCapacity: true)
    (count, mark, form) = (0, nil, 0)
  }

  /// True for the first number of a line, if a colon and a space follow it.
  private static func isOffset(_ text: [UInt8], _ token: TextToken) -> Bool {
    token.end + 1 < text.count && text[token.end] == UInt8(ascii: ":") && TextLine.isSpace(text[token.end + 1])
  }

  /// True for a dash in the middle of sixteen bytes, as debuggers print it.
  private func isHalf(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    count.isMultiple(of: 8) && text[range].contains(UInt8(ascii: "-")) && range.count <= 3
  }

  /// True if the text repeats the bytes so far as characters, with points or spaces for those that are not printable.
  private func isText(of text: [UInt8], _ tokens: [TextToken], at start: Int, _ lineEnd: Int) -> Bool {
    var row = ByteRow()
    for index in current.suffix(32) { reading.append(tokens[index], text, to: &row) }
    guard row.bytes.count == count else { return false }
    // Points before the first letter are not part of a token.
    var start = start
    while start > 0, !TextLine.isSpace(text[start - 1]) { start -= 1 }
    let space = UInt8(ascii: " ")
    // A line may end before the spaces of its text; one character is there by chance.
    let characters = text[start..<min(start + count, lineEnd)].map { TextLine.isSpace($0) ? space : $0 }
    let padded = characters + repeatElement(space, count: count - characters.count)
    return characters.lazy.filter { $0 != space }.count > 1
      && zip(row.bytes, padded).allSatisfy { byte, character in
        (0x21...0x7E).contains(byte) ? character == byte : character == UInt8(ascii: ".") || character == space
      }
  }

  private static func label(_ text: [UInt8], _ tokens: [TextToken], _ index: Int) -> RowLabel? {
    guard tokens.indices.contains(index) else { return nil }
    let token = tokens[index]
    // The word before the number, which other rows of the same listing have too.
    var form = 0
    for character in text[max(0, token.start - 12)..<token.start].reversed() {
      if character == UInt8(ascii: "\n") { break }
      if character.isLetterOrDigit, character > UInt8(ascii: "9") { form = form &* 31 &+ Int(character) }
    }
    var label = RowLabel(
      decimal: token.isMarked ? nil : token.value(text, radix: 10), hex: token.value(text, radix: 16), form: form)
    label.octal = token.value(text, radix: 8)
    return label
  }
}
