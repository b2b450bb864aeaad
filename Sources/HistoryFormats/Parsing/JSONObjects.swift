// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// The objects of a JSON array, or of a text of one object after the other (NDJSON), from pieces of a file: append a
/// piece, take the objects that are complete.
struct JSONObjects {
  struct Object {
    /// On which it begins, from 1.
    let line: Int
    /// From `{` to the `}` that closes it; what is between is not known to be JSON.
    let text: [UInt8]
  }

  private enum Place {
    /// Before anything; between objects outside an array; in an array before an object, or after one.
    case start, between, element, afterElement
    /// In an object; after the array.
    case object, end
  }

  private var piece: [UInt8] = []
  private var position = 0
  private var place = Place.start
  private var isArray = false
  /// True between the comma and the object that must follow it.
  private var owesElement = false
  private var line = 1
  private var text: [UInt8] = []
  private var firstLine = 1
  private var depth = 0
  private var isString = false
  private var isEscaped = false

  /// Adds the next piece of the file. All objects of the piece before must have been taken.
  mutating func append(_ piece: [UInt8]) {
    self.piece = piece
    position = 0
  }

  /// The next complete object; nil when the rest of the piece holds none.
  mutating func next() throws(HistoryError) -> Object? {
    while position < piece.count {
      let byte = piece[position]
      position += 1
      if byte == UInt8(ascii: "\n") { line += 1 }
      if place == .object {
        try add(byte)
        if depth == 0 { return take() }
      } else if !TextLine.isSpace(byte) {
        try take(outside: byte)
      }
    }
    return nil
  }

  /// Throws `truncated` if the file ends within an object or an array.
  func finish() throws(HistoryError) {
    switch place {
    case .object: throw .truncated("the object that begins on line \(firstLine) has no end")
    case .element, .afterElement: throw .truncated("the array has no end")
    case .start, .between, .end: return
    }
  }

  private mutating func take(outside byte: UInt8) throws(HistoryError) {
    switch (place, byte) {
    // A byte order mark; no JSON begins with these.
    case (.start, 0xEF), (.start, 0xBB), (.start, 0xBF): return
    case (.start, UInt8(ascii: "[")):
      isArray = true
      place = .element
    case (.start, UInt8(ascii: "{")), (.between, UInt8(ascii: "{")), (.element, UInt8(ascii: "{")):
      (place, firstLine, depth, owesElement) = (.object, line, 1, false)
      text = [byte]
    case (.afterElement, UInt8(ascii: ",")): (place, owesElement) = (.element, true)
    case (.afterElement, UInt8(ascii: "]")): place = .end
    case (.element, UInt8(ascii: "]")) where !owesElement: place = .end
    default:
      let wanted = place == .afterElement ? "a comma or a bracket" : place == .end ? "nothing more" : "an object"
      throw .badLine(line, "\(wanted) is expected, not \(SafeText.quoted(String(decoding: [byte], as: UTF8.self)))")
    }
  }

  private mutating func add(_ byte: UInt8) throws(HistoryError) {
    guard text.count < JSONReading.limit else {
      throw .badLine(firstLine, "an object of more than \(JSONReading.limit) bytes")
    }
    text.append(byte)
    if isEscaped {
      isEscaped = false
    } else if isString {
      if byte == UInt8(ascii: "\\") { isEscaped = true }
      if byte == UInt8(ascii: "\"") { isString = false }
    } else {
      switch byte {
      case UInt8(ascii: "\""): isString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
  }

  private mutating func take() -> Object {
    defer { text = [] }
    place = isArray ? .afterElement : .between
    return Object(line: firstLine, text: text)
  }
}
