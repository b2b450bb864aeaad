// SPDX-License-Identifier: Apache-2.0

/// A reader for the part of TOML 1.0 that a configuration needs: comments, keys, tables, strings, integers, floats,
/// booleans, arrays and inline tables.
///
/// It refuses dates and times, arrays of tables (`[[name]]`) and the escape `\u0000` with a message of their own. Keys
/// that are canonically equivalent in Unicode are equal. No input can trap, and the time is linear in its length.
///
/// Source: https://toml.io/en/v1.0.0
package struct TOMLReader {
  /// Largest document accepted, in bytes. More than a hundred tables of ten keys fit in it.
  package static let sizeLimit = 32 << 10
  /// Maximum number of names in a key, and of arrays and inline tables inside each other.
  package static let depthLimit = 16

  private(set) var text: [Unicode.Scalar] = []
  private(set) var values: [String: TOMLValue] = [:]
  private(set) var statements: [Statement] = []
  /// The number of characters before the first line: 1 for a byte order mark.
  private(set) var start = 0
  private var position = 0
  private var depth = 0
  private var header: [String] = []

  static let bare = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".unicodeScalars)
  private static let wordEnds = Set(" \t\r\n,]}#".unicodeScalars)
  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "b": "\u{8}", "t": "\t", "n": "\n", "f": "\u{C}", "r": "\r", "\"": "\"", "\\": "\\",
  ]

  /// Returns the keys and values of a document in UTF-8.
  package static func read(_ document: some Collection<UInt8>) throws(TOMLError) -> [String: TOMLValue] {
    try TOMLReader(document).values
  }

  struct Statement {
    let isHeader: Bool
    /// The full path: the names of the table around it, then its own.
    let path: [String]
    /// The number of `path`'s names that come from the header.
    let depth: Int
    /// The position in `text` of the value, or of a header's end.
    let range: Range<Int>
  }

  init(_ document: some Collection<UInt8>) throws(TOMLError) {
    guard document.count <= Self.sizeLimit else { throw .tooLarge(limit: Self.sizeLimit) }
    var bytes = document.makeIterator()
    var decoder = UTF8()
    decoding: while true {
      switch decoder.decode(&bytes) {
      case .scalarValue(let scalar): text.append(scalar)
      case .emptyInput: break decoding
      case .error: throw error("invalid UTF-8", at: text.count)
      }
      if text == ["\u{FEFF}"] { start = 1 }
    }
    position = start
    for (index, scalar) in text.enumerated()
    where scalar < " " && scalar != "\t" && scalar != "\n" || scalar == "\u{7F}" {
      if scalar == "\r", text[(index + 1)...].first == "\n" { continue }
      throw error("the control character \(scalar.escaped(asASCII: true))", at: index)
    }
    values = try readDocument()
  }

  /// An error at the next character, or at another.
  private func error(_ reason: String, at index: Int? = nil) -> TOMLError {
    let before = text[..<(index ?? position)]
    let line = 1 + before.count { $0 == "\n" }
    let column = before.endIndex - (before.lastIndex(of: "\n") ?? start - 1)
    return .invalid(line: line, column: column, reason: reason)
  }

  // MARK: Lines

  private mutating func readDocument() throws(TOMLError) -> [String: TOMLValue] {
    let root = OpenTable(.headed)
    var table = root
    while true {
      skipBlankLines()
      if next == nil { return root.values }
      if take("[") { table = try readHeader(in: root) } else { try readPair(into: table) }
      skipComment()
      guard next == nil || take("\n") else { throw error("expected the end of the line") }
    }
  }

  private mutating func readHeader(in root: OpenTable) throws(TOMLError) -> OpenTable {
    if next == "[" { throw error("arrays of tables, [[name]], are not supported") }
    let key = try readKey()
    let start = position
    guard take("]") else { throw error("expected ']' after the name of a table") }
    header = key.map(\.text)
    statements.append(Statement(isHeader: true, path: header, depth: header.count, range: start..<position))
    let parent = try descend(key.dropLast(), from: root, isHeader: true)
    let last = key[key.count - 1]
    switch parent.members[last.text] {
    case nil:
      let table = OpenTable(.headed)
      parent.members[last.text] = .table(table)
      return table
    case .table(let table) where table.origin == .implied:
      table.origin = .headed
      return table
    case .table, .value: throw error("\(Self.shown(key)) is defined twice", at: last.start)
    }
  }

  private mutating func readPair(into table: OpenTable) throws(TOMLError) {
    let key = try readKey()
    guard take("=") else { throw error("expected '=' after a key") }
    skipSpaces()
    let start = position
    let value = try readValue()
    if depth == 0 {
      let path = header + key.map(\.text)
      statements.append(Statement(isHeader: false, path: path, depth: header.count, range: start..<position))
    }
    let parent = try descend(key.dropLast(), from: table, isHeader: false)
    let last = key[key.count - 1]
    guard parent.members[last.text] == nil else { throw error("\(Self.shown(key)) is defined twice", at: last.start) }
    parent.members[last.text] = .value(value)
  }

  /// Returns the table that the names lead to, after adding the missing ones.
  private func descend(_ names: ArraySlice<Name>, from top: OpenTable, isHeader: Bool) throws(TOMLError) -> OpenTable {
    var table = top
    for (index, name) in zip(names.indices, names) {
      switch table.members[name.text] {
      case nil:
        let inner = OpenTable(isHeader ? .implied : .dotted)
        table.members[name.text] = .table(inner)
        table = inner
      case .table(let inner) where isHeader || inner.origin != .headed:
        if !isHeader { inner.origin = .dotted }
        table = inner
      case .table, .value:
        throw error("\(Self.shown(names[...index])) is defined above and cannot be extended", at: name.start)
      }
    }
    return table
  }

  /// Reads one or more names with dots between them, and the spaces around each.
  private mutating func readKey() throws(TOMLError) -> [Name] {
    var names: [Name] = []
    repeat {
      skipSpaces()
      let start = position
      guard names.count < Self.depthLimit else { throw error("a key has more than \(Self.depthLimit) names") }
      let isQuoted = next == "\"" || next == "'"
      let text = isQuoted ? try readString(mayHaveLines: false) : Self.string(take(while: Self.bare.contains))
      guard isQuoted || !text.isEmpty else { throw error("expected a key: letters, digits, - and _, or quotes") }
      names.append(Name(text: text, start: start))
      skipSpaces()
    } while take(".")
    return names
  }

  private static func shown(_ key: some Sequence<Name>) -> String {
    "'\(SafeText.excerpt(key.map(\.text).joined(separator: ".")))'"
  }

  // MARK: Values

  private mutating func readValue() throws(TOMLError) -> TOMLValue {
    switch next {
    case "\"", "'": return .string(try readString(mayHaveLines: true))
    case "[", "{":
      guard depth < Self.depthLimit else {
        throw error("arrays and inline tables are nested more than \(Self.depthLimit) deep")
      }
      depth += 1
      defer { depth -= 1 }
      return take("[") ? .array(try readArray()) : .table(try readInlineTable())
    default: return try readWord()
    }
  }

  private mutating func readArray() throws(TOMLError) -> [TOMLValue] {
    var elements: [TOMLValue] = []
    skipBlankLines()
    while !take("]") {
      elements.append(try readValue())
      skipBlankLines()
      guard take(",") || next == "]" else { throw error("expected ',' or ']' after a value of an array") }
      skipBlankLines()
    }
    return elements
  }

  private mutating func readInlineTable() throws(TOMLError) -> [String: TOMLValue] {
    position += 1
    skipSpaces()
    if take("}") { return [:] }
    let table = OpenTable(.dotted)
    repeat {
      try readPair(into: table)
      skipSpaces()
    } while take(",")
    guard take("}") else { throw error("expected ',' or '}' after a value of an inline table") }
    return table.values
  }

  private mutating func readWord() throws(TOMLError) -> TOMLValue {
    let start = position
    let word = Self.string(take(while: { !Self.wordEnds.contains($0) }))
    if word.isEmpty { throw error("expected a value") }
    if let value = TOMLValue(word: word) { return value }
    let shape = String(word.prefix(8).map { "0123456789".contains($0) ? "0" : $0 })
    if shape == "0000-00-" || shape.hasPrefix("00:00") { throw error("dates and times are not supported", at: start) }
    throw error("expected true, false, a number of up to 64 bits, or text in quotes", at: start)
  }

  // MARK: Strings

  private mutating func readString(mayHaveLines: Bool) throws(TOMLError) -> String {
    let start = position
    let quote = String(text[start])
    let hasLines = mayHaveLines && take(quote + quote + quote)
    if hasLines { _ = take("\n") } else { position += 1 }
    var string = String.UnicodeScalarView()
    while let scalar = next, hasLines || scalar != "\n" {
      if take(hasLines ? quote + quote + quote : quote) {
        // If four or five quotes end the string, the first of them belong to it.
        for _ in 0..<2 where hasLines && take(quote) { string.append(scalar) }
        return String(string)
      }
      if !take("\n") { position += 1 }
      if scalar != "\\" || quote == "'" {
        string.append(scalar)
      } else if let escaped = try readEscape(hasLines: hasLines) {
        string.append(escaped)
      }
    }
    throw error("a string has no closing quotes", at: start)
  }

  /// Reads the character of an escape; nil for a line end, which is left out together with the white space after it.
  private mutating func readEscape(hasLines: Bool) throws(TOMLError) -> Unicode.Scalar? {
    let start = position
    if hasLines {
      skipSpaces()
      if take("\n") {
        _ = take(while: { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\n" })
        return nil
      }
      position = start
    }
    guard let kind = next else { return nil }
    position += 1
    if let scalar = Self.escapes[kind] { return scalar }
    guard let count = ["u": 4, "U": 8][kind] else {
      throw error(#"invalid escape: use \b, \t, \n, \f, \r, \", \\, \uXXXX or \UXXXXXXXX"#, at: start - 1)
    }
    let digits = text[position...].prefix(count).prefix(while: \.properties.isASCIIHexDigit)
    position = digits.endIndex
    guard digits.count == count, let scalar = UInt32(Self.string(digits), radix: 16).flatMap(Unicode.Scalar.init),
      scalar != "\0"
    else {
      throw error("invalid escape: expected \(count) hexadecimal digits of a character, not U+0000", at: start - 1)
    }
    return scalar
  }

  // MARK: Characters

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  /// The next character. A line end is a line feed, whether a carriage return is before it or not.
  private var next: Unicode.Scalar? {
    guard position < text.count else { return nil }
    return text[position] == "\r" ? "\n" : text[position]
  }

  private mutating func take(_ expected: String) -> Bool {
    if expected == "\n", position < text.count, text[position] == "\r" { position += 1 }
    guard text[position...].starts(with: expected.unicodeScalars) else { return false }
    position += expected.unicodeScalars.count
    return true
  }

  private mutating func take(while isPart: (Unicode.Scalar) -> Bool) -> ArraySlice<Unicode.Scalar> {
    let part = text[position...].prefix(while: isPart)
    position = part.endIndex
    return part
  }

  private mutating func skipSpaces() { _ = take(while: { $0 == " " || $0 == "\t" }) }

  private mutating func skipComment() {
    skipSpaces()
    if next == "#" { _ = take(while: { $0 != "\n" }) }
  }

  private mutating func skipBlankLines() { repeat { skipComment() } while take("\n") }
}

private struct Name {
  let text: String
  let start: Int
}

/// A table that is not complete yet.
private final class OpenTable {
  enum Origin {
    /// A header of its own, `[a]`: neither a second header nor a dotted key under another header may add to the table.
    case headed
    /// The header of an inner table, `[a.b]`: its own header may follow.
    case implied
    /// A dotted key, `a.b = 1`: further dotted keys may add to the table; headers may add only inner tables.
    case dotted
  }

  enum Member {
    case value(TOMLValue)
    case table(OpenTable)
  }

  var origin: Origin
  var members: [String: Member] = [:]
  init(_ origin: Origin) { self.origin = origin }

  var values: [String: TOMLValue] {
    members.mapValues { member in
      switch member {
      case .value(let value): value
      case .table(let table): .table(table.values)
      }
    }
  }
}

/// The reasons why a document cannot be read as TOML.
package enum TOMLError: Error, Hashable, Sendable {
  /// The document is invalid, or uses a part of TOML that is not supported. Line and column count from 1, the column in
  /// Unicode scalars. The reason contains names but not values, because a value may be a secret without quotes.
  case invalid(line: Int, column: Int, reason: String)
  /// The document is larger than the limit.
  case tooLarge(limit: Int)

  /// The place and the reason, for a message that begins with the name of the file.
  package var message: String {
    switch self {
    case .invalid(let line, let column, let reason): "line \(line), column \(column): \(reason)"
    case .tooLarge(let limit): "it has more than \(limit) bytes"
    }
  }
}
