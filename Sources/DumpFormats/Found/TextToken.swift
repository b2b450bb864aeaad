// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// A run of letters and digits in a text that may be a number.
struct TextToken {
  /// The place of the digits.
  let start: Int
  let end: Int
  /// True for digits that a mark calls hex: `0xEC`, `\xEC`, `#xEC`, `0ECh`, `&HEC`, `8'hEC`.
  let isMarked: Bool
  let isHex: Bool
  let isDecimal: Bool
  /// True for a minus that is not a dash between two words.
  let isNegative: Bool

  var count: Int { end - start }

  static func append(in text: [UInt8], _ part: Range<Int>, to tokens: inout [TextToken]) {
    var position = part.lowerBound
    while position < part.upperBound {
      guard text[position].isLetterOrDigit else {
        position += 1
        continue
      }
      let start = position
      while position < part.upperBound, text[position].isLetterOrDigit { position += 1 }
      if let token = TextToken(text, start..<position) { tokens.append(token) }
    }
  }

  /// Returns nil for a word that is not a number.
  private init?(_ text: [UInt8], _ word: Range<Int>) {
    let first = text[word.lowerBound]
    let before = word.lowerBound > 0 ? text[word.lowerBound - 1] : 0
    var digits = word
    var isMarked = false
    if first == UInt8(ascii: "0"), word.count > 2, text[word.lowerBound + 1] | 0x20 == UInt8(ascii: "x") {
      (digits, isMarked) = (word.dropFirst(2), true)
    } else if first | 0x20 == UInt8(ascii: "x") && "\\#".utf8.contains(before)
      || first | 0x20 == UInt8(ascii: "h") && "&'".utf8.contains(before)
    {
      (digits, isMarked) = (word.dropFirst(), true)
    } else if word.count == 10, first == UInt8(ascii: "0"), text[word.lowerBound + 1] | 0x20 == UInt8(ascii: "b"),
      text[word.dropFirst(2)].allSatisfy({ $0 | 1 == UInt8(ascii: "1") })
    {
      digits = word.dropFirst(2)
    } else if text[word.upperBound - 1] | 0x20 == UInt8(ascii: "h"), first <= UInt8(ascii: "9"), word.count > 2 {
      (digits, isMarked) = (word.dropLast(), true)
      // An assembler needs a digit before the letters.
      if digits.count.isMultiple(of: 2) == false, first == UInt8(ascii: "0") { digits = digits.dropFirst() }
    }
    var end = digits.lowerBound
    var isDecimal = !isMarked
    while end < digits.upperBound, HexText.nibble(text[end]) != nil {
      if text[end] > UInt8(ascii: "9") { isDecimal = false }
      end += 1
    }
    // Languages mark the type of a number behind it: 0xECu8, 236U.
    if end < digits.upperBound {
      guard isMarked || isDecimal, "ulyi".utf8.contains(text[end] | 0x20) else { return nil }
    }
    if end == digits.lowerBound { return nil }
    let after = end + 1 < text.count ? text[end] : 0
    let isFraction =
      before == UInt8(ascii: ".") && word.lowerBound > 1 && text[word.lowerBound - 2].isDigit
      || after == UInt8(ascii: ".") && text[end + 1].isDigit
    let isMinus = before == UInt8(ascii: "-") && (word.lowerBound < 2 || !text[word.lowerBound - 2].isLetterOrDigit)
    (start, self.end, self.isMarked, isHex) = (digits.lowerBound, end, isMarked, end == digits.upperBound || isMarked)
    (self.isDecimal, isNegative) = (isDecimal && !isFraction, isMinus)
  }

  /// The value of up to ten digits.
  func value(_ text: [UInt8], radix: Int) -> Int? {
    guard count <= 10 else { return nil }
    var value = 0
    for position in start..<end {
      guard let digit = HexText.nibble(text[position]), Int(digit) < radix else { return nil }
      value = value * radix + Int(digit)
    }
    return value
  }
}

/// The numbers of tokens of a line that are possible in each reading.
struct TokenCounts {
  var (all, hex, marked, singleDigits, decimal, word, octal, binary) = (0, 0, 0, 0, 0, 0, 0, 0)

  init(_ tokens: [TextToken]) {
    all = tokens.count
    for token in tokens {
      if token.isMarked {
        marked += 1
        continue
      }
      if token.count.isMultiple(of: 2) { hex += 1 }
      if token.count == 1 { singleDigits += 1 }
      guard token.isDecimal else { continue }
      if token.count <= 3 { decimal += 1 } else if token.count <= 10 { word += 1 }
      if token.count == 3 || token.count == 4 || token.count == 6 { octal += 1 }
      if token.count == 8 { binary += 1 }
    }
  }
}

