// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// The objects of a JSON array, or of a sequence of objects (NDJSON), from pieces of a file: append a piece, then take
/// the objects that are complete.
struct JSONObjects {
  struct Object {
    /// The line on which it begins, from 1.
    let line: Int
    /// The bytes from `{` to the `}` that closes it; they are not known to be valid JSON.
    let text: [UInt8]
  }

  private enum Place {
    /// Places outside an object: before the text; between objects; in an array before an object, or after one.
    case start, between, element, afterElement
    /// The inside of an object; the end after the array.
    case object, end
  }

  private var piece: [UInt8] = []
  private var position = 0
  private var place = Place.start
  private var isArray = false
  /// True between a comma and the object that must follow it.
  private var needsElement = false
  private var line = 1
  private var text: [UInt8] = []
  private var firstLine = 1
  private var depth = 0
  private var isString = false
  private var isEscaped = false

  /// Adds the next piece of the file, after all objects of the piece before were taken.
  mutating func append(_ piece: [UInt8]) {
    self.piece = piece
    position = 0
  }

  /// Returns the next complete object; nil if the rest of the piece has none.
  mutating func next() throws(HistoryError) -> Object? {
    while position < piece.count {
      if place == .object {
        try addInside()
        if depth == 0 { return take() }
      } else {
        let byte = piece[position]
        position += 1
        if byte == UInt8(ascii: "\n") { line += 1 }
        if !TextLine.isSpace(byte) { try take(outside: byte) }
      }
    }
    return nil
  }

  func finish() throws(HistoryError) {
    switch place {
    case .object: throw .truncated("the object that begins on line \(firstLine) is not closed")
    case .element, .afterElement: throw .truncated("the array is not closed")
    case .start, .between, .end: return
    }
  }

  private mutating func take(outside byte: UInt8) throws(HistoryError) {
    switch (place, byte) {
    // A byte order mark; JSON never begins with these bytes.
    case (.start, 0xEF), (.start, 0xBB), (.start, 0xBF): return
    case (.start, UInt8(ascii: "[")):
      isArray = true
      place = .element
    case (.start, UInt8(ascii: "{")), (.between, UInt8(ascii: "{")), (.element, UInt8(ascii: "{")):
      (place, firstLine, depth, needsElement) = (.object, line, 1, false)
      text = [byte]
    case (.afterElement, UInt8(ascii: ",")): (place, needsElement) = (.element, true)
    case (.afterElement, UInt8(ascii: "]")): place = .end
    case (.element, UInt8(ascii: "]")) where !needsElement: place = .end
    default:
      let wanted = place == .afterElement ? "a comma or a bracket" : place == .end ? "the end of the file" : "an object"
      throw .badLine(line, "expected \(wanted), got \(SafeText.quoted(String(decoding: [byte], as: UTF8.self)))")
    }
  }

  /// Takes the bytes of the object up to its end, or up to the end of the piece.
  private mutating func addInside() throws(HistoryError) {
    let start = position
    // Local copies, because each byte of a large file passes here.
    let piece = piece
    var (index, depth, line) = (position, depth, line)
    var (isString, isEscaped) = (isString, isEscaped)
    let bytes = piece.span
    while index < bytes.count, depth > 0 {
      let byte = bytes[index]
      index += 1
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
      if byte == UInt8(ascii: "\n") { line += 1 }
    }
    (position, self.depth, self.line, self.isString, self.isEscaped) = (index, depth, line, isString, isEscaped)
    guard text.count + index - start <= JSONReading.limit else {
      throw .badLine(firstLine, "the object has more than \(JSONReading.limit) bytes")
    }
    text += piece[start..<index]
  }

  private mutating func take() -> Object {
    defer { text = [] }
    place = isArray ? .afterElement : .between
    return Object(line: firstLine, text: text)
  }
}
