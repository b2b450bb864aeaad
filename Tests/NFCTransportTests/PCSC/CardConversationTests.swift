// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import NFCTransport

@Suite("Conversations with a card")
struct CardConversationTests {
  /// The commands to a reader that supports none of the dialects, when one block is read.
  static let refusedProbe = [
    Wire.start, "FF FB 00 00 02 20 2A 00", "FF FE 04 00 03 02 20 2A 00", "FF F6 20 00 01 2A 00",
    "FF FC 00 00 02 20 2A 00", "FF B0 00 2A 00", "FF B0 00 2A 08",
  ]

  static let transparentBlock = "FF C2 00 01 0C \(Wire.timer) 95 03 02 20 2A 00"
  static let blockObject = "97 09 00 \(Wire.block)"

  private static let lacks = TransportError.readerLacks15693(name: "Scripted Reader")
  private static let silent = TransportError.tagSilent(block: 0x2A)

  /// Expects that a read of block 2A succeeds, which tells the dialect.
  private func expectRead(_ conversation: CardConversation, _ dialect: String) async throws {
    #expect(try await conversation.exchange(.readBlock(0x2A)) == bytes("00 \(Wire.block)"))
    #expect(await conversation.dialectName == dialect)
  }

  private func expect(_ error: TransportError, _ conversation: CardConversation) async {
    await #expect(throws: error) { try await conversation.exchange(.readBlock(0x2A)) }
  }

  /// A reader that opens transparent sessions and answers a block read in them.
  static func transparent(_ answer: String) -> ScriptedCard {
    ScriptedCard([
      Wire.start: "\(Wire.done) 90 00", Wire.toISO15693: "\(Wire.done) 8F 01 00 90 00", transparentBlock: answer,
    ])
  }

  /// Index of the successful command, its answer, and the dialect's name.
  @Test(
    "the first dialect in which the tag answers is kept",
    arguments: [
      (1, "\(Wire.block) 90 00", "acs-pass-through"), (1, "00 \(Wire.block) 90 00", "acs-pass-through"),
      (2, "00 \(Wire.block) 90 00", "springcard"), (2, "\(Wire.block) 90 00", "springcard"),
      (3, "\(Wire.block) 90 00", "springcard"),
      (4, "\(Wire.block) 90 00", "identiv"), (5, "\(Wire.block) 90 00", "read-binary"),
      (5, "00 \(Wire.block) 90 00", "read-binary"), (6, "\(Wire.block) 90 00", "read-binary"),
    ])
  func order(place: Int, answer: String, name: String) async throws {
    let card = ScriptedCard([Self.refusedProbe[place]: answer])
    let conversation = CardConversation(channel: card, hint: nil)
    #expect(await conversation.dialectName == nil)
    // Each request after the first read takes one command.
    for _ in 1...2 { try await expectRead(conversation, name) }
    #expect(card.commands == Self.refusedProbe.prefix(place + 1) + [Self.refusedProbe[place]])
    // The dialect that worked before is tried first; two of them have two commands.
    let hinted = ScriptedCard([Self.refusedProbe[place]: answer])
    try await expectRead(CardConversation(channel: hinted, hint: name), name)
    #expect(hinted.commands.count == ([3, 6].contains(place) ? 2 : 1))
  }

  @Test("a transparent session is opened once, and closed at the end; a silent tag in it decides the dialect too")
  func transparentSession() async throws {
    let card = Self.transparent("\(Wire.done) 92 01 00 96 02 00 00 \(Self.blockObject) 90 00")
    let conversation = CardConversation(channel: card, hint: nil)
    for _ in 1...2 { try await expectRead(conversation, "transparent-session") }
    for _ in 1...2 { await conversation.end() }
    let block = Self.transparentBlock
    #expect(card.commands == [Wire.start, Wire.toISO15693, block, block, Wire.stop])
    #expect(await conversation.dialectName == "transparent-session", "it is still known for the next tap")
    let silent = Self.transparent("C0 03 02 64 01 90 00")
    let other = CardConversation(channel: silent, hint: nil)
    await expect(Self.silent, other)
    #expect(await other.dialectName == "transparent-session" && silent.commands.count == 3)
  }

