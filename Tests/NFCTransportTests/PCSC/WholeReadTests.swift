// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import NFCTransport
import Testing

@testable import NFCTransport

/// Tests the bytes on the wire of a complete read without faults: UID, header, patch info, body, footer.
@Suite("Complete reads as sent to the reader")
struct WholeReadTests {
  /// The bytes of a dialect around the block number and the count, and around the data.
  struct Form: Sendable, CustomTestStringConvertible {
    let name: String
    let opening: [(String, String)]
    /// The bytes before the first block, those for one, two and three blocks, and those after.
    let run: (String, [String], String)
    /// The bytes before the data of three blocks, of one block, and of patch info.
    let before: (String, String, String)
    let patchInfo: String

    var testDescription: String { name }
  }

  static let transparent = "FF C2 00 01 0D 5F 46 04 40 0D 03 00 95 04 02 23 "
  static let objects = "C0 03 00 90 00 92 01 00 96 02 00 00 97 "
  static let forms = [
    Form(
      name: "transparent-session",
      opening: [(Wire.start, "C0 03 00 90 00 90 00"), (Wire.toISO15693, "C0 03 00 90 00 8F 01 00 90 00")],
      run: (transparent, ["00", "01", "02"], " 00"),
      before: (objects + "19 00 ", objects + "09 00 ", objects + "07 00 "),
      patchInfo: "FF C2 00 01 0C 5F 46 04 40 0D 03 00 95 03 02 A1 07 00"),
    Form(
      name: "acs-pass-through", opening: [(Wire.start, "6A 81")],
      run: ("FF FB 00 00 03 23 ", ["00", "01", "02"], " 00"), before: ("", "", ""),
      patchInfo: "FF FB 00 00 02 A1 07 00"),
    Form(
      name: "springcard", opening: [(Wire.start, "6D 00"), ("FF FB 00 00 03 23 00 02 00", "6D 00")],
      run: ("FF FE 04 00 04 02 23 ", ["00", "01", "02"], " 00"), before: ("00 ", "00 ", "00 "),
      patchInfo: "FF FE 04 00 03 02 A1 07 00"),
    Form(
      name: "identiv",
      opening: [
        (Wire.start, "6D 00"), ("FF FB 00 00 03 23 00 02 00", "6D 00"), ("FF FE 04 00 04 02 23 00 02 00", "6D 00"),
        ("FF F6 23 00 02 00 03 00", "6D 00"),
      ],
      run: ("FF FC 00 00 03 23 ", ["00", "01", "02"], " 00"), before: ("", "", ""),
      patchInfo: "FF FD 05 00 03 02 A1 07 00"),
  ]

  /// First blocks and counts of Abbott's own reader, aligned to header, body and footer.
  static let runs = stride(from: 0, to: 39, by: 3).map { ($0, 3) } + [(39, 1), (40, 3)]

  static let memory: [UInt8] = {
    var random = SplitMix64(seed: 344)
    return (0..<344).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }()

  static func hex(_ bytes: some Sequence<UInt8>) -> String { HexText.string(of: bytes, separator: " ") }

  @Test("fifteen reads of up to three blocks, besides UID and patch info", arguments: forms)
  func runs(form: Form) async throws {
    let reads = Self.runs.map { first, count in
      form.run.0 + Self.hex([UInt8(first)]) + " " + form.run.1[count - 1] + form.run.2
    }
    var script = Dictionary(uniqueKeysWithValues: form.opening.map { ($0, [ScriptedCard.Line.answer($1)]) })
    script[Wire.uid] = [.answer("E0 07 A0 00 00 25 90 5E 90 00")]
    script[form.patchInfo] = [.answer("\(form.before.2)\(Wire.patchInfo) 90 00")]
    for ((first, count), command) in zip(Self.runs, reads) {
      let data = Self.hex(Self.memory[first * 8..<(first + count) * 8])
      script[command] = [.answer("\(count == 3 ? form.before.0 : form.before.1)\(data) 90 00")]
    }
    let card = ScriptedCard(script)
    let conversation = CardConversation(channel: card, hint: nil)

    #expect(try await conversation.exchange(.inventory) == bytes("00 00 \(Wire.uidOnAir)"))
    var read: [UInt8] = []
    for (place, (first, count)) in Self.runs.enumerated() {
      let run = try #require(ISO15693.BlockRun(first: first, count: count))
      read += try await conversation.exchange(.readBlocks(run)).dropFirst()
      guard place == 0 else { continue }
      #expect(try await conversation.exchange(.patchInfo(.texasInstruments)) == bytes("00 \(Wire.patchInfo)"))
    }
    await conversation.end()

    #expect(read == Self.memory)
    #expect(await conversation.dialectName == form.name)
    let closing = form.name == "transparent-session" ? [Wire.stop] : []
    #expect(
      card.commands == [Wire.uid] + form.opening.map(\.0) + [reads[0], form.patchInfo] + reads.dropFirst() + closing)
  }

  @Test("forty-three reads of one block with READ BINARY")
  func readBinary() async throws {
    var script = [Wire.uid: [ScriptedCard.Line.answer("5E 90 25 00 00 A0 07 E0 90 00")]]
    for block in 0..<43 {
      script["FF B0 00 \(Self.hex([UInt8(block)])) 00"] = [
        .answer("\(Self.hex(Self.memory[block * 8..<block * 8 + 8])) 90 00")
      ]
    }
    let card = ScriptedCard(script)
    let conversation = CardConversation(channel: card, hint: "read-binary")
    _ = try await conversation.exchange(.inventory)
    var read: [UInt8] = []
    for block in UInt8(0)..<43 { read += try await conversation.exchange(.readBlock(block)).dropFirst() }
    #expect(read == Self.memory)
    #expect(card.commands.count == 44)
  }

  @Test(
    "if a reader counts blocks differently, only runs with a correct result are used, or single blocks",
    arguments: [
      // It takes our count minus one as the plain count: two blocks, then one, then none.
      ("FF FC 00 00 03 23 03 02 00", "\(Wire.block) \(Wire.next) 90 00"),
      ("FF FC 00 00 03 23 03 02 00", "6A 80"),
      // Four bytes of each.
      ("FF FC 00 00 03 23 03 02 00", "11 22 33 44 A1 A2 A3 A4 B1 B2 B3 B4 90 00"),
      // It takes the plain count as the count minus one: four blocks.
      ("FF FC 00 00 03 23 03 02 00", "\(Wire.block) \(Wire.next) \(Wire.last) \(Wire.block) 90 00"),
    ])
  func otherCounts(command: String, answer: String) async throws {
    let card = ScriptedCard([command: answer, "FF FC 00 00 02 20 03 00": "\(Wire.block) 90 00"])
    let conversation = CardConversation(channel: card, hint: "identiv")
    #expect(try await conversation.exchange(Wire.three) == [0x01, 0x01], "which asks for shorter runs")
    #expect(try await conversation.exchange(.readBlock(3)) == bytes("00 \(Wire.block)"))
    #expect(await conversation.dialectName == "identiv")
    #expect(try await conversation.exchange(Wire.three) == [0x01, 0x01])
  }
}
