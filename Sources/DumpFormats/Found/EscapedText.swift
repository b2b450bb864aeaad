// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TextFormats

/// Strings of programs in which bytes stand as themselves, or as escapes where they are not printable:
/// `b'\xec\xf5\xa0\x19\x03\x00'`, `"\354\365"`, `"\u00ec"`, `%EC%F5` in URLs, and the cells of `od -c`.
enum EscapedText {
  private static let layer = "escaped text"

  static func search(_ text: [UInt8], _ found: inout FoundList) {
    // A memory has hundreds of bytes, some of which are not printable.
    guard text.count >= MemoryMap.byteCount else { return }
    if text.contains(UInt8(ascii: "\\")) {
      searchStrings(text, &found)
      searchCells(text, &found)
    }
    if text.contains(UInt8(ascii: "%")) { searchURL(text, &found) }
  }

  private static func searchStrings(_ text: [UInt8], _ found: inout FoundList) {
    var search = MemorySearch(layer)
    var position = 0
    var quote: UInt8?
    while position < text.count {
      let start = position
      let character = text[position]
      position += 1
      switch character {
      case UInt8(ascii: "\\"): if let byte = escaped(text, &position) { search.append(byte, at: start, &found) }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        // The other quote is a character of the string.
        if let open = quote, open != character {
          search.append(character, at: start, &found)
        } else if quote == nil {
          quote = character
        } else if let next = afterJoint(text, position, quote: character) {
          position = next
        } else {
          quote = nil
        }
      default:
        if character == 0x0A { quote = nil }
        search.append(character, at: start, &found)
      }
    }
    search.end(&found)
  }

  /// Rows of an offset of seven digits and cells of four characters, whose last ones are a byte.
  private static func searchCells(_ text: [UInt8], _ found: inout FoundList) {
    var search = MemorySearch(layer)
    var lines = LineParts(text)
    while let line = lines.next() {
      guard line.count > 7, (line.count - 7).isMultiple(of: 4), text[line].prefix(7).allSatisfy(\.isLetterOrDigit)
      else {
        continue
      }
      for start in stride(from: line.lowerBound + 7, to: line.upperBound, by: 4) {
        let cell = text[start..<start + 4].drop { $0 == 0x20 }
        var position = start + 4 - cell.count
        switch cell.count {
        case 0: search.append(0x20, at: start, &found)
        case 1: search.append(cell[position], at: start, &found)
        default:
          if cell.count == 2 { position += 1 }
          if let byte = escaped(text, &position) { search.append(byte, at: start, &found) }
        }
      }
    }
    search.end(&found)
  }

  private static func searchURL(_ text: [UInt8], _ found: inout FoundList) {
    var search = MemorySearch(layer)
    var position = 0
    while position < text.count {
      let start = position
      position += 1
      let byte = text[start] == UInt8(ascii: "%") ? hex(text, &position, count: 2) : nil
      search.append(byte ?? text[start], at: start, &found)
    }
    search.end(&found)
  }

  /// The byte of an escape after its backslash; nil for the end of a line.
  private static func escaped(_ text: [UInt8], _ position: inout Int) -> UInt8? {
    guard position < text.count else { return nil }
    let character = text[position]
    position += 1
    switch character {
    case UInt8(ascii: "x"): return hex(text, &position, count: 2)
    case UInt8(ascii: "u"): return hex(text, &position, count: 4)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var value = Int(character - UInt8(ascii: "0"))
      var count = 1
      while count < 3, position < text.count, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(text[position]) {
        value = value * 8 + Int(text[position] - UInt8(ascii: "0"))
        position += 1
        count += 1
      }
      return UInt8(truncatingIfNeeded: value)
    case 0x0A, 0x0D: return nil
    default: return named[character] ?? character
    }
  }

  private static let named = Dictionary(
    uniqueKeysWithValues: zip("abtnvfre".utf8, [0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1B] as [UInt8]))

  private static func hex(_ text: [UInt8], _ position: inout Int, count: Int) -> UInt8? {
    guard position + count <= text.count else { return nil }
    var value = 0
    for digit in text[position..<position + count] {
      guard let nibble = HexText.nibble(digit) else { return nil }
      value = value << 4 | Int(nibble)
    }
    guard value <= 0xFF else { return nil }
    position += count
    return UInt8(value)
  }

  /// The place after the next quote, if only a joint of two strings is between: `" +\n    "`, `'\n b'`; else nil.
  private static func afterJoint(_ text: [UInt8], _ position: Int, quote: UInt8) -> Int? {
    for next in position..<min(position + 80, text.count) {
      let character = text[next]
      if character == quote { return next + 1 }
      guard TextLine.isSpace(character) || "+.&\\,b_".utf8.contains(character) else { return nil }
    }
    return nil
  }
}
