// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CGMModel
  @testable import DumpFormats
  import Foundation
  import HostSystem
  import Libre1Core
  import TestSupport
  import Testing

  @Suite("Memories in the tables of databases")
  struct FoundTablesTests {
    private let memories: [[UInt8]]

    init() throws {
      let scenario = try #require(Scenario.named("active"))
      memories = (1...4).map { scenario.memory(seed: $0) }
    }

    private func found(_ database: XDripDatabase) throws -> [Dump] { try found(at: database.path) }

    private func found(at path: String) throws -> [Dump] {
      try FoundDump().dumps(in: DumpFile(ForeignDatabase.signature, path: path)).map { try $0.get() }
    }

    private func found(_ bytes: [UInt8]) throws -> [Dump] {
      try FoundDump().dumps(in: DumpFile(bytes)).map { try $0.get() }
    }

    private func bytes(of database: XDripDatabase) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: database.path)))
    }

    /// A memory between others that make it go over several pages.
    private func spread(_ memory: [UInt8]) -> [UInt8] {
      [UInt8](repeating: 7, count: 5_000) + memory + [UInt8](repeating: 9, count: 5_000)
    }

    @Test("a blob has its place by table, row and column")
    func blob() throws {
      let database = try XDripDatabase("CREATE TABLE scans (id INTEGER PRIMARY KEY, note TEXT, fram BLOB)")
      for row in 1...5 {
        let value = row == 3 ? memories[0] : [UInt8](repeating: 0, count: 344)
        try database.execute("INSERT INTO scans VALUES (\(row), 'a note', \(XDripDatabase.blob(value)))")
      }
      let only = try #require(try found(database).first)
      #expect(try found(database).map(\.image.bytes) == [memories[0]], "once, although its bytes are in the file too")
      let layer = "table \"scans\", row 3, column \"fram\""
      #expect(only.found == FoundPlace(layer: layer, unit: .row, range: 3...3))
      #expect(only.label == layer && only.line == nil)
    }

    @Test("all memories in a text of many pages are found", arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
    func text(encoding: String) throws {
      let note = String(repeating: "z", count: 777)
      let scans = memories.map { "{\"note\":\"\(note)\",\"fram\":\"\(FoundContainer.hex($0, ""))\"}" }
      let database = try XDripDatabase(
        """
        PRAGMA encoding = '\(encoding)'; PRAGMA page_size = 512; CREATE TABLE logs (t TEXT);
        INSERT INTO logs VALUES ('[\(scans.joined(separator: ","))]');
        """)
      let all = try found(database)
      #expect(all.map(\.image.bytes) == memories)
      #expect(
        all.allSatisfy { $0.label == "hex in table \"logs\", row 1, column \"t\"" }, "\(all.map { $0.label ?? "" })")
      #expect(all.allSatisfy { $0.image.missingBlocks.isEmpty })
    }

    @Test("each value is searched like a file of its own, in every kind of table")
    func kinds() throws {
      let (first, second) = (XDripDatabase.blob(spread(memories[0])), XDripDatabase.blob(spread(memories[2])))
      let packed = XDripDatabase.blob([0x78, 0x01] + FoundContainer.deflated(memories[3]))
      let database = try XDripDatabase(
        """
        CREATE TABLE "a ""b"" c" (k TEXT PRIMARY KEY, v BLOB) WITHOUT ROWID;
        INSERT INTO "a ""b"" c" VALUES ('c', x'00'), ('d', \(first));
        CREATE TABLE below (id INTEGER PRIMARY KEY, "hex\ttext" TEXT);
        INSERT INTO below VALUES (-77, '\(FoundContainer.hex(spread(memories[1])))');
        CREATE TABLE hidden (rowid TEXT, v); INSERT INTO hidden VALUES (5, NULL), ('x', CAST(\(second) AS TEXT));
        CREATE TABLE zlib (a, b GENERATED ALWAYS AS (a), c GENERATED ALWAYS AS (a || x'') STORED);
        INSERT INTO zlib (a) VALUES (1.5), (\(packed));
        CREATE VIEW shown AS SELECT * FROM below;
        """)
      let all = try found(database)
      #expect(all.map(\.image.bytes) == memories)
      #expect(
        all.map { $0.label ?? "" } == [
          "table \"a \"b\" c\", row 2, column \"v\"", "hex in table \"below\", row -77, column \"hex?text\"",
          "table \"hidden\", row 2, column \"v\"", "zlib in table \"zlib\", row 2, column \"a\"",
        ])
    }

    @Test("a deleted row is found among the bytes of the file")
    func deleted() throws {
      let database = try XDripDatabase("PRAGMA secure_delete = OFF; CREATE TABLE scans (fram BLOB)")
      for memory in memories { try database.execute("INSERT INTO scans VALUES (\(XDripDatabase.blob(memory)))") }
      try database.execute("DELETE FROM scans WHERE rowid IN (2, 4)")
      let all = try found(database)
      #expect(all.prefix(2).map(\.image.bytes) == [memories[0], memories[2]])
      #expect(all.prefix(2).map(\.found?.range) == [1...1, 3...3])
      #expect(Set(all.dropFirst(2).map(\.image.bytes)) == [memories[1], memories[3]])
      #expect(all.dropFirst(2).allSatisfy { $0.found?.layer == "bytes" && $0.found?.unit == .byte })
    }

    @Test("what follows a value in the file does not belong to it")
    func short() throws {
      let memory = Array(memories[0].prefix(320))
      let database = try XDripDatabase("CREATE TABLE scans (fram BLOB, more BLOB)")
      try database.execute(
        "INSERT INTO scans VALUES (\(XDripDatabase.blob(memory)), x'\(String(repeating: "EE", count: 99))')")
      #expect(try found(database).map(\.image.bytes) == [memory])
    }

    @Test("the tables of a database in an archive, a backup or another database are searched")
    func nested() throws {
      let inner = try XDripDatabase(
        "CREATE TABLE scans (fram BLOB); INSERT INTO scans VALUES (\(XDripDatabase.blob(spread(memories[0]))))")
      let file = try bytes(of: inner)
      let place = "table \"scans\", row 1, column \"fram\""
      let between = [UInt8](repeating: 7, count: 5_000) + file + Array(file.prefix(5_000))
      #expect(try found(between).map(\.label) == ["\(place) at byte 5,000"])
      #expect(try found(between).map(\.found?.range) == [5_000...4_999 + file.count])
      #expect(try found(FoundContainer.zipEntry("a.db", file)).map(\.label) == ["\(place) in zip at byte 0"])
      let zlib = [0x78, 0x01] + FoundContainer.deflated(file)
      let outer = try XDripDatabase("CREATE TABLE files (content)")
      try outer.execute("INSERT INTO files VALUES (\(XDripDatabase.blob(zlib)))")
      #expect(try found(outer).map(\.label) == ["\(place) in zlib in table \"files\", row 1, column \"content\""])
      #expect(throws: DumpError.self, "a header without its database") { try found(Array(file.prefix(8_000))) }
    }

    @Test("a database in WAL mode is searched with its log, and among other bytes without one")
    func log() throws {
      let database = try XDripDatabase(
        """
        PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE scans (fram BLOB);
        INSERT INTO scans VALUES (\(XDripDatabase.blob(spread(memories[0]))));
        """)
      let copy = try database.copy()
      #expect(try found(at: copy.path).map(\.label) == ["table \"scans\", row 1, column \"fram\""])
      try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      let file = try bytes(of: database)
      #expect(file[18] == 2)
      #expect(try found([1] + file).map(\.image.bytes) == [memories[0]])
    }

    @Test("of a damaged database SQLite's part and the rest are read, as far as they can be")
    func damaged() throws {
      let database = try XDripDatabase("PRAGMA page_size = 1024; CREATE TABLE scans (fram BLOB)")
      for memory in memories {
        try database.execute("INSERT INTO scans VALUES (\(XDripDatabase.blob(spread(memory))))")
      }
      let file = try bytes(of: database)
      let damaged = try TemporaryDirectory(isInMemory: true)
      // The value of the first row goes on in a page that does not exist.
      let page = try #require(
        stride(from: 1_024, to: file.count, by: 1_024).first { file[$0..<$0 + 4].elementsEqual([0, 0, 0, 4]) })
      var broken = file
      broken.replaceSubrange(page..<page + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
      let path = try damaged.write(broken, to: "broken")
      #expect(Set(try found(at: path).map(\.image.bytes)).isSuperset(of: memories[1...]))
      var random = SplitMix64(seed: 5)
      for _ in 0..<TestTier.rounds(15, full: 500) {
        var broken = file
        for _ in 0..<random.number(1...200) { broken[random.number(16...file.count - 1)] = random.bytes(1)[0] }
        let path = try damaged.write(Array(broken.prefix(random.number(600...file.count))), to: "broken")
        for bytes in [DumpFile(ForeignDatabase.signature, path: path), DumpFile(broken)] {
          guard let all = try? FoundDump().dumps(in: bytes) else { continue }
          for case .success(let dump) in all where dump.memory.integrity.trustedRegions == 3 {
            #expect(memories.contains(dump.image.bytes))
          }
        }
      }
    }
  }
#endif
