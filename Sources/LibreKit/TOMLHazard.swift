// SPDX-License-Identifier: Apache-2.0

/// What toml++ 3.4 must not be given, since it would end the program or take very long over it. Found by fuzzing and by
/// trial; it is looked for before the parser sees the text.
struct TOMLHazard: Hashable {
  let reason: String

  /// More than a hundred sinks fit in it. The parser takes a file of megabytes apart into hundreds of them.
  static let sizeLimit = 32 << 10
  /// The parser goes one call deeper for each name in a key with dots, which stands on one line: 30,000 overflow its
  /// stack.
  static let lineLimit = 4 << 10

  static let tooLong = TOMLHazard(reason: "it has more than \(sizeLimit) bytes")

  /// The first in the text; nil if there is none.
  init?(in text: String) {
    if text.utf8.count > Self.sizeLimit {
      self = .tooLong
      return
    }
    for (index, line) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if line.count > Self.lineLimit {
        self.init(reason: "line \(index + 1) has more than \(Self.lineLimit) bytes")
        return
      }
      let mark: [UInt8] = index == 0 && line.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : []
      if Self.isNamelessHeading(line.dropFirst(mark.count)) {
        self.init(reason: "line \(index + 1): a table's name begins with a letter, a digit, -, _ or a quote")
        return
      }
    }
    guard let line = Self.lineOfMissingValue(in: text) else { return nil }
    self.init(reason: "line \(line): a value or the end of a list is missing")
  }

  private init(reason: String) { self.reason = reason }

  /// True for what begins like a table's heading and goes on with no name. The parser takes for granted that one follows:
  /// it ends the program, or never comes back. A line of an array that begins so is refused as well; no setting has one.
  private static func isNamelessHeading(_ line: Substring.UTF8View) -> Bool {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var rest = line.drop(while: isBlank)
    guard rest.first == UInt8(ascii: "[") else { return false }
    rest = rest.dropFirst().drop(while: isBlank)
    if rest.first == UInt8(ascii: "[") { rest = rest.dropFirst().drop(while: isBlank) }
    guard let first = rest.first else { return true }
    switch first {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      return false
    default: return !"-_\"'".utf8.contains(first)
    }
  }

  /// The line where a list goes on with something that neither begins a value nor ends it, and that the parser takes for
  /// neither: it ends the program. No TOML has that, so that all which is refused here is wrong anyway.
  private static func lineOfMissingValue(in text: String) -> Int? {
    var rest = Substring(text).unicodeScalars
    var line = 1
    /// The last that means something.
    var last: Unicode.Scalar = "\n"
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\n": line += 1
      case " ", "\t", "\r": break
      case "#": rest = rest.drop { $0 != "\n" }
      case "\"", "'":
        line += dropText(scalar, from: &rest)
        last = scalar
      case "}", "\u{85}", "\u{2028}", "\u{2029}":
        if last == "[" || last == "," { return line }
        last = scalar
      default: last = scalar
      }
    }
    return nil
  }

  /// Takes a text away whose first quote is gone already, and counts its line breaks.
  private static func dropText(_ quote: Unicode.Scalar, from rest: inout Substring.UnicodeScalarView) -> Int {
    func drop(_ count: Int, of rest: inout Substring.UnicodeScalarView) -> Bool {
      let isThere = rest.prefix(count).elementsEqual(repeatElement(quote, count: count))
      if isThere { rest = rest.dropFirst(count) }
      return isThere
    }
    let isLong = drop(2, of: &rest)
    // A text of nothing.
    if !isLong, drop(1, of: &rest) { return 0 }
    var lineCount = 0
    while !drop(isLong ? 3 : 1, of: &rest), let scalar = rest.popFirst() {
      if scalar == "\n" { lineCount += 1 }
      if scalar == "\\", quote == "\"", rest.popFirst() == "\n" { lineCount += 1 }
      // It lacks its end, which the parser tells.
      if scalar == "\n", !isLong { break }
    }
    // A long one may have two quotes at its end.
    if isLong { _ = drop(2, of: &rest) || drop(1, of: &rest) }
    return lineCount
  }
}
