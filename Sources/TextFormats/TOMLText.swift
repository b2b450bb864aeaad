// SPDX-License-Identifier: Apache-2.0

/// A TOML document as its user wrote it, of which a program changes single keys and tables. All other lines keep their
/// comments, order and line ends.
///
/// Each change is checked by reading the new text: it must have the old values with this change and no other. If that
/// is not possible, for example inside an inline table, nothing is changed.
package struct TOMLText {
  package private(set) var values: [String: TOMLValue]
  /// The lines without line feeds; a carriage return belongs to its line.
  private var lines: [Substring.UnicodeScalarView]
  private var statements: [Statement]
  private let hasByteOrderMark: Bool

  /// A header or a key with the lines that it takes.
  private struct Statement {
    let isHeader: Bool
    /// The full path: the names of the table around it, then its own.
    let path: [String]
    /// The number of `path`'s names that come from the header before it.
    let depth: Int
    let lines: ClosedRange<Int>
    /// The column of the value in its first line, and that after its end in its last line.
    let columns: (first: Int, end: Int)
  }

  /// The text of a document.
  ///
  /// - Throws: `TOMLError` for a document that `TOMLReader` does not accept.
  package init(_ document: some Collection<UInt8>) throws(TOMLError) {
    let (values, found) = try TOMLReader.statements(in: document)
    self.values = values
    let text = String(decoding: document, as: UTF8.self).unicodeScalars
    hasByteOrderMark = text.first == "\u{FEFF}"
    lines = text.dropFirst(hasByteOrderMark ? 1 : 0).split(separator: "\n", omittingEmptySubsequences: false)
      .map { Substring.UnicodeScalarView($0) }
    // Positions count a line end as one scalar.
    var starts: [Int] = [0]
    for line in lines { starts.append(starts[starts.count - 1] + line.count + (line.last == "\r" ? 0 : 1)) }
    func place(_ position: Int) -> (line: Int, column: Int) {
      let line = (starts.firstIndex { $0 > position } ?? starts.count) - 1
      return (line, position - starts[line])
    }
    var header: [String] = []
    statements = found.map { statement in
      if statement.isHeader { header = statement.names }
      let (first, end) = (place(statement.range.lowerBound), place(statement.range.upperBound))
      return Statement(
        isHeader: statement.isHeader, path: statement.isHeader ? header : header + statement.names,
        depth: header.count, lines: first.line...end.line, columns: (first.column, end.column))
    }
  }

  package var bytes: [UInt8] {
    let text = lines.map(String.init).joined(separator: "\n")
    return Array(((hasByteOrderMark ? "\u{FEFF}" : "") + text).utf8)
  }

  // MARK: Changing it

  /// Replaces the value of a key; adds the key to its table, or at the top, if it is missing; removes its lines if the
  /// value is nil.
  ///
  /// The result is false, and nothing is changed, if the document is written in a way that does not allow it.
  package mutating func set(_ path: [String], to value: TOMLValue?) -> Bool {
    var lines = lines
    if let old = statements.last(where: { !$0.isHeader && $0.path == path }) {
      let (first, last) = (lines[old.lines.lowerBound], lines[old.lines.upperBound])
      let line = value.map {
        String(first.prefix(old.columns.first)) + $0.text + String(last.dropFirst(old.columns.end))
      }
      lines.replaceSubrange(old.lines, with: line.map { [Self.line($0)] } ?? [])
    } else if let value {
      let headers = statements.filter { $0.isHeader && $0.path.count < path.count && path.starts(with: $0.path) }
      let header = headers.max { $0.path.count < $1.path.count }
      let depth = header?.path.count ?? 0
      let key = path[depth...].map(Self.name).joined(separator: ".")
      insert("\(key) = \(value.text)", under: header?.path ?? [], into: &lines)
    }
    return take(lines) { Self.set(path[...], to: value, in: &$0) }
  }

  /// Removes a table, from the empty line before its header to its last key. A comment after that stays, because it
  /// belongs to what follows.
  ///
  /// The result is false, and nothing is changed, if the table has no header of its own.
  package mutating func remove(table path: [String]) -> Bool {
    guard let header = statements.first(where: { $0.isHeader && $0.path == path }) else { return false }
    var lines = lines
    var first = header.lines.lowerBound
    if first > 0, Self.isBlank(lines[first - 1]) { first -= 1 }
    lines.removeSubrange(first...lastLine(under: path))
    return take(lines) { Self.set(path[...], to: nil, in: &$0) }
  }

  /// Adds a table with its header at the end, after an empty line. `keys` are written in their order.
  ///
  /// The result is false, and nothing is changed, if the document has another table of that name.
  package mutating func append(table path: [String], _ keys: [(String, TOMLValue)]) -> Bool {
    var lines = lines
    if lines.allSatisfy(\.isEmpty) {
      lines.removeLast()
    } else if lines.last?.isEmpty == false {
      lines[lines.count - 1].append(contentsOf: end)
      lines.append(Self.line(String(end)))
    } else {
      lines[lines.count - 1] = Self.line(String(end))
    }
    let header = "[\(path.map(Self.name).joined(separator: "."))]"
    lines += ([header] + keys.map { "\(Self.name($0)) = \($1.text)" }).map { Self.line($0 + String(end)) }
    lines.append(Self.line(""))
    return take(lines) { Self.set(path[...], to: .table(Dictionary(uniqueKeysWithValues: keys)), in: &$0) }
  }

  /// Accepts the new lines if their values are what `change` makes of the old ones.
  private mutating func take(
    _ lines: [Substring.UnicodeScalarView], _ change: (inout [String: TOMLValue]) -> Void
  ) -> Bool {
    var (copy, wanted) = (self, values)
    copy.lines = lines
    change(&wanted)
    guard let new = try? TOMLText(copy.bytes), Self.filled(new.values) == Self.filled(wanted) else { return false }
    self = new
    return true
  }

  // MARK: Lines

  /// Inserts after the last key under the header of the path; if it has none, after the header, or at the top before
  /// the first header and the comment directly above it.
  private func insert(_ text: String, under path: [String], into lines: inout [Substring.UnicodeScalarView]) {
    let first = statements.first(where: \.isHeader)?.lines.lowerBound
    let isAlone = path.isEmpty && !statements.contains { $0.depth == 0 }
    guard isAlone else {
      var place = lastLine(under: path) + 1
      if place == lines.count {
        // The last line has no end yet.
        lines[place - 1].append(contentsOf: end)
        lines.append(Self.line(""))
        place = lines.count - 1
      }
      return lines.insert(Self.line(text + String(end)), at: place)
    }
    var place = first ?? lines.count
    if first != nil {
      while place > 0, !Self.isBlank(lines[place - 1]) { place -= 1 }
    } else if lines.last?.isEmpty == true {
      place -= 1
    } else {
      lines[lines.count - 1].append(contentsOf: end)
    }
    lines.insert(contentsOf: [text + String(end)].map(Self.line) + (first == nil ? [] : [end]), at: place)
    if place == lines.count - 1 { lines.append(Self.line("")) }
  }

  /// Returns the last line of the last key under a header, or of the header itself.
  private func lastLine(under path: [String]) -> Int {
    statements.last { $0.depth == path.count && $0.path.starts(with: path) }?.lines.upperBound ?? 0
  }

  /// The carriage return of the document's line ends, or nothing.
  private var end: Substring.UnicodeScalarView { Self.line(lines.dropLast().contains { $0.last == "\r" } ? "\r" : "") }

  private static func line(_ text: String) -> Substring.UnicodeScalarView { Substring(text).unicodeScalars }

  private static func isBlank(_ line: Substring.UnicodeScalarView) -> Bool {
    line.allSatisfy { " \t\r".unicodeScalars.contains($0) }
  }

  /// Returns a name as a key: without quotes if that is possible.
  private static func name(_ name: String) -> String {
    let isBare =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
          || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      }
    return isBare ? name : TOMLValue.string(name).text
  }

  // MARK: Values

  private static func set(_ path: ArraySlice<String>, to value: TOMLValue?, in table: inout [String: TOMLValue]) {
    guard let name = path.first else { return }
    if path.count == 1 {
      table[name] = value
    } else {
      var inner: [String: TOMLValue] = if case .table(let values) = table[name] { values } else { [:] }
      set(path.dropFirst(), to: value, in: &inner)
      table[name] = .table(inner)
    }
  }

  /// Returns the table without empty inner tables, because a header may remain whose keys were removed.
  private static func filled(_ table: [String: TOMLValue]) -> [String: TOMLValue] {
    table.compactMapValues { value in
      guard case .table(let inner) = value else { return value }
      let filled = filled(inner)
      return filled.isEmpty ? nil : .table(filled)
    }
  }
}

extension TOMLValue {
  /// The value as TOML: basic strings, and all on one line.
  package var text: String {
    switch self {
    case .string(let text): Self.quoted(text)
    case .integer(let number): String(number)
    case .float(let text): text
    case .boolean(let isTrue): isTrue ? "true" : "false"
    case .array(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
    case .table(let table):
      "{ \(table.sorted { $0.key < $1.key }.map { "\(Self.quoted($0)) = \($1.text)" }.joined(separator: ", ")) }"
    }
  }

  /// The value for the text of a setting: booleans and whole numbers are written without quotes.
  package init(settingText text: String) {
    let isBare = ["true", "false"].contains(text) || Int64(text).map { String($0) == text } ?? false
    self = isBare ? TOMLValue(word: text) ?? .string(text) : .string(text)
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
