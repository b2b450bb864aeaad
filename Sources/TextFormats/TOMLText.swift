// SPDX-License-Identifier: Apache-2.0

/// A TOML document as its user wrote it, of which a program changes single keys and tables. All other lines keep their
/// comments, order and line ends. Each change is checked by reading the new text: it must have the old values with this
/// change and no other. If that is not possible, for example inside an inline table, nothing is changed.
package struct TOMLText {
  package var values: [String: TOMLValue] { reader.values }
  package var bytes: [UInt8] { Self.bytes(reader.text) }
  private var reader: TOMLReader
  package init(_ document: some Collection<UInt8>) throws(TOMLError) { reader = try TOMLReader(document) }

  /// Replaces a key's value, adds a missing key to its table or at the top, or removes its lines if the value is nil.
  /// False, and nothing is changed, if the document is written in a way that does not allow it.
  package mutating func set(_ path: [String], to value: TOMLValue?) -> Bool {
    var text = reader.text
    if let old = reader.statements.last(where: { !$0.isHeader && $0.path == path }) {
      if let value {
        text.replaceSubrange(old.range, with: value.text.unicodeScalars)
      } else {
        removeLines(of: old.range, from: &text)
      }
    } else if let value {
      let headers = reader.statements.filter {
        $0.isHeader && $0.path.count < path.count && path.starts(with: $0.path)
      }
      let table = headers.max { $0.path.count < $1.path.count }?.path ?? []
      let key = path[table.count...].map(Self.name).joined(separator: ".")
      insert("\(key) = \(value.text)\(lineEnd)", under: table, into: &text)
    }
    return take(text) { Self.set(path[...], to: value, in: &$0) }
  }

  /// Removes a table, from the empty line before its header to its last key; a comment after that belongs to what
  /// follows. False, and nothing is changed, if the table has no header of its own.
  package mutating func remove(table path: [String]) -> Bool {
    guard let header = reader.statements.first(where: { $0.isHeader && $0.path == path }) else { return false }
    var text = reader.text
    var first = lineStart(of: header.range.lowerBound)
    if first > reader.start, isBlank(lineBefore(first)) { first = lineStart(of: first - 1) }
    removeLines(of: first..<endOfKeys(under: path), from: &text)
    return take(text) { Self.set(path[...], to: nil, in: &$0) }
  }

  /// Adds a table with its header at the end, after an empty line, with `keys` in their order. False, and nothing is
  /// changed, if the document has another table of that name.
  package mutating func append(table path: [String], _ keys: [(String, TOMLValue)]) -> Bool {
    let header = "[\(path.map(Self.name).joined(separator: "."))]"
    let lines = [header] + keys.map { "\(Self.name($0)) = \($1.text)" }
    let isEmpty = reader.text[reader.start...].allSatisfy { $0 == "\n" }
    let space = isEmpty ? "" : reader.text.last == "\n" ? lineEnd : lineEnd + lineEnd
    let text = reader.text + (space + lines.map { $0 + lineEnd }.joined()).unicodeScalars
    return take(text) { Self.set(path[...], to: .table(Dictionary(uniqueKeysWithValues: keys)), in: &$0) }
  }

  /// Accepts the new text if its values are what `change` makes of the old ones.
  private mutating func take(_ text: [Unicode.Scalar], _ change: (inout [String: TOMLValue]) -> Void) -> Bool {
    var wanted = values
    change(&wanted)
    guard let new = try? TOMLReader(Self.bytes(text)), Self.filled(new.values) == Self.filled(wanted) else {
      return false
    }
    reader = new
    return true
  }

  // MARK: Lines

  /// Inserts a line after the last key under the header of the path; if it has none, after the header, or at the top
  /// before the first header and the comment directly above it.
  private func insert(_ line: String, under path: [String], into text: inout [Unicode.Scalar]) {
    var line = line
    var place = text.count
    if !path.isEmpty || reader.statements.contains(where: { $0.depth == 0 }) {
      place = nextLine(after: endOfKeys(under: path))
    } else if let first = reader.statements.first(where: \.isHeader) {
      place = lineStart(of: first.range.lowerBound)
      while place > reader.start, !isBlank(lineBefore(place)) { place = lineStart(of: place - 1) }
      line += lineEnd
    }
    // The last line may have no end yet.
    if place == text.count, place > reader.start, text.last != "\n" { line = lineEnd + line }
    text.insert(contentsOf: line.unicodeScalars, at: place)
  }

  /// Removes the lines that a range is on; of a last line without an end, the end of the line before it.
  private func removeLines(of range: Range<Int>, from text: inout [Unicode.Scalar]) {
    var (first, end) = (lineStart(of: range.lowerBound), nextLine(after: range.upperBound))
    if text[end - 1] != "\n", first > reader.start {
      first -= 1
      if text[..<first].last == "\r" { first -= 1 }
    }
    text.removeSubrange(first..<end)
  }

  /// Returns the position after the last key under a header, or after the header itself.
  private func endOfKeys(under path: [String]) -> Int {
    reader.statements.last { $0.depth == path.count && $0.path.starts(with: path) }?.range.upperBound ?? reader.start
  }

  private func lineStart(of position: Int) -> Int {
    reader.text[..<position].lastIndex(of: "\n").map { $0 + 1 } ?? reader.start
  }

  private func nextLine(after position: Int) -> Int {
    reader.text[position...].firstIndex(of: "\n").map { $0 + 1 } ?? reader.text.count
  }

  private func lineBefore(_ position: Int) -> ArraySlice<Unicode.Scalar> {
    reader.text[lineStart(of: position - 1)..<position]
  }

  private func isBlank(_ line: ArraySlice<Unicode.Scalar>) -> Bool {
    line.allSatisfy { " \t\r\n".unicodeScalars.contains($0) }
  }

  private var lineEnd: String { reader.text.contains("\r") ? "\r\n" : "\n" }
  private static func bytes(_ text: [Unicode.Scalar]) -> [UInt8] { Array(String(String.UnicodeScalarView(text)).utf8) }

  /// Returns a name as a key: without quotes if that is possible.
  private static func name(_ name: String) -> String {
    let isBare = !name.isEmpty && name.unicodeScalars.allSatisfy(TOMLReader.bare.contains)
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
