// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The members of a JSON object as they stand in the text, not decoded.
///
/// Strict: a text that is accepted is an object by RFC 8259, so that its members can be written into another document.
/// Line ends between the tokens are left out, so that a member is on one line.
package struct JSONMembers {
  package struct Member {
    /// The name between its quotes, with its escapes.
    package let name: String
    /// The name, the colon and the value.
    package let text: [UInt8]
  }

  package private(set) var members: [Member] = []

  private let source: [UInt8]
  private var index = 0
  private var depth = 0

  /// The deepest nesting accepted; that of the platform's decoder.
  private static let depthLimit = 512

  /// Reads an object; nil for any other text.
  package init?(_ text: [UInt8]) {
    source = text
    guard String(validating: text, as: UTF8.self) != nil, readObject(isOutermost: true), source.count == index else {
      return nil
    }
  }

  private mutating func readObject(isOutermost: Bool = false) -> Bool {
    skipSpace()
    guard skip("{") else { return false }
    skipSpace()
    if !skip("}") {
      repeat {
        skipSpace()
        let start = index
        guard readString() else { return false }
        let name = source[(start + 1)..<(index - 1)]
        skipSpace()
        guard skip(":"), readValue() else { return false }
        if isOutermost {
          members.append(
            Member(
              name: String(decoding: name, as: UTF8.self),
              text: source[start..<index].filter { $0 != 0x0A && $0 != 0x0D }))
        }
        skipSpace()
      } while skip(",")
      guard skip("}") else { return false }
    }
    if isOutermost { skipSpace() }
    return true
  }

  private mutating func readArray() -> Bool {
    guard skip("[") else { return false }
    skipSpace()
    if skip("]") { return true }
    repeat {
      guard readValue() else { return false }
      skipSpace()
    } while skip(",")
    return skip("]")
  }

  private mutating func readValue() -> Bool {
    skipSpace()
    guard index < source.count else { return false }
    switch source[index] {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < Self.depthLimit else { return false }
      depth += 1
      defer { depth -= 1 }
      return source[index] == UInt8(ascii: "{") ? readObject() : readArray()
    case UInt8(ascii: "\""): return readString()
    case UInt8(ascii: "t"): return skip("true")
    case UInt8(ascii: "f"): return skip("false")
    case UInt8(ascii: "n"): return skip("null")
    default: return readNumber()
    }
  }

  private mutating func readString() -> Bool {
    guard skip("\"") else { return false }
    while index < source.count {
      let byte = source[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return true
      case 0..<0x20: return false
      case UInt8(ascii: "\\"):
        guard index < source.count else { return false }
        let escape = source[index]
        index += 1
        if escape == UInt8(ascii: "u") {
          guard readDigits(atMost: 4, { HexText.nibble($0) != nil }) == 4 else { return false }
        } else if !"\"\\/bfnrt".utf8.contains(escape) {
          return false
        }
      default: break
      }
    }
    return false
  }

  private mutating func readNumber() -> Bool {
    _ = skip("-")
    if !skip("0"), readDigits() == 0 { return false }
    if skip("."), readDigits() == 0 { return false }
    if skip("e") || skip("E") {
      _ = skip("+") || skip("-")
      if readDigits() == 0 { return false }
    }
    return true
  }

  /// Skips digits and returns their number.
  private mutating func readDigits(
    atMost limit: Int = .max, _ isDigit: (UInt8) -> Bool = { (0x30...0x39).contains($0) }
  ) -> Int {
    let start = index
    while index < source.count, index - start < limit, isDigit(source[index]) { index += 1 }
    return index - start
  }

  private mutating func skipSpace() {
    while index < source.count, [0x20, 0x09, 0x0A, 0x0D].contains(source[index]) { index += 1 }
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= source.count else { return false }
    for offset in 0..<count where source[index + offset] != text.utf8Start[offset] { return false }
    index += count
    return true
  }
}
