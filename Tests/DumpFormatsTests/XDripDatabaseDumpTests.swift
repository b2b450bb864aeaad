// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CGMModel
  @testable import DumpFormats
  import Foundation
  import HostSystem
  import Libre1Core
  import TestSupport
  import Testing

  struct XDripDatabaseDumpTests {
    private func dumps(_ path: String) throws(DumpError) -> [Result<Dump, DumpError>] {
      Array(try XDripDatabaseDump().dumps(in: DumpFile(ForeignDatabase.signature, path: path)))
    }

    private func images(_ path: String) throws -> [MemoryImage] { try dumps(path).map { try $0.get().image } }

    /// A memory that differs from others in its first byte.
    private func memory(_ number: UInt8) -> [UInt8] { [number] + TextFixture.memory.dropFirst() }

    @Test("reads complete memories with UID, patch info and time, and ignores Bluetooth packets and partial memories")
    func scan() throws {
      let database = try XDripDatabase()
      try database.add(end: 44)
      try database.add(Array(TextFixture.memory.prefix(44)), start: 0, end: 44)
      try database.add(
        at: "1714644900999", uid: "x'6745230100A007E0'", patchInfo: "x'DF0000010100'")
      try database.add(Array(TextFixture.memory.prefix(8)), start: 336, end: 344)
      try database.add(start: 8, end: 352)
      let image = MemoryImage(
        bytes: TextFixture.memory, uid: TextFixture.uid, patchInfo: PatchInfo(TextFixture.patchInfo),
        readAt: Instant(secondsSince1970: 1_714_644_900))
      #expect(try dumps(database.path) == [.success(Dump(image: image, label: "2024-05-02T10:15:00Z"))])
    }

    @Test("reads the UID in either order, and UID and patch info also as hex digits")
    func forms() throws {
      let database = try XDripDatabase()
      try database.add(uid: "x'E007A00001234567'", patchInfo: "'df0000010100'")
      try database.add(uid: "'6745230100A007E0'", patchInfo: "zeroblob(24)")
      let images = try images(database.path)
      #expect(images.map(\.uid) == [TextFixture.uid, TextFixture.uid])
      #expect(images.map(\.patchInfo?.bytes) == [[0xDF, 0, 0, 1, 1, 0], Array(repeating: 0, count: 24)])
    }

    @Test(
      "returns the scans in the order of their times, and equal times in the order of their rows",
      arguments: [true, false])
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

    @Test("reports time, UID or patch info as absent if the row or a database of 2017 has none: no zero and no guess")
    func absent() throws {
      let database = try XDripDatabase()
      for time in ["NULL", "0", "-1"] { try database.add(at: time, uid: "x''", patchInfo: "''") }
      #expect(try images(database.path) == Array(repeating: MemoryImage(bytes: TextFixture.memory), count: 3))
      let old = try XDripDatabase(XDripDatabase.oldSchema + XDripDatabase.indices)
      try old.execute(
        """
        INSERT INTO LibreBlock (timestamp, blockbytes, bytestart, byteend)
        VALUES (1714644900000, \(XDripDatabase.blob(TextFixture.memory)), 0, 344)
        """)
      let image = MemoryImage(bytes: TextFixture.memory, readAt: Instant(secondsSince1970: 1_714_644_900))
      #expect(try images(old.path) == [image])
    }

    @Test("an unreadable scan is a failure in its position, and the next scans are read")
    func failures() throws {
      let database = try XDripDatabase()
      try database.add(at: "1000", memory(1))
      try database.add(at: "2000", [])
      try database.add(at: "3000", Array(repeating: 7, count: 345))
      for (number, uid) in ["x'0107A00001234567'", "'no UID'", "x'E007'", "zeroblob(2000000)"].enumerated() {
        try database.add(at: "\(4000 + number)", uid: uid)
      }
      try database.add(at: "7000", patchInfo: "x'DF00'")
      try database.add(at: "8000", patchInfo: "5")
      try database.add(at: "10000", memory(2))
      try database.add(at: "9223372036854775807", memory(3))
      try database.add(at: "'yesterday'")
      try database.execute("UPDATE LibreBlock SET blockbytes = NULL WHERE timestamp = 2000")
      func failed(_ column: String, _ value: String?) -> Result<UInt8, DumpError> {
        .failure(.badField("LibreBlock.\(column)", value: value))
      }
      #expect(
        try dumps(database.path).map { $0.map(\.image.bytes[0]) } == [
          .success(1), failed("blockbytes", nil), .failure(.wrongLength(found: 345)),
          failed("patchUid", "0107A00001234567"), failed("patchUid", "no UID"), failed("patchUid", "E007"),
          .failure(.database("string or blob too big")), failed("patchInfo", "DF00"), failed("patchInfo", "5"),
          .success(2), .success(3), failed("timestamp", "yesterday"),
        ])
    }
  }

  /// The files next to a database, and values that are not databases.
  struct XDripDatabaseFileTests {
    private func count(_ path: String) throws(DumpError) -> Int {
      var count = 0
      for result in try XDripDatabaseDump().dumps(in: DumpFile(ForeignDatabase.signature, path: path)) {
        _ = try result.get()
        count += 1
      }
      return count
    }

    /// Reads a copy, and checks during and after the read that nothing in its directory changes.
    private func countUnchanged(_ file: URL, of database: XDripDatabase) throws -> Int {
      let folder = file.deletingLastPathComponent()
      let before = try database.files(in: folder)
      var dumps = try XDripDatabaseDump().dumps(in: DumpFile(ForeignDatabase.signature, path: file.path))
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
      "leaves an export unchanged and creates no file next to it", arguments: ["delete", "truncate", "persist", "wal"],
      [["-journal"], ["-journal", "-wal"]])
    func unchanged(mode: String, besides: [String]) throws {
      let database = try XDripDatabase()
      try database.execute("PRAGMA journal_mode = \(mode)")
      try database.add()
      try database.add()
      try database.execute("PRAGMA wal_checkpoint(truncate)")
      let file = try database.copy(with: besides)
      #expect(try countUnchanged(file, of: database) == 2)
      if mode == "wal" {
        // An empty log file.
        try Data(repeating: 0, count: 100).write(to: URL(fileURLWithPath: file.path + "-wal"))
        #expect(try countUnchanged(file, of: database) == 2)
      }
    }

    @Test(
      "reads data that exists only in the log file, also behind a link, and does not change the log file",
      arguments: [false, true],
      [["-wal"], ["-wal", "-shm"]])
    func log(isWrittenBack: Bool, besides: [String]) throws {
      let database = try XDripDatabase()
      try database.execute("PRAGMA journal_mode = wal")
      try database.execute("PRAGMA wal_autocheckpoint = 0")
      try database.add()
      if isWrittenBack { try database.execute("PRAGMA wal_checkpoint(passive)") }
      let file = try database.copy(with: besides)
      #expect(try countUnchanged(file, of: database) == 1)
      let link = database.folder.appendingPathComponent("link.sqlite").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
      #expect(try count(link) == 1)
      // The data was only in the log file; otherwise this test would show nothing.
      if !isWrittenBack {
        try FileManager.default.removeItem(atPath: file.path + "-wal")
        #expect(try count(file.path) == 0)
      }
    }

    @Test("refuses a database in the middle of a change instead of reading half of it")
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
      "opens exactly the file with this path", arguments: ["a b.sqlite", "50%41?mode=memory#x&immutable=0", "grün"])
    func path(name: String) throws {
      let database = try XDripDatabase(name: name)
      try database.add()
      #expect(try count(database.path) == 1)
    }

    @Test(
      "reports the table or column that a database lacks, and evaluates no generated column, which may be anything",
      arguments: [
        ("CREATE TABLE BgReadings (a)", .badField("the table LibreBlock", value: nil)),
        (
          "CREATE TABLE t (timestamp, blockbytes, bytestart, byteend); CREATE VIEW LibreBlock AS SELECT * FROM t",
          .badField("the table LibreBlock", value: nil)
        ),
        (
          "CREATE VIRTUAL TABLE LibreBlock USING fts5(timestamp, blockbytes, bytestart, byteend)",
          .badField("the table LibreBlock", value: nil)
        ),
        (
          "CREATE TABLE LibreBlock (timestamp, blockbytes, bytestart)", .badField("LibreBlock.byteend", value: nil)
        ),
        (
          "CREATE TABLE LibreBlock (timestamp, bytestart, byteend, blockbytes AS (hex(zeroblob(400000000))))",
          .badField("LibreBlock.blockbytes", value: "computed column")
        ),
        (
          "CREATE TABLE LibreBlock (timestamp PRIMARY KEY, bytestart, byteend, blockbytes) WITHOUT ROWID",
          .database("no such column: rowid")
        ),
      ] as [(String, DumpError)])
    func schemas(schema: String, error: DumpError) throws {
      let database = try XDripDatabase(schema)
      #expect(throws: error) { try count(database.path) }
      // Detection says the same.
      #expect(throws: error) {
        try DumpDetector(formats: [XDripDatabaseDump(), HexDump(), RawDump()])
          .detect(DumpFile(ForeignDatabase.signature, path: database.path))
      }
    }

    @Test("accepts a real file with the SQLite signature, and reports SQLite's error message for a damaged one")
    func damaged() throws {
      for other in [Array("SQLite format 2\0".utf8), Array("SQLite".utf8), TextFixture.memory] {
        #expect(throws: DumpError.notThisFormat(lacks: "SQLite's signature at the start")) {
          try XDripDatabaseDump().dumps(in: DumpFile(other, path: "/nothing"))
        }
      }
      #expect(XDripDatabaseDump().refusal(of: ForeignDatabase.signature) == .databaseNotInFile)
      let database = try XDripDatabase("CREATE TABLE other (a)")
      #expect(throws: DumpError.database("unable to open database file")) { try count(database.path + ".nothing") }
      #expect(throws: DumpError.self) { try count(database.folder.path) }
      let file = database.folder.appendingPathComponent("bad.sqlite")
      try Data("SQLite format 3\0".utf8 + Array(repeating: 0xA5, count: 5_000)).write(to: file)
      #expect(throws: DumpError.database("file is not a database")) { try count(file.path) }
    }
  }
#endif
