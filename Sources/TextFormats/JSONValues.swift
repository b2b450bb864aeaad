// SPDX-License-Identifier: Apache-2.0

/// The values of a JSON text one at a time, so that a file of many dumps needs no more memory than one of them.
///
/// | text begins with | its values |
/// |---|---|
/// | `[` | the elements of the array |
/// | a value on one line | the lines (NDJSON); an invalid line does not affect the others |
/// | a value over several lines | that value, and those that follow it |
package struct JSONValues {
  package struct Value {
    package let line: Int
    /// The bytes of the value. Its end is known, but not whether it is valid JSON.
    package let text: ArraySlice<UInt8>
  }

  private enum Form {
    case elements
    case lines(TextLines.Iterator)
    case values, finished
  }

  private let text: [UInt8]
  private var form: Form
  private var position: Int
  private var line = 1

  package init(_ text: [UInt8]) {
    self.text = text
    position = text.startIndex
    form = .values
    skipSpaces()
    if position < text.count, text[position] == UInt8(ascii: "[") {
      form = .elements
      position += 1
    } else if let end = valueEnd, !text[position..<end].contains(UInt8(ascii: "\n")) {
      form = .lines(TextLines.Iterator(bytes: text))
    }
  }

  /// True if a line is an object, as each is in NDJSON; its members are not checked.
  package static func isObject(_ line: ArraySlice<UInt8>) -> Bool {
    let object = TextLine(number: 1, bytes: line).trimmed
    guard object.first == UInt8(ascii: "{") else { return false }
    return JSONValues(Array(object)).valueEnd == object.count
  }

  /// nil at the end and after an error. Throws `notJSON` for a text that is truncated.
  package mutating func next() throws(JSONError) -> Value? {
    switch form {
    case .elements: return try nextElement()
    case .lines(var lines):
      var line = lines.next()
      while let empty = line, empty.isBlank { line = lines.next() }
      form = .lines(lines)
      return line.map { Value(line: $0.number, text: $0.bytes) }
    case .values: return nextValue()
    case .finished: return nil
    }
  }

  private mutating func nextElement() throws(JSONError) -> Value? {
    skipSpaces()
    guard position < text.count else {
      form = .finished
      throw .notJSON("the array is not closed")
    }
    guard text[position] != UInt8(ascii: "]") else {
      form = .finished
      return nil
    }
    let value = take(to: valueEnd ?? text.count)
    skipSpaces()
    if position < text.count, text[position] == UInt8(ascii: ",") {
      position += 1
    } else if position < text.count, text[position] != UInt8(ascii: "]") {
      form = .finished
      throw .notJSON("line \(line): a comma is missing")
    }
    return value
  }

  private mutating func nextValue() -> Value? {
    skipSpaces()
    guard position < text.count else { return nil }
    let isGroup = text[position] == UInt8(ascii: "{") || text[position] == UInt8(ascii: "[")
    return take(to: (isGroup ? valueEnd : nil) ?? text.count)
  }

  /// The end of the value at `position`: after its last bracket, or before a comma or bracket; nil if it is cut off.
  private var valueEnd: Int? {
    var depth = 0
    var index = position
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\""):
        index += 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
          index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return index }
        depth -= 1
        if depth == 0 { return index + 1 }
      case UInt8(ascii: ",") where depth == 0: return index
      default: break
      }
      index += 1
    }
    return nil
  }

  private mutating func take(to end: Int) -> Value {
    let value = Value(line: line, text: text[position..<end])
    line += value.text.count { $0 == UInt8(ascii: "\n") }
    position = end
    return value
  }

  private mutating func skipSpaces() {
    while position < text.count, TextLine.isSpace(text[position]) {
      if text[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }
}
