// SPDX-License-Identifier: Apache-2.0
import CGMModel

@testable import DumpFormats

extension TextFixture {
  /// `hf 15 dumpmemory` of the clients before 2019.
  static let oldProxmark = TextFixture(
    OldProxmarkDump(),
    head: [
      "proxmark3> hf 15 dumpmemory", "Reading memory from tag UID=E0 07 A0 00 01 23 45 67",
      "Tag Info: Texas Instrument",
    ],
    blocks: memoryBlocks.enumerated().map {
      "Block \(hex([UInt8($0)], upper: false))   \(hex($1))    \(ascii($1))          "
    },
    tail: ["Tag returned Error 16: The specified block is not available (doesn't exist)."],
    numbersBlocks: true, takesPrefix: true, image: MemoryImage(bytes: memory, uid: uid))

  /// The oldest clients, with decimal numbers.
  static let oldestProxmark = TextFixture(
    OldProxmarkDump(),
    blocks: memoryBlocks.enumerated().map { "Block \($0 < 10 ? " " : "")\($0)   \(hex($1))    \(ascii($1))" },
    numbersBlocks: true, takesPrefix: true, image: MemoryImage(bytes: memory))

  /// A memory as `readdump.py` prints it, with a row for every block.
  static let readdump = TextFixture(
    OldProxmarkDump(), head: ["Reading memory.dump (proxmark3 dump)"],
    blocks: memoryBlocks.enumerated().map {
      let address = String(0xF860 + $0 * 8, radix: 16, uppercase: true)
      return "\(address) Block \(hex([UInt8($0)])) \u{1B}[1;33;1m\(hex($1)) \u{1B}[1;33;1mBlock CRC\u{1B}[0m"
    },
    tail: ["---", "Status indicator    : Operational"],
    numbersBlocks: true, takesPrefix: true, image: MemoryImage(bytes: memory))
}
