// SPDX-License-Identifier: Apache-2.0
import CGMModel

@testable import DumpFormats

extension TextFixture {
  static let tagInfo = TextFixture(
    TagInfoDump(), head: tagInfoHead,
    blocks: memoryBlocks.enumerated().map { "[\(hex([UInt8($0)]))] . \(hex($1)) |\(ascii($1))|" },
    tail: tagInfoTail, numbersBlocks: true, takesPrefix: true, image: MemoryImage(bytes: memory, uid: uid))

  /// Newer versions write the access in several letters and two blanks after it.
  static let tagInfoAccess = TextFixture(
    TagInfoDump(), head: tagInfoHead,
    blocks: memoryBlocks.enumerated().map { "[\(hex([UInt8($0)]))] rwi  \(hex($1)) |\(ascii($1))|" },
    tail: tagInfoTail, numbersBlocks: true, takesPrefix: true, image: MemoryImage(bytes: memory, uid: uid))

  private static let tagInfoHead = [
    "** TagInfo scan (version 4.25.5) 2024-05-02 12:15:00 **", "Report Type: External", "",
    "-- IC INFO ------------------------------", "", "# IC manufacturer:", "Texas Instruments", "",
    "-- FULL SCAN ------------------------------", "", "# Detailed protocol information:",
    "ID: E0:07:A0:00:01:23:45:67", "AFI: 0x00", "DSFID: 0x00", "", "# Memory size:",
    "* 43 blocks, with 8 bytes per block", "", "# Memory content:",
  ]

  private static let tagInfoTail = ["", "  x:locked, .:unlocked", "", "--------------------------------------"]
}
