// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CGMModel
  import DumpFormats
  import Foundation
  import SensorSimulator
  import TestSupport
  import Testing

  struct XDripDatabaseDumpTests {
    private func dumps(_ path: String) throws(DumpError) -> [Result<Dump, DumpError>] {
      Array(try XDripDatabaseDump().dumps(in: DumpFile(Array("SQLite format 3\0".utf8), path: path)))
    }

    private func images(_ path: String) throws -> [MemoryImage] { try dumps(path).map { try $0.get().image } }

    /// A memory that is told from others by its first byte.
    private func memory(_ number: UInt8) -> [UInt8] { [number] + TextFixture.memory.dropFirst() }

    @Test("reads whole memories with their UID, patch info and time, and passes over Bluetooth packets and parts")
    func scan() throws {
      let database = try XDripDatabase()
      try database.add(end: 44)
      try database.add(Array(TextFixture.memory.prefix(44)), start: 0, end: 44)
      try database.add(
        at: "1714644900999", uid: "x'6745230100A007E0'", patchInfo: "x'DF0000010100'")
      try database.add(Array(TextFixture.memory.prefix(8)), start: 336, end: 344)
      try database.add(start: 8, end: 352)
      let found = try dumps(database.path)
      #expect(
        found == [
          .success(
            Dump(
              image: MemoryImage(
                bytes: TextFixture.memory, uid: SensorUID(bits: 0xE007_A000_0123_4567),
                patchInfo: PatchInfo([0xDF, 0, 0, 1, 1, 0]), readAt: Instant(secondsSince1970: 1_714_644_900)),
              label: "2024-05-02T10:15:00Z"))
        ])
    }

    @Test("takes the UID in either order, and UID and patch info as hex digits too")
    func forms() throws {
      let database = try XDripDatabase()
      try database.add(uid: "x'E007A00001234567'", patchInfo: "'df0000010100'")
      try database.add(uid: "'6745230100A007E0'", patchInfo: Self.zeroBlob(24))
      let images = try images(database.path)
      #expect(images.map(\.uid) == [TextFixture.uid, TextFixture.uid])
      #expect(images.map(\.patchInfo?.bytes) == [[0xDF, 0, 0, 1, 1, 0], Array(repeating: 0, count: 24)])
    }

    @Test(
      "gives the scans in the order of their times, equal ones in the order of their rows", arguments: [true, false])
    func order(isIndexed: Bool) throws {
      let schema = XDripDatabase.oldSchema + XDripDatabase.newColumns
      let database = try XDripDatabase(isIndexed ? schema + XDripDatabase.indices : schema)
      for (number, time) in [(1, "3"), (2, "1"), (3, "2"), (4, "1"), (5, "NULL"), (6, "4")] {
        try database.add(at: "1714644900000 + 1000 * \(time)", memory(UInt8(number)))
      }
      let images = try images(database.path)
      #expect(images.map(\.bytes[0]) == [5, 2, 4, 3, 1, 6])
      let seconds = images.map { ($0.readAt?.secondsSince1970).map { $0 - 1_714_644_900 } }
      #expect(seconds == [nil, 1, 1, 2, 3, 4])
    }

    @Test("has no time, UID or patch info where the row has none: no 0, no guess")
    func nothing() throws {
      let database = try XDripDatabase()
      for time in ["NULL", "0", "-1"] { try database.add(at: time, uid: "x''", patchInfo: "''") }
      let image = MemoryImage(bytes: TextFixture.memory)
      #expect(try dumps(database.path) == Array(repeating: .success(Dump(image: image)), count: 3))
    }

    @Test("reads a database of 2017, which has no column for the UID")
    func old() throws {
      let database = try XDripDatabase(XDripDatabase.oldSchema + XDripDatabase.indices)
      try database.execute(
        """
        INSERT INTO LibreBlock (timestamp, blockbytes, bytestart, byteend)
        VALUES (1714644900000, \(XDripDatabase.blob(TextFixture.memory)), 0, 344)
        """)
      let image = MemoryImage(bytes: TextFixture.memory, readAt: Instant(secondsSince1970: 1_714_644_900))
      #expect(try images(database.path) == [image])
    }

    @Test("gives as many bytes as the row has: whether they suffice is not its to judge")
    func short() throws {
      let database = try XDripDatabase()
      try database.add(Array(TextFixture.memory.prefix(300)))
      #expect(try images(database.path).map(\.bytes) == [Array(TextFixture.memory.prefix(300))])
    }

    @Test("a scan that cannot be read is a failure in its place, and the next ones are read")
    func failures() throws {
      let database = try XDripDatabase()
      try database.add(at: "1000", memory(1))
      try database.add(at: "2000", [])
      try database.add(at: "3000", Array(repeating: 7, count: 345))
      try database.add(at: "4000", uid: "x'0107A00001234567'")
      try database.add(at: "5000", uid: "'no UID'")
      try database.add(at: "6000", uid: "x'E007'")
      try database.add(at: "7000", patchInfo: "x'DF00'")
      try database.add(at: "8000", patchInfo: "5")
      try database.add(at: "9000", uid: "zeroblob(2000000)")
      try database.add(at: "10000", memory(2))
      try database.add(at: "9223372036854775807")
      try database.add(at: "'yesterday'")
      try database.execute("UPDATE LibreBlock SET blockbytes = NULL WHERE timestamp = 2000")
      let found = try dumps(database.path)
      #expect(
        found.map { result -> DumpError? in if case .failure(let error) = result { error } else { nil } } == [
          nil, .badField("LibreBlock.blockbytes", value: nil), .wrongLength(found: 345),
          .badField("LibreBlock.patchUid", value: "0107A00001234567"),
          .badField("LibreBlock.patchUid", value: "no UID"), .badField("LibreBlock.patchUid", value: "E007"),
          .badField("LibreBlock.patchInfo", value: "DF00"), .badField("LibreBlock.patchInfo", value: "5"),
          .database("string or blob too big"), nil,
          nil,
          .badField("LibreBlock.timestamp", value: "yesterday"),
        ])
      #expect(try found[0].get().image.bytes == memory(1))
      #expect(try found[9].get().image.bytes == memory(2))
    }

    private static func zeroBlob(_ count: Int) -> String { "zeroblob(\(count))" }
  }

  /// What is beside a database, and what is none.
  struct XDripDatabaseFileTests {
    private func count(_ path: String) throws(DumpError) -> Int {
      var count = 0
      for result in try XDripDatabaseDump().dumps(in: DumpFile(Array("SQLite format 3\0".utf8), path: path)) {
        _ = try result.get()
        count += 1
      }
      return count
    }

    /// Reads a copy, and looks whether anything in its folder has changed: meanwhile, and afterwards.
    private func countUnchanged(_ file: URL, of database: XDripDatabase) throws -> Int {
      let folder = file.deletingLastPathComponent()
      let before = try database.files(in: folder)
      var dumps = try XDripDatabaseDump().dumps(in: DumpFile(Array("SQLite format 3\0".utf8), path: file.path))
      var count = 0
      while let dump = dumps.next() {
        _ = try dump.get()
        count += 1
        #expect(try database.files(in: folder) == before)
      }
      #expect(try database.files(in: folder) == before)
      return count
    }

    @Test(
      "leaves an export as it is, and nothing beside it", arguments: ["delete", "truncate", "persist", "wal"],
      [["-journal"], ["-journal", "-wal"]])
    func unchanged(mode: String, besides: [String]) throws {
      let database = try XDripDatabase()
      try database.execute("PRAGMA journal_mode = \(mode)")
      try database.add()
      try database.add()
      try database.execute("PRAGMA wal_checkpoint(truncate)")
      #expect(try countUnchanged(try database.copy(with: besides), of: database) == 2)
    }

    @Test(
      "reads what is only in the log beside it, and leaves the log", arguments: [false, true],
      [["-wal"], ["-wal", "-shm"]])
    func log(isWrittenBack: Bool, besides: [String]) throws {
      let database = try XDripDatabase()
      try database.execute("PRAGMA journal_mode = wal")
      try database.execute("PRAGMA wal_autocheckpoint = 0")
      try database.add()
      if isWrittenBack { try database.execute("PRAGMA wal_checkpoint(passive)") }
      let file = try database.copy(with: besides)
      #expect(try countUnchanged(file, of: database) == 1)
      // It stood in the log alone, so that what is shown here is not for nothing.
      if !isWrittenBack {
        try FileManager.default.removeItem(atPath: file.path + "-wal")
        #expect(try count(file.path) == 0)
      }
    }

    @Test("leaves a log that has nothing in it where it is")
    func deadLog() throws {
      let database = try XDripDatabase()
      try database.execute("PRAGMA journal_mode = wal")
      try database.add()
      try database.execute("PRAGMA wal_checkpoint(truncate)")
      let file = try database.copy(with: [])
      try Data(repeating: 0, count: 100).write(to: URL(fileURLWithPath: file.path + "-wal"))
      #expect(try countUnchanged(file, of: database) == 1)
    }

    @Test("finds the log of a database behind a link")
    func link() throws {
      let database = try XDripDatabase()
      try database.execute("PRAGMA journal_mode = wal")
      try database.add()
      let file = try database.copy()
      let link = database.folder.appendingPathComponent("link.sqlite").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
      #expect(try count(link) == 1)
    }

    @Test("refuses a database in the middle of a change rather than read half of it")
    func hotJournal() throws {
      let database = try XDripDatabase()
      try database.execute("PRAGMA cache_size = 1")
      try database.execute("PRAGMA cache_spill = 1")
      try database.add()
      try database.execute("BEGIN")
      for _ in 0..<200 { try database.add() }
      let file = try database.copy()
      #expect(throws: DumpError.database("attempt to write a readonly database")) {
        try countUnchanged(file, of: database)
      }
    }

    @Test(
      "opens the very file that a path names", arguments: ["a b.sqlite", "50%41?mode=memory#x&immutable=0", "grün"])
    func path(name: String) throws {
      let database = try XDripDatabase(name: name)
      try database.add()
      #expect(try count(database.path) == 1)
    }

    @Test("takes a file by SQLite's mark and its table, and only where it lies in a file")
    func marks() throws {
      let mark = Array("SQLite format 3\0".utf8)
      for other in [Array("SQLite format 2\0".utf8), Array("SQLite".utf8), TextFixture.memory] {
        #expect(throws: DumpError.notThisFormat(lacks: "SQLite's signature at the start")) {
          try XDripDatabaseDump().dumps(in: DumpFile(other, path: "/nothing"))
        }
      }
      #expect(throws: DumpError.databaseNotInFile) { try XDripDatabaseDump().dumps(in: DumpFile(mark)) }
    }

    @Test(
      "names the table that a database lacks, whatever other format is asked",
      arguments: [
        "CREATE TABLE BgReadings (a)",
        "CREATE TABLE t (timestamp, blockbytes, bytestart, byteend); CREATE VIEW LibreBlock AS SELECT * FROM t",
        "CREATE VIRTUAL TABLE LibreBlock USING fts5(timestamp, blockbytes, bytestart, byteend)",
      ])
    func noTable(schema: String) throws {
      let database = try XDripDatabase(schema)
      let error = DumpError.badField("the table LibreBlock", value: nil)
      #expect(throws: error) { try count(database.path) }
      #expect(throws: error) {
        try DumpDetector(formats: [XDripDatabaseDump(), HexDump(), RawDump()])
          .detect(DumpFile(DatabaseFile.magic, path: database.path))
      }
    }

    @Test("names a column that is missing, and does not compute one that any expression may stand for")
    func columns() throws {
      let short = try XDripDatabase("CREATE TABLE LibreBlock (timestamp, blockbytes, bytestart)")
      #expect(throws: DumpError.badField("LibreBlock.byteend", value: nil)) { try count(short.path) }
      let computed = try XDripDatabase(
        "CREATE TABLE LibreBlock (timestamp, bytestart, byteend, blockbytes AS (hex(zeroblob(400000000))))")
      #expect(throws: DumpError.badField("LibreBlock.blockbytes", value: "computed column")) {
        try count(computed.path)
      }
      let rowless = try XDripDatabase(
        "CREATE TABLE LibreBlock (timestamp PRIMARY KEY, bytestart, byteend, blockbytes) WITHOUT ROWID")
      #expect(throws: DumpError.database("no such column: rowid")) { try count(rowless.path) }
    }

    @Test("says in SQLite's words what is wrong with a file")
    func damaged() throws {
      let database = try XDripDatabase("CREATE TABLE other (a)")
      #expect(throws: DumpError.database("unable to open database file")) { try count(database.path + ".nothing") }
      #expect(throws: DumpError.self) { try count(database.folder.path) }
      let file = database.folder.appendingPathComponent("bad.sqlite")
      try Data("SQLite format 3\0".utf8 + Array(repeating: 0xA5, count: 5_000)).write(to: file)
      #expect(throws: DumpError.database("file is not a database")) { try count(file.path) }
    }

    @Test("survives databases that are cut or have bytes changed")
    func hostile() throws {
      let database = try XDripDatabase()
      for number in 0..<40 { try database.add(at: "\(number)000", uid: "x'E007A00001234567'") }
      let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: database.path)))
      let file = database.folder.appendingPathComponent("hostile.sqlite")
      var failures = 0
      let rounds = TestTier.rounds(200, full: 600)
      for seed in 0..<UInt64(rounds) {
        var random = SplitMix64(seed: seed)
        var bytes = sound
        if random.number(0...4) == 0 { bytes.removeLast(random.number(1...bytes.count - 100)) }
        for _ in 0..<random.number(1...30) {
          bytes[random.number(16...bytes.count - 1)] = UInt8(truncatingIfNeeded: random.next())
        }
        try Data(bytes).write(to: file)
        var found = 0
        do {
          let dumps = try XDripDatabaseDump().dumps(in: DumpFile(Array("SQLite format 3\0".utf8), path: file.path))
          for result in dumps.prefix(10_000) {
            found += 1
            if case .failure = result { failures += 1 }
          }
        } catch {
          failures += 1
        }
        #expect(found < 10_000, "seed \(seed): it does not end")
      }
      #expect(failures > rounds / 6)
    }

    @Test("gives thousands of scans in the order of their times, each once")
    func many() throws {
      let scans = TestTier.rounds(2_000, full: 20_000)
      let database = try XDripDatabase()
      try database.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(scans))
        INSERT INTO LibreBlock (timestamp, blockbytes, bytestart, byteend)
        SELECT 1714644900000 + i * 7919 % 20011 * 1000, \(XDripDatabase.blob(TextFixture.memory)), 0, 344 FROM n
        """)
      var before: Instant?
      var count = 0
      for result in try XDripDatabaseDump().dumps(in: DumpFile(Array("SQLite format 3\0".utf8), path: database.path)) {
        let readAt = try #require(try result.get().image.readAt)
        if let before { #expect(before < readAt) }
        before = readAt
        count += 1
      }
      #expect(count == scans)
    }
  }
#endif