  @Test(
    "a session that does not reach ISO 15693 is closed before the next dialect",
    arguments: ["C0 03 01 6A 81 90 00", "6A 81", "90 00"])
  func otherSessions(answer: String) async throws {
    let card = ScriptedCard([
      Wire.start: "\(Wire.done) 90 00", Wire.toISO15693: answer, Self.refusedProbe[1]: "\(Wire.block) 90 00",
    ])
    try await expectRead(CardConversation(channel: card, hint: nil), "acs-pass-through")
    #expect(card.commands == [Wire.start, Wire.toISO15693, Wire.stop, Self.refusedProbe[1]])
  }

  @Test("a session that refuses the exchange is closed too", arguments: ["C0 03 02 6A 80 90 00", "67 00"])
  func refusedExchange(answer: String) async throws {
    let card = Self.transparent(answer)
    await expect(Self.lacks, CardConversation(channel: card, hint: nil))
    let expected = [Wire.start, Wire.toISO15693, Self.transparentBlock, Wire.stop] + Self.refusedProbe.dropFirst()
    #expect(card.commands == expected)
  }

  @Test("a reader that supports no dialect lacks ISO 15693", arguments: ["6D 00", "6A 81", "6E 00", "67 00", "6A 80"])
  func none(status: String) async throws {
    let card = ScriptedCard(Dictionary(Self.refusedProbe.map { ($0, [.answer(status)]) }) { first, _ in first })
    let conversation = CardConversation(channel: card, hint: nil)
    await expect(Self.lacks, conversation)
    #expect(card.commands == Self.refusedProbe)
    #expect(await conversation.dialectName == nil)
  }

  @Test(
    "a failure that may come from the tag is retried once before the reader is said to lack ISO 15693",
    arguments: ["63 00", "64 00", "6A 82", "6F 00"])
  func secondRound(status: String) async throws {
    let failing = ScriptedCard([Self.refusedProbe[4]: status])
    await expect(Self.lacks, CardConversation(channel: failing, hint: nil))
    #expect(failing.commands == Self.refusedProbe + Self.refusedProbe)
    let passing = ScriptedCard([Self.refusedProbe[4]: status, Self.refusedProbe[4]: "\(Wire.block) 90 00"])
    try await expectRead(CardConversation(channel: passing, hint: nil), "identiv")
  }

  @Test("a hint that fails is tried again with the others, and a tag out of reach says nothing of a reader that worked")
  func wrongHint() async throws {
    for name in ["identiv", "spoken-by-nobody"] {
      let card = ScriptedCard([Self.refusedProbe[1]: "\(Wire.block) 90 00"])
      try await expectRead(CardConversation(channel: card, hint: name), "acs-pass-through")
      #expect(card.commands == (name == "identiv" ? [Self.refusedProbe[4]] : []) + Self.refusedProbe.prefix(2))
    }
    let card = ScriptedCard([Self.refusedProbe[4]: "63 00"])
    await expect(Self.silent, CardConversation(channel: card, hint: "identiv"))
    await expect(Self.lacks, CardConversation(channel: ScriptedCard([:]), hint: "identiv"))
  }

