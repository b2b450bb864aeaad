// SPDX-License-Identifier: Apache-2.0
import CGMModel

@testable import DumpFormats

extension TextFixture {
  /// Pasted with decimal numbers after the bytes.
  static let libreMonitorComments = TextFixture(
    LibreMonitorDump(), head: ["# ID: E0:07:A0:00:01:23:45:67", "# Memory content:"],
    blocks: memoryBlocks.enumerated().map { "\(hex($1))  // \($0 < 10 ? " " : "")\($0)" },
    numbersBlocks: true, takesPrefix: true, image: libreMonitorImage)

  /// A wiki table: offset, block, bytes.
  static let libreMonitorWiki = TextFixture(
    LibreMonitorDump(),
    blocks: memoryBlocks.enumerated().map {
      let offset = String($0 * 8)
      return " \(String(repeating: "0", count: 3 - offset.count))\(offset) |  \(hex([UInt8($0)])) | \(hex($1))"
    },
    numbersBlocks: true, takesPrefix: true, image: MemoryImage(bytes: memory))

  /// Source code, with hex numbers.
  static let libreMonitorAppend = TextFixture(
    LibreMonitorDump(),
    head: ["    // # ID: E0:07:A0:00:01:23:45:67", "    // # Memory content: Sensor 1", "    var aString = String()"],
    blocks: memoryBlocks.enumerated().map { "    aString.append(\"\(hex($1))\") // 0x\(hex([UInt8($0)]))" },
    tail: ["    sensorData.append(aString)"],
    numbersBlocks: true, takesPrefix: true, image: libreMonitorImage)

  /// The Arduino's serial output: nothing is padded.
  static let libreMonitorArduino = TextFixture(
    LibreMonitorDump(), head: ["IDN command ...", "Read all data"],
    blocks: memoryBlocks.enumerated().map { "The block #\($0):\(unpadded($1)) " },
    tail: ["Sending CR95HF to hibernate ...", "Result code: 80", "uid: e0:7:a0:0:1:23:45:67"],
    numbersBlocks: true, takesPrefix: true, image: libreMonitorImage)

  private static let libreMonitorImage = MemoryImage(bytes: memory, uid: uid)

  static func unpadded(_ bytes: [UInt8]) -> String {
    bytes.map { String($0, radix: 16, uppercase: true) + " " }.joined()
  }
}
