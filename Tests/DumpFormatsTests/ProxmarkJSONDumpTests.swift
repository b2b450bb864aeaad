// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import DumpFormats

struct ProxmarkJSONDumpTests {
  private let format = ProxmarkJSONDump()

  /// The file as `hf 15 dump` writes it.
  private func file(
    type: String = "15693 v4", card: String? = nil, blocks: [String] = [], raw: String? = nil
  ) -> String {
    let members = [
      "\"Created\": \"proxmark3\"", "\"FileType\": \"\(type)\"", card.map { "\"Card\": {\($0)}" },
      raw.map { "\"raw\": \"\($0)\"" } ?? "\"blocks\": {\(blocks.joined(separator: ","))}",
    ]
    return "{\n  \(members.compactMap(\.self).joined(separator: ",\n  "))\n}\n"
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

  @Test("reads every version of the client: the old ones have no UID, and the oldest has all bytes in one member")
  func versions() throws {
    let (memory, uid) = (TextFixture.memory, TextFixture.uid)
    func digits(_ bytes: [UInt8]) -> String { TextFixture.hex(bytes, separator: "") }
    let tag = digits(ProxmarkBinaryDumpTests.file(memory: memory, lockCount: 160))
    for (text, uid) in [
      (file(type: "15693 v4", card: card(), blocks: blocks(of: memory)), uid),
      // It has two bytes for the page count.
      (file(type: "15693 v5", card: card(pages: "2B00"), blocks: blocks(of: memory)), uid),
      (file(type: "15693 v3", blocks: blocks(of: memory)), nil),
      (file(type: "15693 v2", blocks: blocks(of: memory, size: 4)), nil),
      (file(type: "15693", raw: digits(memory)), nil), (file(type: "raw", raw: digits(memory)), nil),
      (file(type: "15693", raw: tag), uid), (file(type: "raw", raw: tag), uid),
    ] {
      #expect(try format.onlyDump(in: text) == Dump(image: MemoryImage(bytes: memory, uid: uid)), "\(text.prefix(60))")
    }
  }

  @Test("places blocks by their numbers and reports the missing ones, up to the page count")
  func gaps() throws {
    var expected = MemoryImage(bytes: TextFixture.memory, missingBlocks: [3, 17, 42], uid: TextFixture.uid)
    var blocks = blocks(of: TextFixture.memory)
    for block in [42, 17, 3] {
      blocks.remove(at: block)
      expected.bytes.replaceSubrange(8 * block..<8 * block + 8, with: repeatElement(0, count: 8))
    }
    #expect(try format.onlyImage(in: file(card: card(), blocks: blocks.reversed())) == expected)
    // The old versions have no count.
    #expect(try format.onlyImage(in: file(type: "15693 v3", blocks: blocks)).missingBlocks == [3, 17])
  }

  @Test("reports the field that is invalid or missing, and refuses other JSON, including files of other tags")
  func fields() {
    func one(_ name: String, _ value: String = "0102030405060708") -> [String] { ["\"\(name)\": \"\(value)\""] }
    let block = one("0")
    let cases: [(String, DumpError)] = [
      (file(card: card(uid: "112233"), blocks: block), .badField("Card.uid", value: "112233")),
      (file(card: card(uid: "1122334455667788"), blocks: block), .badField("Card.uid", value: "1122334455667788")),
      (file(card: card(size: "00"), blocks: block), .badField("Card.bytesperpage", value: "00")),
      (file(card: card(pages: "00"), blocks: block), .badField("Card.pagescount", value: "00")),
      (file(card: "\"uid\": \"6745230100A007E0\"", blocks: block), .badField("Card.bytesperpage", value: nil)),
      (file(card: "\"bytesperpage\": 8", blocks: block), .badField("Card.bytesperpage", value: nil)),
      (file(card: card(), blocks: one("17", "22480000")), .badField("blocks.17", value: "22480000")),
      (file(card: card(), blocks: one("17", "0102030405060G08")), .badField("blocks.17", value: "0102030405060G08")),
      (file(card: card(), blocks: ["\"17\": 3"]), .badField("blocks.17", value: nil)),
      (file(card: card(), blocks: one("43")), .badField("blocks.43", value: "0102030405060708")),
      (file(card: card(), blocks: one("07")), .badField("blocks.07", value: "0102030405060708")),
      (file(type: "15693 v3", blocks: one("244")), .badField("blocks.244", value: "0102030405060708")),
      (file(type: "15693", blocks: block), .badField("raw", value: nil)),
      (file(type: "raw", raw: "0"), .badField("raw", value: "0")),
      (file(type: "15693 v3", raw: "00"), .badField("blocks", value: nil)),
      (file(card: card(pages: "FF"), blocks: block), .wrongLength(found: 2_040)),
      (
        file(card: card(size: "01", pages: "5901"), blocks: (0..<345).flatMap { one("\($0)", "00") }),
        .wrongLength(found: 345)
      ),
      (file(card: card()), .noMemory), ("{\"raw\": \"00\"}", .notThisFormat(lacks: "a member `FileType`")),
      (file(type: "mfc v3"), .notThisFormat(lacks: "`FileType` 15693 (v2 to v5) or raw")), ("", .empty),
      ("\u{0}\u{1}\u{2}", .isBinary),
    ]
    for (text, error) in cases { #expect(format.refusal(of: text) == error, "\(text)") }
    let whole = file(card: card(), blocks: blocks(of: TextFixture.memory))
    guard case .badJSON = format.refusal(of: String(whole.dropLast(40))) else { return #expect(Bool(false)) }
  }

  @Test("recognises the client's defect: 84 lock bytes before a memory of more than 160 pages")
  func defect() throws {
    let dump = { (bytes: [UInt8], pages: String) throws -> Dump in
      try format.onlyDump(in: file(card: card(pages: pages), blocks: blocks(of: bytes)))
    }
    #expect(try dump(TextFixture.overwritten(), "F4") == TextFixture.salvaged(uid: TextFixture.uid))
    // A value that is impossible for a lock byte, and one behind the lock bytes.
    for position in [0, 40, 83, 84] {
      var bytes = TextFixture.overwritten()
      bytes[position] = 2
      #expect(try dump(bytes, "F4").defect == (position == 84 ? .overwrittenByProxmark : nil), "\(position)")
    }
    // Other missing blocks stay missing.
    var rest = blocks(of: TextFixture.overwritten())
    for block in [200, 5] { rest.remove(at: block) }
    let gaps = try format.onlyImage(in: file(card: card(pages: "F4"), blocks: rest))
    #expect(gaps.missingBlocks == Array(0...10) + [200])
  }

  @Test("writes the client's members in the client's order, without missing blocks, and refuses an image without any")
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
    #expect(format.losses(of: TextFixture.readingJSON.image) == [.patchInfo, .readAt])
    // Found by the target trace: a scan in which every block was lost. The other UID is the placeholder for none.
    for (image, obstacle) in [
      (
        MemoryImage(bytes: [UInt8](repeating: 0, count: 16), missingBlocks: [0, 1], uid: TextFixture.uid),
        DumpError.Obstacle.missingBlocks(BlockSet([0, 1]))
      ),
      (MemoryImage(bytes: TextFixture.memory, uid: SensorUID(bits: 0xE0 << 56)), .noUID),
    ] {
      #expect(throws: DumpError.cannotWrite(format: "proxmark-json", obstacle: obstacle)) { try format.file(of: image) }
    }
  }
}

struct ProxmarkBinaryDumpTests {
  private let format = ProxmarkBinaryDump()

  /// The client's structure, with literal offsets: 64 lock bytes in 2139 bytes, 160 in 2235, 256 in 2332.
  static func file(
    memory: [UInt8], lockCount: Int, uid: [UInt8] = [0x67, 0x45, 0x23, 0x01, 0x00, 0xA0, 0x07, 0xE0], size: UInt8 = 8,
    pages: Int? = nil
  ) -> [UInt8] {
    let pages = pages ?? memory.count / 8
    var bytes = uid + [0, 0, 0, 0, size, UInt8(pages & 0xFF)]
    if lockCount == 256 { bytes.append(UInt8(pages >> 8)) }
    bytes += [0] + Array(repeating: 0, count: lockCount)
    bytes += memory + Array(repeating: 0, count: 2_048 - memory.count)
    return bytes + Array(repeating: 0, count: 12)
  }

  @Test(
    "reads the structures of three client generations, distinguished by length",
    arguments: [(64, 2_139), (160, 2_235), (256, 2_332)])
  func ages(lockCount: Int, length: Int) throws {
    for memory in [TextFixture.memory, TextFixture.fullMemory] {
      let bytes = Self.file(memory: memory, lockCount: lockCount)
      #expect(bytes.count == length)
      #expect(try format.onlyDump(in: bytes) == Dump(image: MemoryImage(bytes: memory, uid: TextFixture.uid)))
    }
  }

  @Test("reads a UID in either order, and treats zeros and the client's placeholder as no UID")
  func uid() throws {
    let image = { (uid: [UInt8]) throws -> MemoryImage in
      try format.onlyDump(in: Self.file(memory: TextFixture.memory, lockCount: 160, uid: uid)).image
    }
    #expect(try image([0xE0, 0x07, 0xA0, 0x00, 0x01, 0x23, 0x45, 0x67]).uid == TextFixture.uid)
    #expect(try image([0, 0, 0, 0, 0, 0, 0, 0]).uid == nil)
    #expect(try image([0, 0, 0, 0, 0, 0, 0, 0xE0]).uid == nil)
    #expect(throws: DumpError.badField("uid", value: "0102030405060708")) { try image([1, 2, 3, 4, 5, 6, 7, 8]) }
  }

  @Test("refuses a wrong page count, impossible memory lengths, any other length, and text")
  func pages() {
    let rows: [(lockCount: Int, size: UInt8, pages: Int, error: DumpError)] = [
      (160, 0, 43, .badField("bytesPerPage", value: "0")), (160, 8, 0, .badField("pagesCount", value: "0")),
      (160, 255, 9, .badField("pagesCount", value: "9")), (256, 255, 65_535, .badField("pagesCount", value: "65535")),
      (256, 8, 256, .wrongLength(found: 2_048)), (256, 1, 345, .wrongLength(found: 345)),
    ]
    for (lockCount, size, pages, error) in rows {
      #expect(format.refusal(of: Self.file(memory: [], lockCount: lockCount, size: size, pages: pages)) == error)
    }
    let other = DumpError.notThisFormat(lacks: "the length of the client's structure, 2139, 2235 or 2332 bytes")
    for count in [1, 344, 2_138, 2_140, 2_234, 2_236, 2_331, 2_333] {
      #expect(format.refusal(of: [UInt8](repeating: 0, count: count)) == other)
    }
    #expect(format.refusal(of: String(repeating: "A", count: 2_235)) == .isText)
    #expect(format.refusal(of: "") == .empty)
  }

  @Test(
    "recognises the client's defect, also in a file that a later client copied, and the larger one of older clients",
    arguments: [(160, 84, 11), (256, 84, 11), (64, 180, 23)])
  func defect(lockCount: Int, overwritten: Int, blocks: Int) throws {
    let bytes = TextFixture.overwritten(overwritten)
    #expect(
      try format.onlyDump(in: Self.file(memory: bytes, lockCount: lockCount))
        == TextFixture.salvaged(blocks: blocks, uid: TextFixture.uid))
    let sound = Self.file(memory: Array(bytes.prefix(1_280)), lockCount: lockCount)
    #expect(try lockCount == 64 || format.onlyDump(in: sound).defect == nil)
  }
}

struct ProxmarkEMLDumpTests {
  private let format = ProxmarkEMLDump()

