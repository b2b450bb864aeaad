// SPDX-License-Identifier: Apache-2.0
import CGMModel

@testable import DumpFormats

extension TextFixture {
  /// DiaBLE's console after a scan: number, bytes, characters.
  static let diable = TextFixture(
    DiaBLEDump(),
    head: [
      "NFC: did detect tags", "NFC: IC identifier: e007a00001234567", "NFC: memory size: 244 blocks",
      "NFC: block size: 8",
      "NFC: sensor uid: 67452301 00a007e0", "NFC: patch info: df0000010100", "NFC: did read 43 FRAM blocks:",
    ],
    blocks: diableRows { "#" + hex([UInt8($0)], upper: false) + "  " },
    tail: ["Sensor header CRC16: 0000, computed: 0000 -> OK"],
    numbersBlocks: true, takesPrefix: true, image: diableImage)

  /// The same with addresses, as in older versions.
  static let diableAddresses = TextFixture(
    DiaBLEDump(), head: ["FRAM:"],
    blocks: diableRows { "\(String(0xF860 + $0 * 8, radix: 16)) #\(hex([UInt8($0)], upper: false))  " },
    numbersBlocks: true, takesPrefix: true, image: MemoryImage(bytes: memory))

  /// The whole memory is dumped with addresses alone.
  static let diableAddressesAlone = TextFixture(
    DiaBLEDump(), head: ["FRAM:"], blocks: diableRows { "\(String(0xF860 + $0 * 8, radix: 16))  " },
    numbersBlocks: true, takesPrefix: true, image: MemoryImage(bytes: memory))

  /// Neither address nor number: only the characters identify the rows.
  static let diableUnnumbered = TextFixture(
    DiaBLEDump(), blocks: diableRows { _ in "" }, numbersBlocks: false, takesPrefix: true,
    image: MemoryImage(bytes: memory))

  /// Bytes alone: only the header says what they are.
  static let diableBare = TextFixture(
    DiaBLEDump(), head: ["NFC: did read 43 FRAM blocks:"], blocks: memoryBlocks.map { hex($0) }, numbersBlocks: false,
    takesPrefix: false, image: MemoryImage(bytes: memory))

  private static let diableImage = MemoryImage(
    bytes: memory, uid: uid, patchInfo: PatchInfo([0xDF, 0, 0, 1, 1, 0]))

  private static func diableRows(_ prefix: (Int) -> String) -> [String] {
    memoryBlocks.enumerated().map { prefix($0) + hex($1) + "  " + ascii($1) }
  }
}
