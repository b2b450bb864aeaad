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
    "a missing or damaged tag answer counts as no answer",
    arguments: [
      "< 50 4D 33 62 00 80 FC FF 13 03 62 33", "< 50 4D 33 62 00 80 EA FF 13 03 62 33",
      "< 50 4D 33 62 00 80 00 FF 13 03 62 33", "< 50 4D 33 62 02 80 00 FF 13 03 00 01 62 33",
      // One bit in the middle differs, which only the checksum detects.
      blocks.replacing("58 5B 81 91", with: "58 4B 81 91"),
    ])
  func noAnswer(_ reply: String) throws { #expect(try answer(reply) == nil) }

  @Test("a refusal is an answer", arguments: [("01 0F 68 EE", 0x0F), ("01 10 1E 06", 0x10)] as [(String, UInt8)])
  func refusal(bytes: String, code: UInt8) throws {
    #expect(try answer("< 50 4D 33 62 04 80 00 FF 13 03 \(bytes) 62 33") == [0x01, code])
  }

  @Test("unexpected frames are ignored: more time, messages, replies to other commands, random bytes")
  func unasked() throws {
    let reply = """
      < 50 4D 33 62 02 80 00 FF 16 01 DC 05 62 33
      < 41 54 0D
      < 50 4D 33 62 1A 80 00 FF 00 01 01 00 75 6E 6B 6E 6F 77 6E 20 63 6F 6D 6D 61 6E 64 3A 3A 20 30 78 30 62 61 64 62 33
      < 50 4D 33 62 00 80 00 00 09 01 62 33

      """
    #expect(try answer(reply + Self.blocks)?.count == 25)
  }

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

  @Test("firmware of capability version 5 is refused before its version is requested, and gets no frame")
  func tooOld() throws {
    let line = ScriptedLine(
      Self.greeting + "< 50 4D 33 62 0D 80 00 00 12 01 05 00 00 00 00 00 00 00 00 00 00 00 00 62 33\n" + Self.parting)
    var conversation = conversation(line)
    let error = #expect(throws: TransportError.self) { try conversation.identify { true } }
    #expect(error?.code == "reader_unfit" && error?.message.contains("too old") == true)
    conversation.end()
    #expect(line.surprise == nil && line.isOver)
  }

  @Test("the first ping may be lost to a partial frame of a killed program")
  func secondPing() throws {
    let ping = Self.greeting.split(separator: "<")[0]
    let complaint =
      "< 50 4D 33 62 29 80 00 FF 00 01 01 00 45 72 72 6F 72 20 69 6E 20 66 72 61 6D 65 20 72 65 63 65 70 74 69 6F 6E\n"
    let line = ScriptedLine(
      ping + complaint + Self.greeting + "< 50 4D 33 62 0D 80 00 FF 12 01 05 00 00 00 00 00 00 00 00 00 00 00 00 62 33")
    var conversation = conversation(line)
    let error = #expect(throws: TransportError.self) { try conversation.identify { true } }
    #expect(error?.message.contains("too old") == true)
  }

  @Test("a device that does not answer a ping is not a Proxmark3, and gets nothing more")
  func otherDevice() throws {
    let ping = String(Self.greeting.split(separator: "<")[0])
    let line = ScriptedLine(ping + "< 4F 4B 0D 0A\n" + ping)
    var conversation = conversation(line)
    let error = #expect(throws: TransportError.self) { try conversation.identify { true } }
    #expect(error?.message == "the reader P cannot be used: it does not answer as a Proxmark3")
    conversation.end()
    #expect(line.surprise == nil && line.isOver && line.isClosed)
  }

  @Test(
    "an error status of the device itself ends the read",
    arguments: [("FB", "its button was pressed"), ("F8", "status -8")])
  func failure(byte: String, reason: String) {
    #expect(throws: TransportError.readerFailed(name: "P", reason: reason)) {
      try answer("< 50 4D 33 62 00 80 \(byte) FF 13 03 62 33")
    }
  }

  @Test("a missing reply and a cancelled read are errors")
  func silence() {
    #expect(throws: TransportError.readerSilent(name: "P")) { try answer("") }
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
