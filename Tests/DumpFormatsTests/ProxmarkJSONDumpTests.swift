// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport
import Testing

@testable import DumpFormats

struct ProxmarkJSONDumpTests {
  private let format = ProxmarkJSONDump()

  /// The file as `hf 15 dump` writes it.
  private func file(
    type: String = "15693 v4", card: String? = nil, blocks: [String], raw: String? = nil
  ) -> String {
    var members = ["\"Created\": \"proxmark3\"", "\"FileType\": \"\(type)\""]
    if let card { members.append("\"Card\": {\(card)}") }
    if let raw { members.append("\"raw\": \"\(raw)\"") }
    if raw == nil { members.append("\"blocks\": {\(blocks.joined(separator: ","))}") }
    return "{\n  \(members.joined(separator: ",\n  "))\n}\n"
  }

  private func card(uid: String = "6745230100A007E0", size: String = "08", pages: String = "2B") -> String {
    """
    "uid": "\(uid)", "dsfid": "00", "dsfidlock": "00", "afi": "00", "afilock": "00", "bytesperpage": "\(size)",
    "pagescount": "\(pages)", "ic": "00", "locks": "00", "random": "0000", "privacypasswd": "00000000", "state": "00"
    """
  }

  private func blocks(of bytes: [UInt8], size: Int = 8) -> [String] {
    stride(from: 0, to: bytes.count, by: size).map {
      "\"\($0 / size)\": \"\(TextFixture.hex(Array(bytes[$0..<$0 + size]), separator: ""))\""
    }
  }

  @Test(
    "reads version 4 and version 5, which has two bytes for the page count", arguments: [("v4", "2B"), ("v5", "2B00")])
  func current(version: String, pages: String) throws {
    let text = file(type: "15693 \(version)", card: card(pages: pages), blocks: blocks(of: TextFixture.memory))
    let dump = try format.onlyDump(in: text)
    #expect(dump == Dump(image: MemoryImage(bytes: TextFixture.memory, uid: TextFixture.uid)))
  }

  @Test(
    "reads the old versions, with blocks of four and eight bytes and without a UID", arguments: [("v2", 4), ("v3", 8)])
  func old(version: String, size: Int) throws {
    let text = file(type: "15693 \(version)", blocks: blocks(of: TextFixture.memory, size: size))
    #expect(try format.onlyDump(in: text) == Dump(image: MemoryImage(bytes: TextFixture.memory)))
  }

  @Test("reads the oldest version and raw files, which have all bytes in one member", arguments: ["15693", "raw"])
  func raw(type: String) throws {
    let text = file(type: type, blocks: [], raw: TextFixture.hex(TextFixture.memory, separator: ""))
    #expect(try format.onlyDump(in: text) == Dump(image: MemoryImage(bytes: TextFixture.memory)))
    let tag = ProxmarkBinaryDumpTests.file(memory: TextFixture.memory, lockCount: 160)
    let whole = file(type: type, blocks: [], raw: TextFixture.hex(tag, separator: ""))
    #expect(try format.onlyDump(in: whole).image == MemoryImage(bytes: TextFixture.memory, uid: TextFixture.uid))
  }

  @Test("places blocks by their numbers and reports the missing ones, up to the page count")
  func gaps() throws {
    var blocks = blocks(of: TextFixture.memory)
    for block in [42, 17, 3] { blocks.remove(at: block) }
    let text = file(card: card(), blocks: blocks.reversed())
    let image = try format.onlyDump(in: text).image
    #expect(image.missingBlocks == [3, 17, 42])
    #expect(image.bytes.count == 344)
    #expect(image.bytes[24..<32].allSatisfy { $0 == 0 })
    #expect(image.bytes[32..<136] == TextFixture.memory[32..<136])
    // The old versions have no count.
    #expect(try format.onlyDump(in: file(type: "15693 v3", blocks: blocks)).image.missingBlocks == [3, 17])
  }

  @Test("reports the field that is invalid or missing")
  func fields() {
    let one = ["\"0\": \"0102030405060708\""]
    let cases: [(String, DumpError)] = [
      (file(card: card(uid: "112233"), blocks: one), .badField("Card.uid", value: "112233")),
      (file(card: card(uid: "1122334455667788"), blocks: one), .badField("Card.uid", value: "1122334455667788")),
      (file(card: card(size: "00"), blocks: one), .badField("Card.bytesperpage", value: "00")),
      (file(card: card(pages: "00"), blocks: one), .badField("Card.pagescount", value: "00")),
      (file(card: "\"uid\": \"6745230100A007E0\"", blocks: one), .badField("Card.bytesperpage", value: nil)),
      (file(card: "\"bytesperpage\": 8", blocks: one), .badField("Card.bytesperpage", value: nil)),
      (file(card: card(), blocks: ["\"17\": \"22480000\""]), .badField("blocks.17", value: "22480000")),
      (file(card: card(), blocks: ["\"17\": \"0102030405060G08\""]), .badField("blocks.17", value: "0102030405060G08")),
      (file(card: card(), blocks: ["\"17\": 3"]), .badField("blocks.17", value: nil)),
      (file(card: card(), blocks: ["\"43\": \"0102030405060708\""]), .badField("blocks.43", value: "0102030405060708")),
      (file(card: card(), blocks: ["\"07\": \"0102030405060708\""]), .badField("blocks.07", value: "0102030405060708")),
      (
        file(type: "15693 v3", blocks: ["\"244\": \"0102030405060708\""]),
        .badField("blocks.244", value: "0102030405060708")
      ),
      (file(type: "15693", blocks: one), .badField("raw", value: nil)),
      (file(type: "raw", blocks: [], raw: "0"), .badField("raw", value: "0")),
      (file(type: "15693 v3", blocks: [], raw: "00"), .badField("blocks", value: nil)),
      (file(card: card(pages: "FF"), blocks: one), .wrongLength(found: 2_040)),
      (
        file(card: card(size: "01", pages: "5901"), blocks: (0..<345).map { "\"\($0)\": \"00\"" }),
        .wrongLength(found: 345)
      ),
      (file(card: card(), blocks: []), .noMemory),
    ]
    for (text, error) in cases {
      #expect(throws: error, "\(text)") { try format.onlyDump(in: text) }
    }
  }

