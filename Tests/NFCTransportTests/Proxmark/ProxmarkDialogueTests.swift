// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import TestSupport
import Testing

@testable import NFCTransport

/// Tests dialogues with a Proxmark3, byte for byte (NFCTransport/OtherReaders, "Proxmark3").
struct ProxmarkDialogueTests {
  private func conversation(_ line: ScriptedLine) -> ProxmarkConversation {
    ProxmarkConversation(line, name: "P", limit: .seconds(60))
  }

  private func run(_ first: Int, _ count: Int = 3) -> ISO15693.Request {
    .readBlocks(ISO15693.BlockRun(first: first, count: count)!)
  }

  private static let greeting = """
    > 50 4D 33 61 20 80 09 01 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17
      18 19 1A 1B 1C 1D 1E 1F 61 33
    < 50 4D 33 62 20 80 00 FF 09 01 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15
      16 17 18 19 1A 1B 1C 1D 1E 1F 62 33
    > 50 4D 33 61 00 80 12 01 61 33

    """
  private static let parting = "> 50 4D 33 61 00 80 30 04 61 33\n> 50 4D 33 61 00 80 13 01 61 33\n"
  private static let askForVersion = "> 50 4D 33 61 00 80 07 01 61 33\n"

  @Test("a complete read sends exactly the dialogue of the newest firmware")
  func wholeRead() throws {
    let file = Repository.root.appendingPathComponent("SensorDumps/dialogues/proxmark3-read.txt")
    let line = ScriptedLine(try String(contentsOf: file, encoding: .utf8))
    var conversation = conversation(line)
    let firmware = try conversation.identify { true }
    #expect(firmware.name == "Proxmark3 v4.21611")
    var memory: [UInt8] = []
    for request in [.inventory, .systemInformation, .patchInfo(.texasInstruments)]
      + stride(from: 0, to: 42, by: 3)
      .map({ run($0) }) + [run(42, 1)]
    {
      let answer = try conversation.exchange(request, startsAfresh: request == .inventory) { true }
      switch try ISO15693.Response(try #require(answer), to: request) {
      case .inventory(let uid): #expect(uid.description == "E007A00001234567")
      case .systemInformation(let uid): #expect(uid.description == "E007A00001234567")
      case .patchInfo(let info): #expect(info.description == "DF0000010102")
      case .blocks(let bytes): memory += bytes
      case .error(let error): Issue.record("\(error)")
      }
    }
    conversation.end()
    #expect(memory.count == 344)
    #expect(memory.starts(with: [0x22, 0x48, 0x00, 0x00, 0x03]) && memory.suffix(3) == [0x39, 0x5A, 0x73])
    #expect(line.surprise == nil && line.isOver && line.isClosed)
  }

  /// Returns the result of the read of blocks 3 to 5 for this reply of the device.
  private func answer(_ reply: String) throws -> [UInt8]? {
    let line = ScriptedLine("> 50 4D 33 61 09 80 13 03 32 06 00 02 23 03 02 8D 20 61 33\n" + reply)
    var conversation = conversation(line)
    let answer = try conversation.exchange(run(3), startsAfresh: false) { true }
    #expect(line.surprise == nil && line.isOver)
    return answer
  }

  private static let blocks =
    "< 50 4D 33 62 1B 80 00 FF 13 03 00 01 97 05 1B 84 03 00 58 5B 81 91 03 00 58 5B 81 9C 03 00 58 5B 81 A5 03 B3 99 62 33\n"

