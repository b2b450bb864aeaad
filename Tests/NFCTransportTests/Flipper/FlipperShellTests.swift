// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import NFCTransport

/// Tests the shell of every firmware, with and without faults, without a port.
struct FlipperShellTests {
  private static let uid = SensorUID(bits: 0xE007_A000_0123_4567)!
  private static let plan = ReadPlan(sections: [0..<3, 3..<40, 40..<43]).requests

  static let firmwares: [FlipperEmulator.Firmware] = {
    var colourful = FlipperEmulator.Firmware()
    colourful.isColourful = true
    var older = FlipperEmulator.Firmware()
    older.undecodable = "Internal protocol"
    return [FlipperEmulator.Firmware(), colourful, older, .first]
  }()

  private func open(_ line: EmulatedLine) throws -> FlipperShell {
    var shell = FlipperShell(line, name: "port", limit: .seconds(60))
    try shell.synchronise()
    try shell.startNFC()
    return shell
  }

  /// Reads all blocks with up to three attempts each: returns the memory, or the error that stopped it.
  private func read(_ shell: inout FlipperShell) throws(TransportError) -> [UInt8] {
    var memory: [UInt8] = []
    for request in [.inventory, .patchInfo(.texasInstruments)] + Self.plan {
      let answer = try ask(request, &shell, startsAfresh: request == .inventory)
      let response = try ISO15693.Response(answer, to: request)
      switch response {
      case .inventory(let uid): #expect(uid == Self.uid)
      case .blocks(let data): memory += data
      default: break
      }
    }
    return memory
  }

  private func ask(
    _ request: ISO15693.Request, _ shell: inout FlipperShell, startsAfresh: Bool
  ) throws(TransportError) -> [UInt8] {
    for _ in 0..<3 {
      if let answer = try shell.exchange(request, startsAfresh: startsAfresh) { return answer }
    }
    throw .tagSilent(block: request.firstBlock)
  }

  @Test("every firmware returns all data of the sensor, with the field off afterwards", arguments: firmwares)
  func whole(firmware: FlipperEmulator.Firmware) throws {
    let line = EmulatedLine(FlipperEmulator(firmware, tag: EmulatedLine.tag))
    var shell = try open(line)
    #expect(try read(&shell) == EmulatedLine.memory)
    #expect(line.flipper.fieldIsOn)
    // Inventory, patch info and 15 reads. The first version of the shell refuses the first line, which is not a frame.
    #expect(line.flipper.frameCount == 2 + 15)
    shell.end()
    #expect(line.isClosed)
    #expect(!line.flipper.fieldIsOn)
    #expect(line.flipper.typed.suffix(5) == Array("exit\r".utf8)[...])
  }

  @Test("a shell left open by a killed program is closed first, even in the middle of a line: its field goes off")
  func left() throws {
    let line = EmulatedLine()
    var killed = try open(line)
    _ = try killed.exchange(.inventory, startsAfresh: true)
    line.change { _ = $0.type(Array("raw -p 15 -kc -d 02".utf8)) }
    #expect(line.flipper.fieldIsOn)
    var shell = FlipperShell(line, name: "port", limit: .seconds(60))
    try shell.synchronise()
    #expect(!line.flipper.fieldIsOn)
    try shell.startNFC()
    #expect(try read(&shell) == EmulatedLine.memory)
  }

  @Test("a device that prints no prompt gets no further commands")
  func silent() {
    var flipper = FlipperEmulator()
    flipper.isSilent = true
    let line = EmulatedLine(flipper)
    var shell = FlipperShell(line, name: "port", limit: .seconds(60))
    let error = #expect(throws: TransportError.self) { try shell.synchronise() }
    #expect(error?.message.contains("does not answer as a Flipper Zero") == true)
    shell.end()
    #expect(line.flipper.typed == [0x03, 0x0D])
  }

  /// Returns the error of a read with a fault at any frame; nil if the read succeeds.
  private func failure(_ fault: FlipperEmulator.Fault) -> TransportError? {
    switch fault {
    case .silence, .wrongChecksum, .undecodable, .hang, .halfReply: nil
    case .deafHang: .readerSilent(name: "port")
    case .unplugged: .readerUnplugged(name: "port")
    case .shellEnds: .readerUnfit(name: "port", reason: "", remedy: "")
    }
  }

