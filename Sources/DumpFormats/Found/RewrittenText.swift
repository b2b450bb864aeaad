// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// A text as it is read by people, without what a language of documents or mail puts between its characters.
struct RewrittenText {
  let layer: String
  private(set) var text: [UInt8] = []
  /// The place in the file of each of its characters.
  private(set) var places: [Int] = []

  /// A longer text is not rewritten, because it would be in memory several times.
  private static let limit = 4 << 20

  static func all(of text: [UInt8]) -> [RewrittenText] {
    guard text.count <= limit else { return [] }
    return [quotedPrintable(text), markup(text)].compactMap(\.self)
  }

  private init(_ layer: String) { self.layer = layer }

  private mutating func append(_ byte: UInt8, at place: Int) {
    text.append(byte)
    places.append(place)
  }

  /// Quoted-printable (RFC 2045): `=EC` is a byte, and a line that ends with `=` goes on in the next one. nil for a text
  /// without such a line.
  private static func quotedPrintable(_ text: [UInt8]) -> RewrittenText? {
    guard text.contains(text: "=\n") || text.contains(text: "=\r\n") else { return nil }
    var rewritten = RewrittenText("quoted-printable")
    var position = 0
    while position < text.count {
      let rest = text[position...]
      if rest.starts(with: "=\n".utf8) {
        position += 2
      } else if rest.starts(with: "=\r\n".utf8) {
        position += 3
      } else if rest.first == UInt8(ascii: "="), let byte = LineNumber.byte(rest.dropFirst().prefix(2)) {
        rewritten.append(byte, at: position)
        position += 3
      } else {
        rewritten.append(text[position], at: position)
        position += 1
      }
    }
    return rewritten
  }

  /// The text between the tags of HTML or XML; nil for a text with few tags.
  private static func markup(_ text: [UInt8]) -> RewrittenText? {
    guard text.count(where: { $0 == UInt8(ascii: "<") }) > 8, text.contains(text: "</") else { return nil }
    var rewritten = RewrittenText("markup")
    var position = 0
    while position < text.count {
      guard text[position] == UInt8(ascii: "<"),
        let end = text[(position + 1)...].firstIndex(where: { "<>".utf8.contains($0) }), text[end] == UInt8(ascii: ">")
      else {
        rewritten.append(text[position], at: position)
        position += 1
        continue
      }
      if !isWithinLine(text[position + 1..<end]) { rewritten.append(0x0A, at: position) }
      position = end + 1
    }
    return rewritten
  }

  /// True for a tag that does not end a line: of a font, a link, or a run of equal letters in Word.
  private static func isWithinLine(_ tag: ArraySlice<UInt8>) -> Bool {
    let name = tag.drop { $0 == UInt8(ascii: "/") }.prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: ":") }
    return inline.contains { name.elementsEqual($0.utf8) }
  }

  private static let inline = [
    "w:r", "w:t", "w:rPr", "w:rFonts", "w:proofErr", "span", "font", "code", "a", "b", "i", "em", "strong",
  ]
}