/// A way to write bytes as digits.
enum DigitReading: CaseIterable {
  /// Two digits a byte; longer tokens are several bytes.
  case hex
  /// The same with a mark, `0x` or `\x`, before each token; other numbers between them do not count.
  case markedHex
  /// One or two digits a byte, without zeros in front.
  case shortHex
  /// Numbers from -128 to 255.
  case decimal
  /// Numbers of two or of four bytes.
  case decimalPairs, decimalQuads
  /// Three digits a byte, or four with a zero in front, or six for two bytes.
  case octal
  /// Eight digits a byte.
  case binary

  var layer: String {
    switch self {
    case .hex, .markedHex, .shortHex: "hex"
    case .decimal, .decimalPairs, .decimalQuads: "decimal numbers"
    case .octal: "octal numbers"
    case .binary: "binary numbers"
    }
  }

  /// True if a line with these tokens can have bytes in this reading, so that most lines are read in one way only.
  func isPossible(_ tokens: TokenCounts) -> Bool {
    switch self {
    case .hex: tokens.hex > 0
    case .markedHex: tokens.marked > 0
    case .shortHex: tokens.singleDigits > 0
    case .decimal: tokens.decimal * 2 >= tokens.all
    case .decimalPairs, .decimalQuads: tokens.word > 0 && tokens.all - tokens.decimal - tokens.word <= 1
    case .octal: tokens.octal * 2 >= tokens.all
    case .binary: tokens.binary > 0
    }
  }

  /// A number that is equal for tokens that can be in one row; nil for one that has no bytes in this reading.
  func form(of token: TextToken, _ text: [UInt8]) -> Int? {
    switch self {
    case .hex: return token.isHex && !token.isMarked && token.count.isMultiple(of: 2) ? token.count : nil
    case .markedHex: return token.isMarked ? (token.count + 1) / 2 : nil
    case .shortHex: return token.isHex && !token.isMarked && token.count <= 2 ? 0 : nil
    case .decimal: return token.isDecimal && token.count <= 3 && isByte(token, text) ? 0 : nil
    case .decimalPairs: return isWord(token, text, bits: 16) ? 2 : nil
    case .decimalQuads: return isWord(token, text, bits: 32) ? 4 : nil
    case .octal:
      guard token.isDecimal, [3, 4, 6].contains(token.count) else { return nil }
      let limit = token.count < 6 ? 0o377 : 0o177777
      return token.value(text, radix: 8).map { $0 <= limit } == true ? token.count : nil
    case .binary: return token.isDecimal && token.count == 8 && token.value(text, radix: 2) != nil ? 8 : nil
    }
  }

  var isDecimal: Bool { self == .decimal || self == .decimalPairs || self == .decimalQuads }

  private func isByte(_ token: TextToken, _ text: [UInt8]) -> Bool {
    guard let value = token.value(text, radix: 10) else { return false }
    return value <= (token.isNegative ? 128 : 255)
  }

  /// True for a number of so many bits. An offset has zeros in front, and so have numbers of full length.
  private func isWord(_ token: TextToken, _ text: [UInt8], bits: Int) -> Bool {
    let isFull = token.count == (bits == 16 ? 5 : 10)
    guard token.isDecimal, token.count == 1 || isFull || text[token.start] != UInt8(ascii: "0"),
      let value = token.value(text, radix: 10)
    else { return false }
    return value <= (token.isNegative ? 1 << (bits - 1) : 1 << bits - 1)
  }

  /// Appends the bytes of a token that has a form, in the order of the digits.
  func append(_ token: TextToken, _ text: [UInt8], to row: inout ByteRow) {
    switch self {
    case .hex, .markedHex, .shortHex:
      var position = token.start
      if !token.count.isMultiple(of: 2) {
        row.bytes.append(HexText.nibble(text[position]) ?? 0)
        row.places.append(position)
        position += 1
      }
      while position < token.end {
        row.bytes.append((HexText.nibble(text[position]) ?? 0) << 4 | (HexText.nibble(text[position + 1]) ?? 0))
        row.places.append(position)
        position += 2
      }
    case .decimal, .decimalPairs, .decimalQuads:
      let value = (token.value(text, radix: 10) ?? 0) * (token.isNegative ? -1 : 1)
      for byte in (0..<byteCount(of: token)).reversed() {
        row.bytes.append(UInt8(truncatingIfNeeded: value >> (8 * byte)))
      }
    case .octal:
      let value = token.value(text, radix: 8) ?? 0
      if token.count == 6 { row.bytes.append(UInt8(truncatingIfNeeded: value >> 8)) }
      row.bytes.append(UInt8(truncatingIfNeeded: value))
    case .binary: row.bytes.append(UInt8(truncatingIfNeeded: token.value(text, radix: 2) ?? 0))
    }
    while row.places.count < row.bytes.count { row.places.append(token.start) }
  }

  /// The number of bytes in a token that has a form.
  func byteCount(of token: TextToken) -> Int {
    switch self {
    case .hex, .markedHex: (token.count + 1) / 2
    case .octal: token.count / 3
    case .decimalPairs: 2
    case .decimalQuads: 4
    case .shortHex, .decimal, .binary: 1
    }
  }
}
