// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport

@testable import DumpFormats

extension TextFixture {
  /// `hf 15 dump -v`.
  static let proxmarkConsole = TextFixture(
    ProxmarkConsoleDump(),
    head: [
      "[usb] pm3 --> hf 15 dump -v", "[+] UID....... E0 07 A0 00 01 23 45 67", "[+] TYPE...... Texas Instruments",
      "[+] Tag memory layout (vendor dependent)", "[+]     8 bytes / blocks x 43 blocks", "", proxmarkRule,
      proxmarkHeader, proxmarkRule,
    ],
    blocks: memoryBlocks.enumerated().map { proxmarkRow($0.offset, $0.element) }, tail: [proxmarkRule],
    numbersBlocks: true, takesPrefix: true, image: MemoryImage(bytes: memory, uid: uid))

  /// `hf 15 dump -z` of a memory whose blocks 20 to 30 are equal.
  static let proxmarkConsoleDense: TextFixture = {
    var bytes = memory
    bytes.replaceSubrange(160..<248, with: repeatElement(0x5A, count: 88))
    bytes.seal(24..<320)
    let rows = stride(from: 0, to: 344, by: 8).map { proxmarkRow($0 / 8, Array(bytes[$0..<$0 + 8])) }
    return TextFixture(
      ProxmarkConsoleDump(), head: [proxmarkHeader],
      blocks: rows[0...20] + ["[=]   ......"] + rows[30...], numbersBlocks: false, takesPrefix: true,
      image: MemoryImage(bytes: bytes))
  }()

  static let proxmarkEML = TextFixture(
    ProxmarkEMLDump(), head: ["# uid: E007A00001234567"], blocks: memoryBlocks.map { hex($0, separator: "") },
    numbersBlocks: false, takesPrefix: false, image: MemoryImage(bytes: memory, uid: uid))

  static let proxmarkHeader = "[=]  blk | data                    |lck| ascii"
  static let proxmarkRule = "[=] -----+-------------------------+---+----------"

  /// `[=]   12 | 22 48 00 00 03 00 00 00 | 0 | "H......`
  static func proxmarkRow(_ block: Int, _ bytes: [UInt8], lock: String = "0") -> String {
    let number = String(repeating: " ", count: 4 - "\(block)".count) + "\(block)"
    return "[=] \(number) | \(hex(bytes)) | \(lock) | \(ascii(bytes))"
  }

  /// All bytes that NFC can address, and the same as a Proxmark3 client saves them: lock bytes over the first 84.
  static let fullMemory = MemoryBuilder.pattern(count: 1_952).bytes
  static func overwritten(_ count: Int = 84) -> [UInt8] {
    (0..<count).map { $0.isMultiple(of: 7) ? 1 : 0 } + fullMemory[count...]
  }

  /// The expected result.
  static func salvaged(blocks: Int = 11, uid: SensorUID? = nil) -> Dump {
    let bytes = Array(repeating: 0, count: 8 * blocks) + fullMemory[(8 * blocks)...]
    return Dump(
      image: MemoryImage(bytes: bytes, missingBlocks: Array(0..<blocks), uid: uid), defect: .overwrittenByProxmark)
  }
}
