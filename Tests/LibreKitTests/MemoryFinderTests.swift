// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import HostSystem
import Libre1Core
import TestSupport
import Testing

@testable import LibreKit

@Suite("The search for memories in files") struct MemoryFinderTests {
  private let folder: TemporaryDirectory
  private let memory = LiteralMemory().bytes
  private let other = LiteralMemory(age: 2_000).bytes
  /// Bytes without a memory.
  private let noise = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }

  init() throws { folder = try TemporaryDirectory() }

  private func hex(_ bytes: [UInt8]) -> String { HexText.lowercase(of: bytes) }

  private func found(
    _ file: [UInt8], _ finder: MemoryFinder = MemoryFinder()
  ) throws -> [FoundMemories.Entry] {
    var found = FoundMemories()
    for memory in try finder.memories(in: try folder.write(file, to: "file")) { found.add(memory) }
    return found.all
  }

  private func dump(_ bytes: [UInt8], readAt: Instant? = LiteralMemory.readAt) throws -> [UInt8] {
    try ReadingDump().file(of: MemoryImage(bytes: bytes, uid: LiteralMemory.uid, readAt: readAt))
  }

  @Test("a format gives a memory with its facts, and the search gives those beside it")
  func besides() throws {
    let text = "# uid: \(LiteralMemory.uid)\n# read-at: \(LiteralMemory.readAt.rfc3339)\n\(hex(memory))\n"
    let known = try #require(try found(Array(text.utf8)).first)
    #expect(known.memory.sensor.uid == LiteralMemory.uid && known.memory.readAt == LiteralMemory.readAt)
    let all = try found(noise + memory + noise + other + noise)
    #expect(all.map(\.memory.sensor.ageMinutes) == [1_000, 2_000])
    #expect(all.map { $0.memory.source.found?.text } == ["bytes at byte 5,000", "bytes at byte 10,344"])
    #expect(all.allSatisfy { $0.places.count == 1 && $0.memory.source.format == "found" })
    let (first, second) = (try dump(memory), Array(hex(other).utf8))
    let both = try found(Array("{\"a\": ".utf8) + first + Array(", \"b\": \"".utf8) + second + Array("\"}".utf8))
    #expect(both.map(\.memory.sensor.ageMinutes).sorted() == [1_000, 2_000])
    // A text that contradicts itself costs the facts, not the memory.
    let doubtful = "log\n# uid: E007A0000025905E\n# uid: E007A0000025905F\nx: \(hex(memory))\n"
    let bare = try found(Array(doubtful.utf8))
    #expect(bare.map(\.memory.sensor.ageMinutes) == [1_000] && bare.first?.memory.sensor.uid == nil)
  }

  @Test("a file without a memory, an empty one and one with damaged memories give nothing and no error")
  func nothing() throws {
    var body = memory
    body[100] ^= 1
    var header = memory
    header[5] ^= 1
    for file in [[], noise, body, header, Array(hex(body).utf8), Array("{\"a\": 1}".utf8), Array(memory.dropLast(30))] {
      #expect(try found(file).isEmpty)
    }
  }

  @Test(
    "a file that is too large for one piece is searched in parts, wherever the memory begins",
    arguments: [0, 1, 700, 1_023, 1_024, 1_500, 1_700, 2_047, 3_000])
  func parts(start: Int) throws {
    let finder = MemoryFinder(decoder: DumpDecoder(), partSize: 2_048, overlap: 1_024)
    // A store of libre is too large for a dump at any size.
    let store = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 52) + Array("LIBR".utf8)
    let file = store + noise.prefix(start) + memory + noise
    var searched: [Int] = []
    let path = try folder.write(file, to: "file")
    let all = try finder.memories(in: path) { bytes in
      searched.append(bytes)
      return true
    }
    var once = FoundMemories()
    for memory in all { once.add(memory) }
    let only = try #require(once.all.first)
    #expect(once.all.count == 1 && only.places.count == 1)
    #expect(only.memory.source.found?.text == "bytes at byte \((72 + start).grouped)")
    #expect(only.memory.dump.image.bytes == memory && only.memory.source.sha256 == HashFunction.sha256.hex(of: file))
    #expect(searched.last == file.count && searched == searched.sorted() && searched.count > 2)
    #expect(try finder.memories(in: path) { _ in false }.count == (72 + start + memory.count <= 2_048 ? 1 : 0))
  }

  #if SQLite
    @Test("the tables of a database are searched value by value, and those of a large one can be interrupted")
    func tables() throws {
      let path = folder.path("app.db")
      let database = try SQLiteConnection<SQLiteFailure>(path, for: .creating)
      let text = "\(String(repeating: "z", count: 4_500))\(hex(memory))\(String(repeating: "z", count: 4_500))"
      let rows = "('\(text)'), (x'\(hex(noise))'), (x'\(hex(other))')"
      try database.execute("PRAGMA page_size = 512; CREATE TABLE scans (fram); INSERT INTO scans VALUES \(rows)")
      let large = MemoryFinder(decoder: DumpDecoder(), partSize: 2_048, overlap: 1_024)
      for finder in [MemoryFinder(), large] {
        var once = FoundMemories()
        for memory in try finder.memories(in: path) { once.add(memory) }
        #expect(once.all.map(\.memory.sensor.ageMinutes) == [1_000, 2_000])
        #expect(
          once.all.map { $0.memory.source.found?.text } == [
            "hex in table \"scans\", row 1, column \"fram\"", "table \"scans\", row 3, column \"fram\"",
          ])
        #expect(once.all.allSatisfy { $0.places.count == 1 && $0.memory.source.format == "found" })
      }
      var searched: [Int] = []
      let first = try large.memories(in: path) { bytes in
        searched.append(bytes)
        return false
      }
      #expect(first.map(\.sensor.ageMinutes) == [1_000])
      #expect(searched == [text.count, text.count + 2_048], "the first value, and the first part of the file")
    }
  #endif

  @Test("a compressed file that libre cannot unpack, and a missing one, are errors")
  func unread() throws {
    #expect(throws: LibreError.dump(.isPacked(by: "xz", command: "xz -dc FILE | libre decode -"))) {
      try found([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00] + noise)
    }
    #expect(throws: LibreError.input(.notFound)) { try MemoryFinder().memories(in: folder.path("none")) }
    #expect(throws: LibreError.dump(.badGzip)) { try found([0x1F, 0x8B, 0x08] + noise) }
  }

  @Test("of several copies the one that says most counts, and its place is the first")
  func copies() throws {
    var once = FoundMemories()
    let files = [("a", memory), ("b", try dump(memory, readAt: nil)), ("c", try dump(memory)), ("d", memory)]
    for (name, bytes) in files {
      for memory in try MemoryFinder().memories(in: try folder.write(bytes, to: name)) { once.add(memory) }
    }
    let only = try #require(once.all.first)
    #expect(once.all.count == 1 && only.memory.readAt == LiteralMemory.readAt)
    #expect(only.places.compactMap { $0.path?.suffix(1) } == ["c", "b", "a", "d"])
    let reading = try DumpDecoder().reading(of: only.memory)
    #expect(reading.id == (try DumpDecoder().decode(try dump(memory))).id && reading.source.path == folder.path("c"))
  }
}
