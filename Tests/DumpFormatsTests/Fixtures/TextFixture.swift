// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import DumpFormats

/// A dump of another program, made line by line by the tests, so that it can be damaged line by line.
struct TextFixture: Sendable, CustomTestStringConvertible {
  let format: any DumpFormat
  /// The lines before the blocks: titles, UID.
  let head: [String]
  /// The lines with blocks, in the order of their numbers.
  let blocks: [String]
  let tail: [String]
  /// Each line names its block, so order and copies do not matter.
  let numbersBlocks: Bool
  /// A log may write a time and a name before each line.
  let takesPrefix: Bool
  /// The expected result.
  let image: MemoryImage

  init(
    _ format: any DumpFormat, head: [String] = [], blocks: [String], tail: [String] = [], numbersBlocks: Bool = true,
    takesPrefix: Bool = true, image: MemoryImage = MemoryImage(bytes: memory)
  ) {
    (self.format, self.head, self.blocks, self.tail) = (format, head, blocks, tail)
    (self.numbersBlocks, self.takesPrefix, self.image) = (numbersBlocks, takesPrefix, image)
  }

  var testDescription: String { format.name }
  var lines: [String] { head + blocks + tail }
  var text: String { lines.map { $0 + "\n" }.joined() }

  /// A memory with three valid checksums; its bytes have no meaning.
  static let memory = MemoryBuilder.pattern().bytes
  static let uid = SensorUID(bits: 0xE007_A000_0123_4567)
  static let imageWithUID = MemoryImage(bytes: memory, uid: uid)

  /// The blocks of `memory`, eight bytes each.
  static let memoryBlocks: [[UInt8]] = stride(from: 0, to: memory.count, by: 8).map { Array(memory[$0..<$0 + 8]) }

  /// Two digits for each byte, in upper or lower case, without help from the code under test.
  static func hex(_ bytes: [UInt8], separator: String = " ", upper: Bool = true) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16, uppercase: upper)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: separator)
  }

  /// The column of characters that dumps print next to the bytes.
  static func ascii(_ bytes: [UInt8]) -> String {
    String(bytes.map { (0x20...0x7E).contains($0) ? Character(UnicodeScalar($0)) : "." })
  }
}
