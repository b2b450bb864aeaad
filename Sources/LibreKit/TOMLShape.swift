// SPDX-License-Identifier: Apache-2.0

/// What a file must be before toml++ 3.4 sees it: not too long, and with every key, value and end in its place.
///
/// The parser ends the program over some texts that are no TOML (`x = [ }`, `[é]`, `x = 1979-05-27T'`), and takes very
/// long over others; fuzzing found one after the other. So it is given what has this shape only. What is inside of texts,
/// how large a number may be and what is said twice are the parser's to judge. Dates, which no setting has, are refused
/// here.
///
/// Source: TOML 1.0.
struct TOMLShape {
  /// What is not as it should be, with its line.
  struct Fault: Error, Hashable {
    let reason: String
  }

  /// More than a hundred sinks fit in it. The parser takes a file of megabytes apart into hundreds of them.
  static let sizeLimit = 32 << 10
  /// The parser goes one call deeper for each name in a key with dots, which stands on one line: 30,000 overflow its
  /// stack.
  static let lineLimit = 4 << 10
  private static let depthLimit = 16

  static let tooLong = Fault(reason: "it has more than \(sizeLimit) bytes")

  /// What is not read yet.
  private var rest: Substring.UnicodeScalarView
  private var line = 1
  /// How many lists and tables within lines this is in.
  private var depth = 0

  /// Throws the first fault of the text.
  static func check(_ text: String) throws(Fault) {
    if text.utf8.count > sizeLimit { throw tooLong }
    var shape = TOMLShape(rest: Substring(text).unicodeScalars)
    try shape.checkLines()
    _ = shape.take("\u{FEFF}")
    while try shape.takeLine() {}
  }

  private init(rest: Substring.UnicodeScalarView) { self.rest = rest }

  private func fault(_ words: String) -> Fault { Fault(reason: "line \(line): \(words)") }