  @Test("a request that no dialect supports decides nothing, nor is one that the known dialect lacks tried in others")
  func otherProbes() async throws {
    let requests = [.patchInfo(.texasInstruments), .systemInformation, Wire.three, Wire.wide, Wire.wideThree]
    for hint in [nil, "read-binary"] {
      let card = ScriptedCard([Self.refusedProbe[5]: "\(Wire.block) 90 00"])
      let conversation = CardConversation(channel: card, hint: hint)
      for request in requests { #expect(try await conversation.exchange(request) == [0x01, 0x01]) }
      #expect(await conversation.dialectName == nil)
      #expect(!card.commands.contains { $0.hasPrefix("FF B0") } && (hint == nil || card.commands.isEmpty))
      try await expectRead(conversation, "read-binary")
      let count = card.commands.count
      for request in requests { #expect(try await conversation.exchange(request) == [0x01, 0x01]) }
      #expect(card.commands.count == count, "READ BINARY has no command for these, and no other dialect is tried")
    }
  }

  @Test(
    "if a reader counts blocks differently, only runs with a correct result are used, or single blocks",
    arguments: [
      // It takes our count minus one as the plain count: two blocks, then one, then none.
      "\(Wire.block) \(Wire.next) 90 00", "6A 80",
      // Four bytes of each.
      "11 22 33 44 A1 A2 A3 A4 B1 B2 B3 B4 90 00",
      // It takes the plain count as the count minus one: four blocks.
      "\(Wire.block) \(Wire.next) \(Wire.last) \(Wire.block) 90 00",
    ])
  func otherCounts(answer: String) async throws {
    let card = ScriptedCard(["FF FC 00 00 03 23 03 02 00": answer, "FF FC 00 00 02 20 03 00": "\(Wire.block) 90 00"])
    let conversation = CardConversation(channel: card, hint: "identiv")
    #expect(try await conversation.exchange(Wire.three) == [0x01, 0x01], "which asks for shorter runs")
    #expect(try await conversation.exchange(.readBlock(3)) == bytes("00 \(Wire.block)"))
    #expect(await conversation.dialectName == "identiv")
    #expect(try await conversation.exchange(Wire.three) == [0x01, 0x01])
  }

  @Test(
    "the UID is requested from the reader itself, without a dialect; one that can neither return it nor ask says so")
  func uid() async throws {
    for answer in ["E0 07 A0 00 00 25 90 5E 90 00", "5E 90 25 00 00 A0 07 E0 90 00"] {
      let card = ScriptedCard([Wire.uid: answer])
      let conversation = CardConversation(channel: card, hint: nil)
      #expect(try await conversation.exchange(.inventory) == bytes("00 00 5E 90 25 00 00 A0 07 E0"))
      #expect(card.commands == [Wire.uid])
      #expect(await conversation.dialectName == nil)
    }
    let card = ScriptedCard([Wire.uid: "6A 81", Self.refusedProbe[4]: "\(Wire.block) 90 00"])
    let conversation = CardConversation(channel: card, hint: nil)
    #expect(try await conversation.exchange(.inventory) == [0x01, 0x01])
    try await expectRead(conversation, "identiv")
    #expect(try await conversation.exchange(.inventory) == [0x01, 0x01])
  }

  @Test(
    "if the reader's UID is ambiguous, the tag is asked",
    arguments: ["E0 12 00 00 00 00 13 E0 90 00", "6A 81", "63 00"])
  func inventory(answer: String) async throws {
    let inventory = "FF C2 00 01 0C \(Wire.timer) 95 03 26 01 00 00"
    let card = ScriptedCard([
      Wire.uid: answer, Wire.start: "\(Wire.done) 90 00", Wire.toISO15693: "\(Wire.done) 90 00",
      inventory: "\(Wire.done) 97 0A 00 00 \(Wire.uidOnAir) 90 00",
    ])
    let conversation = CardConversation(channel: card, hint: nil)
    #expect(try await conversation.exchange(.inventory) == bytes("00 00 \(Wire.uidOnAir)"))
    #expect(card.commands == [Wire.uid, Wire.start, Wire.toISO15693, inventory])
    #expect(await conversation.dialectName == "transparent-session")
  }

  /// A reader identified by its first answer, which then gives `answer` to everything in that dialect.
  static func acquainted(
    _ answer: ScriptedCard.Line, with request: ISO15693.Request
  ) async throws -> (ScriptedCard, CardConversation) {
    let commands = ["20 2A", "23 03 02", "2B", "A1 07", "B0 07 00 01", "B3 07 00 01 02"]
    let place = try #require(Wire.requests.firstIndex(of: request))
    let command = "FF FB 00 00 0\(bytes(commands[place]).count) \(commands[place]) 00"
    let card = ScriptedCard([
      "FF FB 00 00 02 20 00 00": [.answer("\(Wire.block) 90 00")], command: [answer],
    ])
    let conversation = CardConversation(channel: card, hint: nil)
    _ = try await conversation.exchange(.readBlock(0))
    return (card, conversation)
  }

  static let unknown = ["6D 00", "6A 81", "6E 00", "67 00", "6B 00"]

  @Test(
    "an answer to an unknown command comes from the reader, not from the tag", arguments: Wire.requests[1...5], unknown)
  func unknownCommand(request: ISO15693.Request, status: String) async throws {
    let (card, conversation) = try await Self.acquainted(.answer(status), with: request)
    #expect(try await conversation.exchange(request) == [0x01, 0x01])
    #expect(card.commands.count == 3)
  }

  @Test("after one successful block read, a refusal means the tag", arguments: unknown)
  func unreadableBlock(status: String) async throws {
    await expect(Self.silent, try await Self.acquainted(.answer(status), with: .readBlock(0x2A)).1)
  }

  @Test(
    "a failure without a reason is silence for block data and a refusal for other requests",
    arguments: Wire.requests.prefix(6), ["63 00", "64 00", "6A 82", "65 01", "6F 00", "12 34"])
  func failure(request: ISO15693.Request, status: String) async throws {
    let (_, conversation) = try await Self.acquainted(.answer(status), with: request)
    if let block = request.firstBlock {
      await #expect(throws: TransportError.tagSilent(block: block)) { try await conversation.exchange(request) }
    } else {
      #expect(try await conversation.exchange(request) == [0x01, 0x0F])
    }
  }

  @Test("an answer without a status word is malformed", arguments: ["", "90"])
  func noStatusWord(answer: String) async throws {
    let (_, conversation) = try await Self.acquainted(.answer(answer), with: .readBlock(0x2A))
    await expect(.malformedResponse(to: .readBlock(0x2A), length: bytes(answer).count), conversation)
  }

  @Test(
    "a four-byte block is reported as such",
    arguments: ["11 22 33 44 90 00", "00 11 22 33 44 90 00", "11 22 33 44 62 82"])
  func fourBytes(answer: String) async throws {
    let fourByteBlocks = TransportError.fourByteBlocks(name: "Scripted Reader")
    let card = ScriptedCard([Self.refusedProbe[5]: answer, Self.refusedProbe[6]: "\(Wire.block) 90 00"])
    await expect(fourByteBlocks, CardConversation(channel: card, hint: nil))
    #expect(card.commands == Array(Self.refusedProbe.prefix(6)), "eight bytes would be two halves")
    await expect(fourByteBlocks, try await Self.acquainted(.answer(answer), with: .readBlock(0x2A)).1)
  }

  @Test("a tag that was taken away is reported with the block that was asked for", arguments: Wire.requests)
  func tagLost(request: ISO15693.Request) async throws {
    let commands = ["FF CA 00 00 00", Wire.start]
    let card = ScriptedCard(Dictionary(uniqueKeysWithValues: commands.map { ($0, [.failure(.tagLost(block: nil))]) }))
    await #expect(throws: TransportError.tagLost(block: request.firstBlock)) {
      try await CardConversation(channel: card, hint: nil).exchange(request)
    }
    #expect(card.commands.count == 1)
    guard request != .inventory else { return }
    let (_, conversation) = try await Self.acquainted(.failure(.tagLost(block: nil)), with: request)
    await #expect(throws: TransportError.tagLost(block: request.firstBlock)) {
      try await conversation.exchange(request)
    }
  }