  @Test(
    "with a fault at any frame, the memory is right or there is an error, and the field goes off",
    arguments: FlipperEmulator.Fault.allCases, [FlipperEmulator.Firmware(), .first])
  func anomaly(fault: FlipperEmulator.Fault, firmware: FlipperEmulator.Firmware) throws {
    for number in 1...18 {
      var flipper = FlipperEmulator(firmware, tag: EmulatedLine.tag)
      flipper.faults = [number: fault]
      let line = EmulatedLine(flipper)
      var shell = try open(line)
      do throws(TransportError) {
        #expect(try read(&shell) == EmulatedLine.memory)
      } catch {
        #expect(error.code == failure(fault)?.code, "frame \(number): \(error)")
      }
      shell.end()
      if line.flipper.isUnplugged { continue }
      #expect(line.flipper.typed.suffix(5) == Array("exit\r".utf8)[...] || !line.flipper.fieldIsOn, "frame \(number)")
      if fault != .deafHang { #expect(!line.flipper.fieldIsOn, "frame \(number)") }
    }
  }

  @Test("another sensor in place of the first is noticed before any of its blocks is used")
  func exchanged() throws {
    let line = EmulatedLine()
    var shell = try open(line)
    #expect(try shell.exchange(.inventory, startsAfresh: true) != nil)
    line.change { $0.faults = [2: .silence] }
    #expect(try shell.exchange(Self.plan[0], startsAfresh: false) == nil)
    line.change { $0.tag?.uid[7] = 0x68 }
    for _ in 0..<3 { #expect(try shell.exchange(Self.plan[0], startsAfresh: false) == nil) }
    #expect(try shell.exchange(.inventory, startsAfresh: true)?[2] == 0x68)
    #expect(try shell.exchange(Self.plan[0], startsAfresh: false)?.count == 25)
  }

  @Test("a cancelled wait ends, and the field still goes off")
  func cancelled() throws {
    let line = EmulatedLine()
    var shell = try open(line)
    #expect(try shell.exchange(.inventory, startsAfresh: true) != nil)
    #expect(throws: TransportError.cancelled) { try shell.exchange(.inventory, startsAfresh: false, while: { false }) }
    shell.end()
    #expect(line.flipper.typed.suffix(6) == Array("\u{3}exit\r".utf8)[...])
    #expect(!line.flipper.fieldIsOn)
  }

  private static let content = Array("Filetype: Flipper NFC device\n>: \u{1B}[0m\nSize: 3\n".utf8) + [0xFF, 0x0D, 0x0A]
  private static let files: [String: [UInt8]] = [
    "/ext/nfc/libre.nfc": content, "/ext/nfc/my tag.nfc": [], "/ext/nfc/old/first.nfc": [0x41],
  ]

  private func card(_ files: [String: [UInt8]]?) throws -> (EmulatedLine, FlipperShell) {
    var firmware = FlipperEmulator.Firmware()
    firmware.nfc = .old
    var flipper = FlipperEmulator(firmware)
    flipper.files = files
    let line = EmulatedLine(flipper)
    var shell = FlipperShell(line, name: "port", limit: .seconds(60))
    try shell.synchronise()
    return (line, shell)
  }

  @Test("files on the card are listed and read exactly, even with firmware that cannot send frames")
  func files() throws {
    var (line, shell) = try card(Self.files)
    #expect(
      try shell.list(.saved) == [
        FlipperFile(name: "libre.nfc", byteCount: Self.content.count), FlipperFile(name: "my tag.nfc", byteCount: 0),
        FlipperFile(name: "old", byteCount: nil),
      ])
    let old = try #require(FlipperPath("old"))
    #expect(try shell.list(old) == [FlipperFile(name: "first.nfc", byteCount: 1)])
    let libre = try #require(FlipperPath("libre.nfc"))
    #expect(try shell.read(libre) == Self.content)
    #expect(try shell.timestamp(libre) == 1_750_000_000)
    let empty = try #require(FlipperPath("my tag.nfc"))
    #expect(try shell.read(empty) == [])
    shell.end()
    #expect(line.flipper.lines.allSatisfy { $0.isEmpty || $0.hasPrefix("storage ") })
    #expect(line.flipper.files == Self.files)
  }

  @Test("a missing file is reported with its path and has no modification time, and a missing card is reported")
  func missing() throws {
    var (_, shell) = try card(Self.files)
    let path = try #require(FlipperPath("none.nfc"))
    let error = TransportError.flipperFile(path: "/ext/nfc/none.nfc", reason: "file/dir not exist")
    #expect(throws: error) { try shell.read(path) }
    #expect(throws: TransportError.self) { try shell.list(path) }
    #expect(try shell.timestamp(path) == nil)
    (_, shell) = try card([:])
    #expect(try shell.list(.saved).isEmpty)
    (_, shell) = try card(nil)
    let noCard = #expect(throws: TransportError.self) { try shell.list(.saved) }
    #expect(noCard?.message.contains("no memory card") == true)
  }
}

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

  /// The parts by first block: checksum of the request, data of three blocks, checksum of the answer.
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
        // The sticky error has this effect where its inventory is left out.
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
    for count in [nil, 12] { #expect(try shell.exchange(.systemInformation, startsAfresh: true)?.count == count) }
    for (first, isAnswered) in [(18, false), (18, true), (21, false), (21, false), (21, true), (3, false), (3, true)] {
      let expected = isAnswered ? HexText.bytes(of: "00 \(Self.blocks[first]!.data)") : nil
      #expect(try shell.exchange(Self.run(first), startsAfresh: false) == expected)
    }
    #expect(try shell.exchange(Self.run(41), startsAfresh: false) == [0x01, 0x0F])
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