  /// Control characters are no part of a text either.
  private func checkLines() throws(Fault) {
    for (index, line) in rest.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if Substring(line).utf8.count > Self.lineLimit {
        throw Fault(reason: "line \(index + 1) has more than \(Self.lineLimit) bytes")
      }
      let shown = line.last == "\r" ? line.dropLast() : line
      if shown.contains(where: { ($0 < " " && $0 != "\t") || $0 == "\u{7F}" }) {
        throw Fault(reason: "line \(index + 1) has a control character")
      }
    }
  }

  // MARK: Lines

  /// Takes a line, with what it has of lists and texts of several lines; false at the end of the file.
  private mutating func takeLine() throws(Fault) -> Bool {
    takeBlanks()
    if take("[") {
      let isListed = take("[")
      takeBlanks()
      guard let first = rest.first, Self.isKey(first) || Self.isQuote(first) else {
        throw fault("a table's name begins with a letter, a digit, -, _ or a quote")
      }
      try takeKey()
      guard take(isListed ? "]]" : "]") else { throw fault("a table's name ends with \(isListed ? "]]" : "]")") }
    } else if let first = rest.first, !["#", "\r", "\n"].contains(first) {
      try takePair()
    }
    takeBlanks()
    takeComment()
    if rest.isEmpty { return false }
    guard takeLineEnd() else { throw fault("there is more behind the end of the value") }
    return true
  }

  private mutating func takePair() throws(Fault) {
    try takeKey()
    guard take("=") else { throw fault("an = is missing behind the name") }
    takeBlanks()
    try takeValue()
  }

  /// Names with dots between them, and the blanks behind.
  private mutating func takeKey() throws(Fault) {
    repeat {
      takeBlanks()
      if let quote = rest.first, Self.isQuote(quote) {
        rest.removeFirst()
        try takeText(to: quote)
      } else if takeAll(Self.isKey).isEmpty {
        throw fault("a name is missing: letters, digits, - and _, or any in quotes")
      }
      takeBlanks()
    } while take(".")
  }

  // MARK: Values

  private mutating func takeValue() throws(Fault) {
    switch rest.first {
    case "\"", "'": try takeTextOfAnyLength()
    case "[": try takeNested { (shape) throws(Fault) in try shape.takeList() }
    case "{": try takeNested { (shape) throws(Fault) in try shape.takeInlineTable() }
    default:
      let word = takeAll { Self.isKey($0) || ["+", ".", ":"].contains($0) }
      if word.isEmpty { throw fault("a value is missing") }
      // Not shown: it may be a secret that lacks its quotes.
      guard Self.isWord(Substring(word)) else {
        throw fault("a value other than a number, true or false must stand in quotes")
      }
    }
  }

  private mutating func takeNested(_ take: (inout TOMLShape) throws(Fault) -> Void) throws(Fault) {
    guard depth < Self.depthLimit else { throw fault("lists and tables are nested too deep") }
    rest.removeFirst()
    depth += 1
    try take(&self)
    depth -= 1
  }

  private mutating func takeList() throws(Fault) {
    takeBlankLines()
    while !take("]") {
      try takeValue()
      takeBlankLines()
      let goesOn = take(",")
      takeBlankLines()
      guard goesOn || rest.first == "]" else { throw fault("a value or the end of a list is missing") }
    }
  }

  private mutating func takeInlineTable() throws(Fault) {
    takeBlanks()
    if take("}") { return }
    repeat {
      try takePair()
      takeBlanks()
    } while take(",")
    guard take("}") else { throw fault("the end of a table, }, is missing") }
  }

  private mutating func takeTextOfAnyLength() throws(Fault) {
    let quote = rest.removeFirst()
    let mark = Array(repeating: quote, count: 3)
    guard rest.starts(with: mark.dropLast()) else { return try takeText(to: quote) }
    rest = rest.dropFirst(2)
    let start = line
    while !rest.starts(with: mark) {
      guard !rest.isEmpty else {
        line = start
        throw fault("a text lacks its end, three quotes")
      }
      if rest.first == "\\", quote == "\"" { rest.removeFirst() }
      if !takeLineEnd() { rest = rest.dropFirst() }
    }
    // Of five quotes two are the text's.
    rest = rest.dropFirst(3 + rest.dropFirst(3).prefix(2).prefix { $0 == quote }.count)
  }

  /// On one line, behind its first quote.
  private mutating func takeText(to quote: Unicode.Scalar) throws(Fault) {
    while let scalar = rest.popFirst(), scalar != "\n" {
      if scalar == quote { return }
      if scalar == "\\", quote == "\"", rest.first != "\n" { rest = rest.dropFirst() }
    }
    throw fault("a text lacks its end, a quote")
  }

  /// The texts that stand for a truth value or a number.
  private static func isWord(_ word: Substring) -> Bool {
    word.wholeMatch(of: /true|false|[+\-]?(inf|nan)|0x[0-9A-Fa-f]+|0o[0-7]+|0b[01]+/) != nil
      || word.wholeMatch(of: /[+\-]?(0|[1-9](_?[0-9])*)(\.[0-9](_?[0-9])*)?([eE][+\-]?[0-9](_?[0-9])*)?/) != nil
  }

  // MARK: Characters

  private static func isQuote(_ scalar: Unicode.Scalar) -> Bool { scalar == "\"" || scalar == "'" }

  private static func isKey(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
    default: false
    }
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.unicodeScalars) else { return false }
    rest = rest.dropFirst(text.unicodeScalars.count)
    return true
  }

  private mutating func takeAll(_ isPart: (Unicode.Scalar) -> Bool) -> Substring.UnicodeScalarView {
    let part = rest.prefix(while: isPart)
    rest = rest.dropFirst(part.count)
    return part
  }

  private mutating func takeBlanks() { _ = takeAll { $0 == " " || $0 == "\t" } }

  private mutating func takeComment() {
    if rest.first == "#" { _ = takeAll { $0 != "\r" && $0 != "\n" } }
  }

  private mutating func takeLineEnd() -> Bool {
    guard take("\n") || take("\r\n") else { return false }
    line += 1
    return true
  }

  /// What may stand between the values of a list.
  private mutating func takeBlankLines() {
    repeat {
      takeBlanks()
      takeComment()
    } while takeLineEnd()
  }
}
