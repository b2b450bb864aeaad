// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import TestSupport
  import Testing

  @testable import HostSystem

  @Suite("The values of another program's tables") struct DatabaseCellsTests {
    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
      folder = try TemporaryDirectory(isInMemory: true)
      path = folder.path("data.sqlite")
    }

    private func create(_ sql: String) throws {
      try SQLiteConnection<SQLiteFailure>(path, for: .creating).execute(sql)
    }

    private func opened() throws -> SQLiteConnection<SQLiteFailure> { try ForeignDatabase.open(path) }

    /// `table/row/column: bytes`, of each value.
    private func cells(
      of database: SQLiteConnection<SQLiteFailure>, _ goesOn: (Int) -> Bool = { _ in true }
    ) throws -> [String] {
      var cells: [String] = []
      try database.forEachCell { cell in
        cells.append("\(cell.table)/\(cell.row)/\(cell.column): \(cell.bytes)")
        return goesOn(cells.count)
      }
      return cells
    }

    @Test("texts and blobs of all tables come row by row, and nothing else does")
    func values() throws {
      try create(
        """
        CREATE TABLE a (t TEXT, n INTEGER, b BLOB, r REAL);
        INSERT INTO a VALUES ('x', 1, x'02FF', 1.5), (NULL, 'é', NULL, NULL);
        CREATE TABLE "w ""o"" r" (k INTEGER PRIMARY KEY, v) WITHOUT ROWID;
        INSERT INTO "w ""o"" r" VALUES (70, x'07'), (80, 1), (90, 'z');
        CREATE TABLE h (rowid, oid, v); INSERT INTO h VALUES (9, 9, 'h');
        CREATE VIEW v AS SELECT * FROM a; CREATE TABLE g (a, b AS (a || 'c'));
        """)
      let all = [
        "a/1/t: [120]", "a/1/b: [2, 255]", "a/2/n: [195, 169]", "w \"o\" r/1/v: [7]", "w \"o\" r/3/v: [122]",
        "h/1/v: [104]",
      ]
      #expect(try cells(of: opened()) == all)
      #expect(try cells(of: opened()) { $0 < 4 } == Array(all.prefix(4)))
      let bytes = [1, 2, 3] + (try folder.bytes(of: "data.sqlite")) + [4, 5]
      let places = ForeignDatabase.places(in: bytes)
      #expect(places == [3..<bytes.count - 2])
      #expect(try cells(of: ForeignDatabase.open(copying: bytes[places[0]])) == all)
    }

    @Test("a value that is too long does not cost the others")
    func long() throws {
      try create("CREATE TABLE a (b); INSERT INTO a VALUES (zeroblob(\((16 << 20) + 1))), (x'01')")
      #expect(try cells(of: opened()) == ["a/2/b: [1]"])
    }

    @Test("tables that share their pages are read no further than twice the size of the file")
    func shared() throws {
      let rows = Array(repeating: "(1, 2)", count: 2_000).joined(separator: ", ")
      let copies = (0..<400).map { "CREATE TABLE c\($0) (a, b);" }.joined()
      try create(
        """
        PRAGMA page_size = 512; CREATE TABLE a (a, b); INSERT INTO a VALUES ('first', 'row'), \(rows); \(copies)
        PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'a');
        """)
      let (size, count) = (try folder.bytes(of: "data.sqlite").count, try cells(of: opened()).count)
      // Two values in each of the tables that were read, of which every row counts as four bytes.
      #expect(count > 2 && count / 2 <= 2 * size / (2_001 * 4) + 1, "\(count) values of \(size) bytes")
    }

    @Test("a header without its database, and one that says nothing of its length, are not databases")
    func headers() throws {
      try create("CREATE TABLE a (b); INSERT INTO a VALUES ('x')")
      let file = try folder.bytes(of: "data.sqlite")
      #expect(ForeignDatabase.places(in: file + file) == [0..<file.count, file.count..<2 * file.count])
      #expect(ForeignDatabase.places(in: Array(file.dropLast())).isEmpty)
      for offset in [16, 21, 27, 28] {
        var other = file
        other[offset] ^= 0x40
        #expect(ForeignDatabase.places(in: other).isEmpty, "byte \(offset)")
      }
      #expect(ForeignDatabase.places(in: Array("SQLite format 3\0".utf8)).isEmpty)
      #expect(throws: SQLiteFailure.self) {
        try ForeignDatabase.open(copying: file[..<50]) as SQLiteConnection<SQLiteFailure>
      }
    }
  }
#endif