  @Test("reads blocks of four bytes, and reports the line of an invalid block, or of a block with another size")
  func damage() throws {
    #expect(try format.onlyImage(in: "01020304\n05060708\n").bytes == Array(1...8))
    let block = "0102030405060708"
    for line in ["01020304", "010203040506070G", "\(block) ff", "01 02 03 04 05 06 07 08", "\(block)0910"] {
      let error = DumpError.badLine(line: 3, expected: "a block of 16 hex digits")
      #expect(format.refusal(of: "# note\n\(block)\n\(line)\n") == error, "\(line)")
    }
    #expect(
      format.refusal(of: "01020304\n\(block)") == .badLine(line: 2, expected: "a block of 8 hex digits"))
    #expect(format.refusal(of: "# uid: 1234\n\(block)") == .badHeader(line: 1, key: "uid", value: "1234"))
    #expect(format.refusal(of: String(repeating: "\(block)\n", count: 245)) == .wrongLength(found: 1_960))
  }

  @Test("writes one block on each line below the comments")
  func written() throws {
    let image = MemoryImage(
      bytes: Array(1...8) + [0xF0, 1, 2, 3, 4, 5, 6, 0xFF], uid: TextFixture.uid,
      patchInfo: PatchInfo([0xDF, 0, 0, 1, 1, 0]), readAt: Instant(secondsSince1970: 0))
    let text = """
      # uid: E007A00001234567
      # patch-info: DF0000010100
      # read-at: 1970-01-01T00:00:00Z
      0102030405060708
      F0010203040506FF

      """
    #expect(String(decoding: try format.file(of: image), as: UTF8.self) == text)
    #expect(format.losses(of: image).isEmpty)
  }
}
