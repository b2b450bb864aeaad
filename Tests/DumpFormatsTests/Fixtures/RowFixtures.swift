// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport

@testable import DumpFormats

/// Texts of the formats that print a memory row by row, as their programs print them.
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
    image: MemoryImage(bytes: memory, uid: uid, patchInfo: PatchInfo(patchInfo)))

  /// The same with addresses, as in older versions.
  static let diableAddresses = TextFixture(
    DiaBLEDump(), head: ["FRAM:"],
    blocks: diableRows { "\(String(0xF860 + $0 * 8, radix: 16)) #\(hex([UInt8($0)], upper: false))  " })

  /// The whole memory is dumped with addresses alone.
  static let diableAddressesAlone = TextFixture(
    DiaBLEDump(), head: ["FRAM:"], blocks: diableRows { "\(String(0xF860 + $0 * 8, radix: 16))  " })

  /// Neither address nor number: only the characters identify the rows.
  static let diableUnnumbered = TextFixture(
    DiaBLEDump(), blocks: diableRows { _ in "" }, numbersBlocks: false)

  /// Bytes alone: only the header says what they are.
  static let diableBare = TextFixture(
    DiaBLEDump(), head: ["NFC: did read 43 FRAM blocks:"], blocks: memoryBlocks.map { hex($0) }, numbersBlocks: false,
    takesPrefix: false)

  private static func diableRows(_ prefix: (Int) -> String) -> [String] {
    memoryBlocks.enumerated().map { prefix($0) + hex($1) + "  " + ascii($1) }
  }

  /// Pasted with decimal numbers after the bytes.
  static let libreMonitorComments = TextFixture(
    LibreMonitorDump(), head: ["# ID: E0:07:A0:00:01:23:45:67", "# Memory content:"],
    blocks: memoryBlocks.enumerated().map { "\(hex($1))  // \($0 < 10 ? " " : "")\($0)" }, image: imageWithUID)

  /// A wiki table: offset, block, bytes.
  static let libreMonitorWiki = TextFixture(
    LibreMonitorDump(),
    blocks: memoryBlocks.enumerated().map {
      let offset = String($0 * 8)
      return " \(String(repeating: "0", count: 3 - offset.count))\(offset) |  \(hex([UInt8($0)])) | \(hex($1))"
    })

  /// Source code, with hex numbers.
  static let libreMonitorAppend = TextFixture(
    LibreMonitorDump(),
    head: ["    // # ID: E0:07:A0:00:01:23:45:67", "    // # Memory content: Sensor 1", "    var aString = String()"],
    blocks: memoryBlocks.enumerated().map { "    aString.append(\"\(hex($1))\") // 0x\(hex([UInt8($0)]))" },
    tail: ["    sensorData.append(aString)"], image: imageWithUID)

  /// The Arduino's serial output: nothing is padded.
  static let libreMonitorArduino = TextFixture(
    LibreMonitorDump(), head: ["IDN command ...", "Read all data"],
    blocks: memoryBlocks.enumerated().map { "The block #\($0):\(unpadded($1)) " },
    tail: ["Sending CR95HF to hibernate ...", "Result code: 80", "uid: e0:7:a0:0:1:23:45:67"], image: imageWithUID)

  static func unpadded(_ bytes: [UInt8]) -> String {
    bytes.map { String($0, radix: 16, uppercase: true) + " " }.joined()
  }

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
    tail: ["Tag returned Error 16: The specified block is not available (doesn't exist)."], image: imageWithUID)

  /// The oldest clients, with decimal numbers.
  static let oldestProxmark = TextFixture(
    OldProxmarkDump(),
    blocks: memoryBlocks.enumerated().map { "Block \($0 < 10 ? " " : "")\($0)   \(hex($1))    \(ascii($1))" })

  /// A memory as `readdump.py` prints it, with a row for every block.
  static let readdump = TextFixture(
    OldProxmarkDump(), head: ["Reading memory.dump (proxmark3 dump)"],
    blocks: memoryBlocks.enumerated().map {
      let address = String(0xF860 + $0 * 8, radix: 16, uppercase: true)
      return "\(address) Block \(hex([UInt8($0)])) \u{1B}[1;33;1m\(hex($1)) \u{1B}[1;33;1mBlock CRC\u{1B}[0m"
    },
    tail: ["---", "Status indicator    : Operational"])

  static let tagInfo = TextFixture(
    TagInfoDump(), head: tagInfoHead,
    blocks: memoryBlocks.enumerated().map { "[\(hex([UInt8($0)]))] . \(hex($1)) |\(ascii($1))|" },
    tail: tagInfoTail, image: imageWithUID)

  /// Newer versions write the access in several letters and two blanks after it.
  static let tagInfoAccess = TextFixture(
    TagInfoDump(), head: tagInfoHead,
    blocks: memoryBlocks.enumerated().map { "[\(hex([UInt8($0)]))] rwi  \(hex($1)) |\(ascii($1))|" },
    tail: tagInfoTail, image: imageWithUID)

  private static let tagInfoHead = [
    "** TagInfo scan (version 4.25.5) 2024-05-02 12:15:00 **", "Report Type: External", "",
    "-- IC INFO ------------------------------", "", "# IC manufacturer:", "Texas Instruments", "",
    "-- FULL SCAN ------------------------------", "", "# Detailed protocol information:",
    "ID: E0:07:A0:00:01:23:45:67", "AFI: 0x00", "DSFID: 0x00", "", "# Memory size:",
    "* 43 blocks, with 8 bytes per block", "", "# Memory content:",
  ]

  private static let tagInfoTail = ["", "  x:locked, .:unlocked", "", "--------------------------------------"]

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
    numbersBlocks: false, takesPrefix: false)

  /// `xxd -u -g1 -c8 -o 0xF860`, with a line above it that names the sensor.
  static let xxdNarrow = TextFixture(
    XxdDump(), head: ["# uid: E007A00001234567"],
    blocks: rows(8).enumerated().map { number, row in
      "0000\(String(0xF860 + 8 * number, radix: 16, uppercase: true)): \(hex(row.bytes))  \(ascii(row.bytes))"
    },
    numbersBlocks: false, takesPrefix: false, image: imageWithUID)

  /// `hexdump -C`.
  static let hexdump = TextFixture(
    HexdumpDump(), head: ["UID: 67 45 23 01 00 A0 07 E0"],
    blocks: rows(16).map { offset, bytes in
      let halves = [bytes.prefix(8), bytes.dropFirst(8)].map { hex(Array($0), upper: false) }
      return padded("\(offset)  \(halves[0])  \(halves[1])", to: 60) + "|\(ascii(bytes))|"
    },
    tail: ["00000158"], numbersBlocks: false, takesPrefix: false, image: imageWithUID)

  /// `hf 15 dump -v`.
  static let proxmarkConsole = TextFixture(
    ProxmarkConsoleDump(),
    head: [
      "[usb] pm3 --> hf 15 dump -v", "[+] UID....... E0 07 A0 00 01 23 45 67", "[+] TYPE...... Texas Instruments",
      "[+] Tag memory layout (vendor dependent)", "[+]     8 bytes / blocks x 43 blocks", "", proxmarkRule,
      proxmarkHeader, proxmarkRule,
    ],
    blocks: memoryBlocks.enumerated().map { proxmarkRow($0.offset, $0.element) }, tail: [proxmarkRule],
    image: imageWithUID)

  /// `hf 15 dump -z` of a memory whose blocks 20 to 30 are equal.
  static let proxmarkConsoleDense: TextFixture = {
    var bytes = memory
    bytes.replaceSubrange(160..<248, with: repeatElement(0x5A, count: 88))
    bytes.seal(24..<320)
    let rows = stride(from: 0, to: 344, by: 8).map { proxmarkRow($0 / 8, Array(bytes[$0..<$0 + 8])) }
    return TextFixture(
      ProxmarkConsoleDump(), head: [proxmarkHeader],
      blocks: rows[0...20] + ["[=]   ......"] + rows[30...], numbersBlocks: false,
      image: MemoryImage(bytes: bytes))
  }()

  static let proxmarkEML = TextFixture(
    ProxmarkEMLDump(), head: ["# uid: E007A00001234567"], blocks: memoryBlocks.map { hex($0, separator: "") },
    numbersBlocks: false, takesPrefix: false, image: imageWithUID)

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