  @Test(
    "an error of the reader ends the probing",
    arguments: [
      TransportError.readerUnplugged(name: "x"), .readerSilent(name: "x"), .noDaemon, .cancelled,
      .readerFailed(name: "x", reason: "0x8010002F"),
    ])
  func readerTrouble(error: TransportError) async throws {
    let card = ScriptedCard([Self.refusedProbe[2]: [.failure(error)]])
    let conversation = CardConversation(channel: card, hint: nil)
    await expect(error, conversation)
    #expect(card.commands == Array(Self.refusedProbe.prefix(3)))
    #expect(await conversation.dialectName == nil)
  }

  @Test("a session left open by the probe is closed, whatever the reader answers")
  func interruptedProbe() async throws {
    let failure = [ScriptedCard.Line.failure(.readerSilent(name: "x"))]
    let card = ScriptedCard([
      Wire.start: [.answer("\(Wire.done) 90 00")], Wire.toISO15693: failure, Wire.stop: failure,
    ])
    let conversation = CardConversation(channel: card, hint: nil)
    for _ in 1...2 { await expect(.readerSilent(name: "x"), conversation) }
    await conversation.end()
    let attempt = [Wire.start, Wire.toISO15693, Wire.stop]
    #expect(card.commands == attempt + attempt)
  }
}
