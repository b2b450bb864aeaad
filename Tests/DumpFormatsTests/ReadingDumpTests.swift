// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport
import Testing

@testable import DumpFormats

struct ReadingDumpTests {
  private func dump(_ members: String...) -> String {
    "{\"schema\":\"libre.dump/1\",\(members.joined(separator: ","))}"
  }
  private let memory = "\"memory\":{\"bytes\":\"0A1B\",\"missing_blocks\":[]}"
  private let image = MemoryImage(bytes: [0x0A, 0x1B])

  @Test("reads the known values, treats null and absent members as unknown, and ignores missing blocks after the end")
  func members() throws {
    #expect(
      try ReadingDump().onlyImage(
        in:
          dump(
            "\"read_at\":\"2024-05-02T10:18:00Z\"", "\"sensor\":{\"uid\":\"E007A00001234567\",\"patch_info\":null}",
            "\"memory\":{\"bytes\":\"0a1b0000000000000000000000000000000000\",\"missing_blocks\":[2,1,2,3]}"))
        == MemoryImage(
          bytes: [0x0A, 0x1B] + Array(repeating: 0, count: 17), missingBlocks: [1, 2], uid: TextFixture.uid,
          readAt: TextFixture.scanned))
    #expect(try ReadingDump().onlyImage(in: dump("\"read_at\":null", "\"sensor\":null", memory)) == image)
    #expect(try ReadingDump().onlyImage(in: dump("\"memory\":{\"bytes\":\"0A1B\"}")) == image)
  }

  @Test("reads several readings in an array, one on each line, and in sequence")
  func several() throws {
    let error = "{\"schema\":\"libre.error/1\",\"code\":\"x\",\"line\":\"}{,][\\\"\"}"
    let other = "{\"memory\":{}}"
    let one = dump(memory)
    let results = try ReadingDump().results("[\(one)\n,\(error)\n,\(other),\n\(one)]")
    #expect(results == [.success(Dump(image: image, line: 1)), .success(Dump(image: image, line: 4))])
    #expect(try ReadingDump().results("\(one)\n\(error)\n\n\(one)\n") == results)
    let spread = "{\n\"schema\":\"libre.reading/1\",\(memory)\n}"
    #expect(
      try ReadingDump().results("\n\(spread)\n\(spread) \(one)").map { try $0.get().line } == [2, 5, 7])
  }

  @Test("a document is read without the platform's decoder only where that reads the same")
  func plainDocuments() throws {
    let whole = Array(
      dump(
        "\"read_at\":\"2024-05-02T10:18:00Z\"", "\"sensor\":{\"uid\":\"E007A00001234567\",\"patch_info\":null}",
        "\"memory\": {\"bytes\":\"0a1b0000\", \"missing_blocks\":[0, 1 ,2]}"
      ).utf8)
    // With a member that a dump does not have, the platform's decoder reads the document.
    let other = Array("{\"other\":0,".utf8)
    var random = SplitMix64(seed: 41)
    let characters = Array("{}[]\",:\\0123456789nul.-+eE AFx\u{9}é\u{7F}".utf8)
    var accepted = 0
    for round in 0..<4_000 {
      var text = whole
      for _ in 0..<(round == 0 ? 0 : 1 + Int(random.next() % 2)) {
        let place = 1 + Int(random.next() % UInt64(text.count - 1))
        let character = characters[Int(random.next() % UInt64(characters.count))]
        switch random.next() % 3 {
        case 0: text[place] = character
        case 1: text.insert(character, at: place)
        default: text.remove(at: place)
        }
      }
      func image(_ bytes: [UInt8]) -> MemoryImage? { try? ReadingDump().onlyImage(in: bytes) }
      let (plain, decoded) = (image(text), image(other + text.dropFirst()))
      #expect(plain == decoded, "\(String(decoding: text, as: UTF8.self))")
      if plain != nil { accepted += 1 }
    }
    #expect(accepted > 400)
  }

  @Test("a line that is cut off does not affect the others")
  func brokenLine() throws {
    let one = dump(memory)
    for length in [12, 20, 30, one.count - 1] {
      let results = try ReadingDump().results("\(one)\n\(one.prefix(length))\n\(one)\n")
      try #require(results.count == 3)
      #expect(results[0] == .success(Dump(image: image, line: 1)))
      #expect { try results[1].get() } throws: { error in
        if case DumpError.badJSON = error { true } else { false }
      }
      #expect(results[2] == .success(Dump(image: image, line: 3)))
    }
  }

  @Test("an array that is cut off gives its complete elements, then an error")
  func brokenArray() throws {
    let one = dump(memory)
    for (text, error) in [
      ("[\(one),", "the array is not closed"), ("[\(one)\n\(one)]", "line 2: a comma is missing"),
    ] {
      let results = try ReadingDump().results(text)
      #expect(results.last == .failure(.badJSON(error)))
      #expect(results.dropLast().allSatisfy { $0 == .success(Dump(image: image, line: 1)) })
    }
    #expect(try ReadingDump().results("[\(one),\(one.dropLast())").count == 3)
  }

  @Test("reports the member that cannot be read, or the memory that a reading of an older version lacks")
  func failures() throws {
    func bytes(_ members: String) -> String { dump("\"memory\":{\(members)}") }
    let failures: [(String, DumpError)] = [
      (bytes(""), .badField("memory.bytes", value: nil)),
      (bytes("\"bytes\":\"0A1\""), .badField("memory.bytes", value: "0A1")),
      (bytes("\"bytes\":\"\""), .badField("memory.bytes", value: "")),
      (bytes("\"bytes\":5"), .badField("memory.bytes", value: nil)),
      (dump("\"memory\":5"), .badField("memory", value: nil)),
      (dump("\"sensor\":{\"uid\":null}"), .badField("memory", value: nil)),
      (bytes("\"bytes\":\"0A\",\"missing_blocks\":[3,1100]"), .badField("memory.missing_blocks", value: "1100")),
      (bytes("\"bytes\":\"0A\",\"missing_blocks\":[-1]"), .badField("memory.missing_blocks", value: "-1")),
      (dump("\"read_at\":\"2024-05-02T10:18:00\"", memory), .badField("read_at", value: "2024-05-02T10:18:00")),
      (dump("\"sensor\":{\"uid\":\"0102\"}", memory), .badField("sensor.uid", value: "0102")),
      (dump("\"sensor\":{\"patch_info\":\"DF\"}", memory), .badField("sensor.patch_info", value: "DF")),
      (bytes("\"bytes\":\"\(String(repeating: "00", count: 345))\""), .wrongLength(found: 345)),
    ]
    for (text, error) in failures {
      let results = try ReadingDump().results("\(text)\n\(dump(memory))")
      #expect(results == [.failure(error), .success(Dump(image: image, line: 2))], "\(text)")
    }
  }

  @Test("finds its schema even if the slash is escaped, refuses a reading without it, and ignores other schemas")
  func marks() throws {
    #expect(try ReadingDump().onlyImage(in: "{\"schema\":\"libre.dump\\/1\",\(memory)}") == image)
    #expect(
      ReadingDump().refusal(of: "{\"schema\":\"libre.error/1\",\(memory)}")
        == .notThisFormat(lacks: "a schema libre.dump/1 or libre.reading/1"))
    #expect(try ReadingDump().results("{\"schema\":\"libre.dump/2\",\(memory)}").isEmpty)
    // A member of more than a million characters is read past.
    let long = dump("\"note\":\"\(String(repeating: "x", count: 1 << 20))\"", memory)
    #expect(try ReadingDump().results("\(long)\n\(dump(memory))\n").map { try $0.get().line } == [1, 2])
  }

  @Test("writes its schema, indented by two spaces for each level")
  func writing() throws {
    let image = MemoryImage(
      bytes: [0x0A, 0x1B, 0xFF], missingBlocks: [3, 12], uid: TextFixture.uid,
      patchInfo: PatchInfo(TextFixture.patchInfo), readAt: TextFixture.scanned)
    #expect(
      String(decoding: try ReadingDump().file(of: image), as: UTF8.self) == """
        {
          "schema": "libre.dump/1",
          "read_at": "2024-05-02T10:18:00Z",
          "sensor": {
            "uid": "E007A00001234567",
            "patch_info": "DF0000010100"
          },
          "memory": {
            "bytes": "0A1BFF",
            "missing_blocks": [3, 12]
          }
        }

        """)
    let bare = try JSONValue(parsing: try ReadingDump().file(of: MemoryImage(bytes: [1])))
    #expect(bare.keys == ["schema", "read_at", "sensor", "memory"] && bare["read_at"] == .null)
    #expect(bare["sensor"] == .object(["uid": .null, "patch_info": .null]))
    #expect(bare["memory"] == .object(["bytes": .string("01"), "missing_blocks": .array([])]))
    #expect(ReadingDump().losses(of: image).isEmpty)
  }
}
