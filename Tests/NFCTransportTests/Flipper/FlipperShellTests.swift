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

  @Test("an empty directory has no files")
  func empty() throws {
    var (_, shell) = try card([:])
    #expect(try shell.list(.saved).isEmpty)
  }

  @Test("a missing file is reported with its path, and has no modification time")
  func missing() throws {
    var (_, shell) = try card(Self.files)
    let path = try #require(FlipperPath("none.nfc"))
    let error = TransportError.flipperFile(path: "/ext/nfc/none.nfc", reason: "file/dir not exist")
    #expect(throws: error) { try shell.read(path) }
    #expect(throws: TransportError.self) { try shell.list(path) }
    #expect(try shell.timestamp(path) == nil)
  }

  @Test("a Flipper without a card reports that")
  func noCard() throws {
    var (_, shell) = try card(nil)
    let error = #expect(throws: TransportError.self) { try shell.list(.saved) }
    #expect(error?.message.contains("no memory card") == true)
  }
}
