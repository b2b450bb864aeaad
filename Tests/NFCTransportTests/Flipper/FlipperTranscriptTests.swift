// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import NFCTransport

/// Tests complete conversations, byte for byte, from the firmware sources (NFCTransport/OtherReaders, "Flipper Zero").
struct FlipperTranscriptTests {
  /// The device: each typed line must be the next one of the script.
  private static func script(_ lines: [(typed: String, printed: String)]) -> ScriptedLine {
    ScriptedLine(lines.map { ScriptedLine.Step(sent: Array($0.typed.utf8), received: [Array($0.printed.utf8)]) })
  }

  private func open(_ line: ScriptedLine) throws -> FlipperShell {
    var shell = FlipperShell(line, name: "port", limit: .seconds(60))
    try shell.synchronise()
    return shell
  }

  private static let main = "\r\n>: "
  private static let nfc = "\r\n[\u{1B}[32mnfc\u{1B}[0m]>: "
  private static let uid = "UID: E0 07 A0 00 01 23 45 67 \r\n"

  private static let start = [
    (typed: "\u{3}", printed: "^C\(main)"),
    (
      "nfc\r",
      "nfc\r\n\u{1B}[94m\r\n  picture\r\n\u{1B}[97mWelcome to NFC Command Line Interface!\r\n"
        + "Run `help` or `?` to list available commands\r\n\u{1B}[0m\(nfc)"
    ),
  ]
  private static let end = [(typed: "exit\r", printed: "exit\r\n\(main)")]

  /// A frame on its way: the keys, the hexadecimal digits that are typed, and what is printed before the prompt.
  private static func raw(_ keys: String, _ digits: String, _ printed: String) -> (typed: String, printed: String) {
    let line = "raw -p 15 \(keys) -d \(digits)"
    return ("\(line)\r", "\(line)\r\n\(printed)\(nfc)")
  }

  private static let fresh = "-skc -t 300000"
  private static let kept = "-kc -t 300000"

  /// By the first block: checksum of the request, data of three blocks, checksum of the answer.
  private static let blocks: [Int: (sum: String, data: String, check: String)] = [
    3: ("8D 20", "01 97 05 1B 84 03 00 58 5B 81 91 03 00 58 5B 81 9C 03 00 58 5B 81 A5 03", "B3 99"),
    18: ("C4 AC", "00 58 5B 81 7F 04 00 58 5B 81 AA 04 00 58 5B 81 CA 04 00 58 5B 81 DC 04", "3A DE"),
    21: ("CC E1", "00 58 5B 81 E1 04 00 58 5B 81 D8 04 00 58 5B 81 C2 04 00 58 5B 81 9E 04", "92 02"),
    39: ("DE 64", "00 58 5B 81 52 38 00 00 BA 32 00 01 1C 08 02 51 14 07 96 80 5A 00 ED A6", "52 41"),
  ]