  @Test(
    "a missing or damaged tag answer counts as none, a refusal is one, and unexpected frames are ignored",
    arguments: [
      ("< 50 4D 33 62 00 80 FC FF 13 03 62 33", nil), ("< 50 4D 33 62 00 80 EA FF 13 03 62 33", nil),
      ("< 50 4D 33 62 00 80 00 FF 13 03 62 33", nil), ("< 50 4D 33 62 02 80 00 FF 13 03 00 01 62 33", nil),
      // One bit in the middle differs, which only the checksum detects.
      (blocks.replacing("58 5B 81 91", with: "58 4B 81 91"), nil),
      ("< 50 4D 33 62 04 80 00 FF 13 03 01 0F 68 EE 62 33", [0x01, 0x0F]),
      ("< 50 4D 33 62 04 80 00 FF 13 03 01 10 1E 06 62 33", [0x01, 0x10]), (blocks, data),
      // More time, messages, replies to other commands, random bytes.
      (
        """
        < 50 4D 33 62 02 80 00 FF 16 01 DC 05 62 33
        < 41 54 0D
        < 50 4D 33 62 1A 80 00 FF 00 01 01 00 75 6E 6B 6E 6F 77 6E 20 63 6F 6D 6D 61 6E 64 3A 3A 20 30 78 30 62 61 64 62 33
        < 50 4D 33 62 00 80 00 00 09 01 62 33

        """ + blocks, data
      ),
    ] as [(String, [UInt8]?)])
  func answers(_ reply: String, _ expected: [UInt8]?) throws { #expect(try answer(reply) == expected) }

  private static let data = HexText.bytes(of: String(blocks.dropFirst(32).prefix(74)))

  @Test("firmware that answers twice gets a ping after each answer, and the copy is dropped")
  func answersTwice() throws {
    let capabilities = "< 50 4D 33 62 0D 80 00 00 12 01 06 00 00 00 00 C4 A0 00 00 82 F7 1F 00 62 33\n"
    let text = " [ ARM ]\n  bootrom: Iceman/master/v4.18218\n       os: Iceman/master/v4.18218-dirty\n\0"
    let version = hex(
      [0x50, 0x4D, 0x33, 0x62, UInt8(text.utf8.count + 12), 0x80, 0, 0, 7, 1] + [UInt8](repeating: 0, count: 12)
        + Array(text.utf8) + [0x62, 0x33])
    func exchange(_ number: Int) -> String {
      "> 50 4D 33 61 09 80 13 03 32 06 00 02 23 03 02 8D 20 61 33\n" + Self.blocks
        + "> 50 4D 33 61 01 80 09 01 0\(number) 61 33\n" + Self.blocks
        + "< 50 4D 33 62 01 80 00 00 09 01 0\(number) 62 33\n"
    }
    let line = ScriptedLine(
      Self.greeting + capabilities + Self.askForVersion + "< \(version)\n" + exchange(1) + exchange(2) + Self.parting)
    var conversation = conversation(line)
    #expect(try conversation.identify { true }.name == "Proxmark3 v4.18218")
    for _ in 0..<2 { #expect(try conversation.exchange(run(3), startsAfresh: false) { true }?.count == 25) }
    conversation.end()
    #expect(line.surprise == nil && line.isOver)
  }

  private func hex(_ bytes: [UInt8]) -> String { bytes.map { HexText.string(of: $0) }.joined(separator: " ") }

  @Test("a device that does not answer as a Proxmark3, or has firmware of capability version 5, gets nothing more")
  func unfit() throws {
    let ping = String(Self.greeting.split(separator: "<")[0])
    let old = "< 50 4D 33 62 0D 80 00 00 12 01 05 00 00 00 00 00 00 00 00 00 00 00 00 62 33\n"
    // The first ping may be lost to a partial frame of a killed program.
    let complaint =
      "< 50 4D 33 62 29 80 00 FF 00 01 01 00 45 72 72 6F 72 20 69 6E 20 66 72 61 6D 65 20 72 65 63 65 70 74 69 6F 6E\n"
    for (dialogue, message) in [
      (Self.greeting + old + Self.parting, "too old"),
      (ping + complaint + Self.greeting + old + Self.parting, "too old"),
      (ping + "< 4F 4B 0D 0A\n" + ping, "the reader P cannot be used: it does not answer as a Proxmark3"),
    ] {
      let line = ScriptedLine(dialogue)
      var conversation = conversation(line)
      let error = #expect(throws: TransportError.self) { try conversation.identify { true } }
      #expect(error?.code == "reader_unfit" && error?.message.contains(message) == true)
      conversation.end()
      #expect(line.surprise == nil && line.isOver && line.isClosed)
    }
  }

  @Test("a missing reply, an error status of the device itself and a cancelled read are errors")
  func silence() {
    for (reply, error) in [
      ("", .readerSilent(name: "P")),
      ("< 50 4D 33 62 00 80 FB FF 13 03 62 33", .readerFailed(name: "P", reason: "its button was pressed")),
      ("< 50 4D 33 62 00 80 F8 FF 13 03 62 33", .readerFailed(name: "P", reason: "status -8")),
    ] as [(String, TransportError)] {
      #expect(throws: error) { try answer(reply) }
    }
    var conversation = conversation(ScriptedLine("> 50 4D 33 61 09 80 13 03 32 06 00 02 23 03 02 8D 20 61 33"))
    #expect(throws: TransportError.cancelled) { try conversation.exchange(run(3), startsAfresh: false) { false } }
  }

  @Test("custom commands wait longer for the tag, also those with two-byte numbers")
  func longWait() throws {
    let wide = ISO15693.WideBlockRun(first: 244, count: 3)!
    let line = ScriptedLine(
      """
      > 50 4D 33 61 0A 80 13 03 72 07 00 02 B0 07 F4 00 0E 2F 61 33
      < 50 4D 33 62 00 80 FC FF 13 03 62 33
      > 50 4D 33 61 0B 80 13 03 72 08 00 02 B3 07 F4 00 02 F7 27 61 33
      < 50 4D 33 62 00 80 FC FF 13 03 62 33
      """)
    var conversation = conversation(line)
    for request in [
      ISO15693.Request.readWideBlock(244, .texasInstruments), .readWideBlocks(wide, .texasInstruments),
    ] {
      #expect(try conversation.exchange(request, startsAfresh: false) { true } == nil)
    }
    #expect(line.surprise == nil && line.isOver)
  }
}

@Suite("Proxmark3 frames in a byte stream")
struct ProxmarkRepliesTests {
  private static let short: [UInt8] = [0x50, 0x4D, 0x33, 0x62, 0x00, 0x80, 0xFC, 0xFF, 0x13, 0x03, 0x62, 0x33]
  private static let long: [UInt8] =
    [0x50, 0x4D, 0x33, 0x62, 0x00, 0x82, 0x00, 0x00, 0x07, 0x01] + [UInt8](repeating: 0x50, count: 512) + [0x62, 0x33]

  private func replies(_ bytes: [UInt8], in pieces: Int, isFinal: Bool = false) -> [ProxmarkReply] {
    var parser = ProxmarkReplies()
    var found: [ProxmarkReply] = []
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      parser.add(Array(bytes[start..<min(start + pieces, bytes.count)]))
      while let reply = parser.next() { found.append(reply) }
    }
    while let reply = parser.next(isFinal: isFinal) { found.append(reply) }
    return found
  }

  @Test("are found in pieces of any size, and between other bytes", arguments: [1, 2, 7, 4096])
  func pieces(size: Int) {
    let noise: [UInt8] = [0x41, 0x54, 0x0D, 0x50, 0x4D, 0x33, 0x50, 0x4D]
    let found = replies(noise + Self.short + noise + Self.long + Self.short, in: size)
    #expect(found.map(\.command) == [0x0313, 0x0107, 0x0313])
    #expect(found.map(\.status) == [-4, 0, -4])
    #expect(found.map(\.data.count) == [0, 512, 0])
  }

  @Test("are found after a truncated one")
  func cutOff() {
    #expect(replies(Self.long.prefix(300) + Self.long + Self.short, in: 64).count == 2)
    // Only the end of the wait shows that no more bytes will come.
    #expect(replies(Self.long.prefix(100) + Self.short, in: 64).isEmpty)
    #expect(replies(Self.long.prefix(100) + Self.short, in: 64, isFinal: true).count == 1)
  }

  @Test("are ignored if they have the old format, are too long, or have another end")
  func others() {
    var old = Self.short
    old[5] = 0
    var tooLong = Self.long
    tooLong[4] = 1
    var otherEnd = Self.short
    otherEnd[11] = 0x34
    #expect(replies(old + tooLong + otherEnd + Self.short, in: 4096, isFinal: true).count == 1)
  }
}