  @Test("refuses other JSON, including files of other tags, and text that is cut off")
  func others() {
    #expect(throws: DumpError.notThisFormat(lacks: "a member `FileType`")) {
      try format.onlyDump(in: "{\"raw\": \"00\"}")
    }
    #expect(throws: DumpError.notThisFormat(lacks: "`FileType` 15693 (v2 to v5) or raw")) {
      try format.onlyDump(in: file(type: "mfc v3", blocks: []))
    }
    #expect {
      try format.onlyDump(in: String(file(card: card(), blocks: blocks(of: TextFixture.memory)).dropLast(40)))
    } throws: { error in
      if case DumpError.badJSON = error { true } else { false }
    }
    #expect(throws: DumpError.isBinary) { try format.onlyDump(in: [0, 1, 2]) }
    #expect(throws: DumpError.empty) { try format.onlyDump(in: "") }
  }

  @Test("recognises the client's defect: 84 lock bytes before a memory of more than 160 pages")
  func defect() throws {
    let dump = { (bytes: [UInt8], pages: String) throws -> Dump in
      try format.onlyDump(in: file(card: card(pages: pages), blocks: blocks(of: bytes)))
    }
    #expect(try dump(TextFixture.overwritten(), "F4") == TextFixture.salvaged(uid: TextFixture.uid))
    #expect(try dump(Array(TextFixture.overwritten().prefix(1_280)), "A0").defect == nil)
    // A value that is impossible for a lock byte.
    for position in [0, 40, 83] {
      var bytes = TextFixture.overwritten()
      bytes[position] = 2
      #expect(try dump(bytes, "F4") == Dump(image: MemoryImage(bytes: bytes, uid: TextFixture.uid)))
    }
    var bytes = TextFixture.overwritten()
    bytes[84] = 2
    #expect(try dump(bytes, "F4").defect == .overwrittenByProxmark)
  }

  @Test("keeps other missing blocks of an overwritten memory")
  func defectWithGaps() throws {
    var blocks = blocks(of: TextFixture.overwritten())
    for block in [200, 5] { blocks.remove(at: block) }
    let dump = try format.onlyDump(in: file(card: card(pages: "F4"), blocks: blocks))
    #expect(dump.defect == .overwrittenByProxmark)
    #expect(dump.image.missingBlocks == Array(0...10) + [200])
  }

  @Test("writes the client's members in the client's order, without missing blocks")
  func written() throws {
    let image = MemoryImage(
      bytes: Array(1...8) + Array(repeating: 0, count: 8) + [0xF0, 1, 2, 3, 4, 5, 6, 0xFF], missingBlocks: [1],
      uid: TextFixture.uid)
    let text = """
      {
        "Created": "proxmark3",
        "FileType": "15693 v4",
        "Card": {
          "uid": "6745230100A007E0",
          "dsfid": "00",
          "dsfidlock": "00",
          "afi": "00",
          "afilock": "00",
          "bytesperpage": "08",
          "pagescount": "03",
          "ic": "00",
          "locks": "000000",
          "random": "0000",
          "privacypasswd": "00000000",
          "state": "00"
        },
        "blocks": {
          "0": "0102030405060708",
          "2": "F0010203040506FF"
        }
      }

      """
    #expect(String(decoding: try format.file(of: image), as: UTF8.self) == text)
    #expect(try format.onlyDump(in: text).image == image)
  }

  // Found by the target trace: a scan in which every block was lost.
  @Test("refuses to write a memory in which no block was read")
  func nothingRead() {
    let image = MemoryImage(
      bytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], missingBlocks: [0, 1], uid: TextFixture.uid)
    let obstacle = DumpError.Obstacle.missingBlocks(BlockSet([0, 1]))
    #expect(throws: DumpError.cannotWrite(format: "proxmark-json", obstacle: obstacle)) { try format.file(of: image) }
  }

  @Test("reports which facts are lost, and cannot write the UID that such a file uses as the placeholder for none")
  func obstacles() {
    let image = MemoryImage(
      bytes: TextFixture.memory, uid: TextFixture.uid, patchInfo: PatchInfo([0xDF, 0, 0, 0, 0, 0]),
      readAt: Instant(secondsSince1970: 0))
    #expect(format.losses(of: image) == [.patchInfo, .readAt])
    #expect(throws: DumpError.cannotWrite(format: "proxmark-json", obstacle: .noUID)) {
      try format.file(of: MemoryImage(bytes: TextFixture.memory, uid: SensorUID(bits: 0xE0 << 56)))
    }
  }
}
