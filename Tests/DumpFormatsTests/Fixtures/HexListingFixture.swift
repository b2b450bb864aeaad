// SPDX-License-Identifier: Apache-2.0
import CGMModel

@testable import DumpFormats

extension TextFixture {
  /// Rows of `width` bytes with their offset in hex.
  private static func rows(_ width: Int) -> [(offset: String, bytes: [UInt8])] {
    stride(from: 0, to: memory.count, by: width).map { start in
      let digits = String(start, radix: 16)
      return (
        String(repeating: "0", count: 8 - digits.count) + digits,
        Array(memory[start..<min(start + width, memory.count)])
      )
    }
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: width - text.count)
  }

  /// `xxd`: 16 bytes on each row, in groups of two.
  static let xxd = TextFixture(
    XxdDump(), head: ["$ xxd memory.bin"],
    blocks: rows(16).map { offset, bytes in
      let groups = stride(from: 0, to: bytes.count, by: 2).map {
        hex(Array(bytes[$0..<$0 + 2]), separator: "", upper: false)
      }
      return padded("\(offset): " + groups.joined(separator: " "), to: 51) + ascii(bytes)
    },
    numbersBlocks: false, takesPrefix: false, image: MemoryImage(bytes: memory))

  /// `xxd -u -g1 -c8 -o 0xF860`, with a line above it that names the sensor.
  static let xxdNarrow = TextFixture(
    XxdDump(), head: ["# uid: E007A00001234567"],
    blocks: rows(8).enumerated().map { number, row in
      "0000\(String(0xF860 + 8 * number, radix: 16, uppercase: true)): \(hex(row.bytes))  \(ascii(row.bytes))"
    },
    numbersBlocks: false, takesPrefix: false, image: MemoryImage(bytes: memory, uid: uid))

  /// `hexdump -C`.
  static let hexdump = TextFixture(
    HexdumpDump(), head: ["UID: 67 45 23 01 00 A0 07 E0"],
    blocks: rows(16).map { offset, bytes in
      let halves = [bytes.prefix(8), bytes.dropFirst(8)].map { hex(Array($0), upper: false) }
      return padded("\(offset)  \(halves[0])  \(halves[1])", to: 60) + "|\(ascii(bytes))|"
    },
    tail: ["00000158"], numbersBlocks: false, takesPrefix: false, image: MemoryImage(bytes: memory, uid: uid))
}
