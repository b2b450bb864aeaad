// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import Testing

/// A kind of file in which people keep the bytes of a memory, made from a memory by the tests.
struct FoundContainer: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let file: @Sendable ([UInt8]) -> [UInt8]

  /// A container of text.
  init(_ name: String, _ text: @escaping @Sendable ([UInt8]) -> String) {
    testDescription = name
    file = { Array(text($0).utf8) }
  }

  init(bytes name: String, _ file: @escaping @Sendable ([UInt8]) -> [UInt8]) {
    testDescription = name
    self.file = file
  }

  static let all = source + tools + listings + traces + encodings + binary + databases

  // MARK: Parts of containers

  /// The lower-case digits of a number with zeros in front.
  static func digits(_ number: Int, _ count: Int = 2, radix: Int = 16) -> String {
    let digits = String(number, radix: radix)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  static func hex(_ bytes: some Sequence<UInt8>, _ separator: String = " ", mark: String = "") -> String {
    bytes.map { mark + digits(Int($0)).uppercased() }.joined(separator: separator)
  }

  static func decimal(_ bytes: some Sequence<UInt8>, _ separator: String = ", ") -> String {
    bytes.map { String($0) }.joined(separator: separator)
  }

  static func signed(_ bytes: [UInt8]) -> String { TextFixture.signed(bytes).joined(separator: ", ") }

  /// The characters of bytes in the last column of a listing.
  static func ascii(_ bytes: [UInt8]) -> String { TextFixture.ascii(bytes) }

  /// One line for each row of `count` bytes, made of its number and the bytes.
  static func rows(_ bytes: [UInt8], _ count: Int, _ line: (Int, [UInt8]) -> String) -> String {
    stride(from: 0, to: bytes.count, by: count).enumerated().map { number, start in
      line(number, Array(bytes[start..<min(start + count, bytes.count)])) + "\n"
    }.joined()
  }

  /// The words of `size` bytes, the lowest byte first.
  static func words(
    _ bytes: [UInt8], _ size: Int, radix: Int = 16, digits count: Int, _ separator: String, mark: String = ""
  ) -> String {
    stride(from: 0, to: bytes.count, by: size).map { start in
      let value = bytes[start..<start + size].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let text = String(value, radix: radix)
      return mark + String(repeating: "0", count: count - text.count) + text
    }.joined(separator: separator)
  }

  /// The words of a row as numbers in columns, the lowest byte first.
  static func numbers(_ bytes: [UInt8], _ size: Int, isSigned: Bool = false, padded: Character) -> String {
    stride(from: 0, to: bytes.count, by: size).map { start in
      let value = bytes[start..<start + size].reversed().reduce(0) { $0 << 8 | Int($1) }
      let sign = isSigned && value >> (8 * size - 1) == 1 ? 1 << (8 * size) : 0
      let text = String(value - sign)
      let width = size == 2 ? 5 : 10
      return "   " + String(repeating: padded, count: max(0, width - text.count)) + text
    }.joined()
  }

  /// A byte in a column of four characters, as `od -c` shows it.
  static func cell(_ byte: UInt8) -> String {
    let names: [UInt8: String] = [0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r"]
    let text =
      names[byte]
      ?? ((0x20...0x7E).contains(byte) ? String(Character(UnicodeScalar(byte))) : digits(Int(byte), 3, radix: 8))
    return String(repeating: " ", count: 4 - text.count) + text
  }

  /// Bytes of mail in lines of at most 75 characters, of which all but the last end with `=`.
  static func quotedPrintable(_ bytes: some Sequence<UInt8>) -> String {
    var lines = [""]
    for byte in bytes {
      let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=") || byte == 0x20
      let text = isPlain ? String(Character(UnicodeScalar(byte))) : "=" + digits(Int(byte)).uppercased()
      if byte == 0x0A {
        lines.append("")
      } else {
        if lines[lines.count - 1].count + text.count > 74 {
          lines[lines.count - 1] += "="
          lines.append("")
        }
        lines[lines.count - 1] += text
      }
    }
    return lines.joined(separator: "\n")
  }

  /// A number of so many bytes, the lowest first.
  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// The packet of a transmitter, in notifications of twenty bytes behind the headers of Bluetooth.
  static func notifications(_ memory: [UInt8]) -> [[UInt8]] {
    let head: [UInt8] = [
      0x28, 0x01, 0x6B, 0x05, 0x97, 0x67, 0x45, 0x23, 0x01, 0, 0xA0, 0x07, 0xE0, 0x50, 0, 0x39, 0, 0x02,
    ]
    let packet = head + memory + [0x29]
    return stride(from: 0, to: packet.count, by: 20).map { start in
      [0x02, 0x40, 0x20, 0x1B, 0, 0x17, 0, 0x04, 0, 0x1B, 0x0E, 0] + packet[start..<min(start + 20, packet.count)]
    }
  }

  /// The bytes as in the strings of Python and Rust: printable characters as they are, others as escapes.
  static func escaped(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      (0x20...0x7E).contains(byte) && byte != 0x22 && byte != 0x27 && byte != 0x5C
        ? String(Character(UnicodeScalar(byte))) : "\\x" + digits(Int(byte))
    }.joined()
  }

  static func base64(_ bytes: [UInt8]) -> String { TextFixture.base64(bytes) }

  /// A text in lines of `count` characters.
  static func wrapped(_ text: String, _ count: Int, _ line: (String) -> String = { $0 }) -> String {
    let characters = Array(text)
    return stride(from: 0, to: characters.count, by: count).map { start in
      line(String(characters[start..<min(start + count, characters.count)])) + "\n"
    }.joined()
  }

  /// Deflate with its fixed code, in which no byte stands as itself.
  static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    var (bits, count) = (0, 0)
    func put(_ value: Int, _ width: Int) {
      bits |= value << count
      count += width
      while count >= 8 {
        packed.append(UInt8(bits & 0xFF))
        bits >>= 8
        count -= 8
      }
    }
    // The last block, with the fixed code, whose codes begin with their highest bit.
    put(0b011, 3)
    for byte in bytes.map(Int.init) {
      let (code, width) = byte < 144 ? (0x30 + byte, 8) : (0x190 + byte - 144, 9)
      for bit in (0..<width).reversed() { put(code >> bit & 1, 1) }
    }
    put(0, 7)
    put(0, 7)
    return packed
  }

  static func zipEntry(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let packed = deflated(bytes)
    // The check and the sizes are not needed to unpack it.
    let head: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    return head + little(packed.count, 4) + little(bytes.count, 4) + little(name.utf8.count, 4) + Array(name.utf8)
      + packed
  }

  /// Lines of a log without a memory.
  static let prose = """
    2024-05-02 10:15:00.123 added a bed to the face of 12 feet, see http://example.org/ab/cd (0xDEADBEEF)
    MAC 00:11:22:33:44:55, version 1.2.3, UUID 0000ffe1-0000-1000-8000-00805f9b34fb

    """
}