  private static func run(_ first: Int) throws -> ISO15693.Request {
    .readBlocks(try #require(ISO15693.BlockRun(first: first, count: 3)))
  }

  private static func exchange(_ first: Int, _ keys: String = kept, _ prefix: String = "") -> (String, String) {
    let (sum, data, check) = blocks[first]!
    let frame = "02 23 \(HexText.string(of: UInt8(first))) 02"
    return raw(
      keys, frame.replacing(" ", with: "").lowercased(), "\(prefix)Tx: \(frame) \(sum) \r\nRx: 00 \(data) \(check) ")
  }

  @Test("a sensor that leaves and comes back: no old answer is used for a new request")
  func lifted() throws {
    let stale = "Rx: 00 \(Self.blocks[18]!.data) 3A DE "
    let line = Self.script(
      Self.start + [
        Self.raw(Self.fresh, "022b", "Tx: 02 2B \r\nError: \"Timeout\"\r\n"),
        Self.raw(Self.fresh, "022b", "\(Self.uid)Tx: 02 2B 26 A3 \r\nRx: 00 04 67 45 23 01 00 A0 07 E0 F3 07 A5 A6 "),
        Self.raw(Self.kept, "02231202", "Tx: 02 23 12 02 C4 AC \r\nError: \"Timeout\"\r\n"),
        Self.exchange(18, Self.fresh, Self.uid),
        // Without its inventory, the sticky error has this effect.
        Self.raw(Self.kept, "02231502", "Tx: 02 23 15 02 \r\nError: \"Timeout\"\r\n\r\n\(stale)"),
        Self.raw(Self.fresh, "02231502", "Tx: 02 23 15 02 \r\nError: \"Timeout\"\r\n\r\n\(stale)"),
        Self.exchange(21, Self.fresh, Self.uid),
        Self.raw(
          Self.kept, "02230302",
          "Tx: 02 23 03 02 8D 20 \r\nError: \"Wrong CRC\"\r\n\r\nRx: 00 \(Self.blocks[3]!.data) B3 98 "),
        Self.exchange(3, Self.fresh, Self.uid),
        Self.raw(Self.kept, "02232902", "Tx: 02 23 29 02 CE FE \r\nRx: 01 0F 68 EE "),
        // A refusal is an answer, so that no inventory is needed.
        Self.exchange(39),
      ] + Self.end)
    var shell = try open(line)
    try shell.startNFC()
    #expect(try shell.exchange(.systemInformation, startsAfresh: true) == nil)
    #expect(try shell.exchange(.systemInformation, startsAfresh: true)?.count == 12)
    #expect(try shell.exchange(Self.run(18), startsAfresh: false) == nil)
    #expect(try shell.exchange(Self.run(18), startsAfresh: false)?.count == 25)
    #expect(try shell.exchange(Self.run(21), startsAfresh: false) == nil)
    #expect(try shell.exchange(Self.run(21), startsAfresh: false) == nil)
    #expect(try shell.exchange(Self.run(21), startsAfresh: false) == HexText.bytes(of: "00 \(Self.blocks[21]!.data)"))
    #expect(try shell.exchange(Self.run(3), startsAfresh: false) == nil)
    #expect(try shell.exchange(Self.run(3), startsAfresh: false)?.count == 25)
    #expect(
      try shell.exchange(.readBlocks(ISO15693.BlockRun(first: 41, count: 3)!), startsAfresh: false) == [0x01, 0x0F])
    #expect(try shell.exchange(Self.run(39), startsAfresh: false)?.count == 25)
    shell.end()
    #expect(line.surprise == nil && line.isOver)
  }

  @Test(
    "an error that prevents the NFC shell from starting is reported with a solution, and the field is off",
    arguments: [
      (
        "\u{1B}[33mNFC app is running, unable to run NFC CLI at the same time!\r\n\u{1B}[0m", "app is open",
        "back button"
      ),
      ("\u{1B}[31mthis command cannot be run while an application is open\u{1B}[0m", "app is open", "back button"),
      ("Usage:\r\nnfc <cmd>\r\nCmd list:\r\n", "too old", "libre flipper list"),
      ("\u{1B}[31mcould not find command `nfc`, try `help`\u{1B}[0m", "NFC shell", "memory card"),
      ("\u{1B}[31mfailed to load external command\u{1B}[0m", "NFC shell", "memory card"),
      ("Out of cheese\r\n", "Out of cheese", "report"),
    ])
  func refused(printed: String, reason: String, remedy: String) throws {
    let line = Self.script([Self.start[0], (typed: "nfc\r", printed: "nfc\r\n\(printed)\(Self.main)")])
    var shell = try open(line)
    let error = #expect(throws: TransportError.self) { try shell.startNFC() }
    #expect(error?.message.contains(reason) == true)
    guard case .readerUnfit(_, _, let found) = error else { return #expect(Bool(false), "\(printed)") }
    #expect(found.contains(remedy))
    shell.end()
    #expect(line.surprise == nil && line.isOver)
  }
}
