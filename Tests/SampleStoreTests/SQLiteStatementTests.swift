// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import Testing

  @testable import HostSystem

  @Suite("Database values") struct SQLiteStatementTests {
    private let database: SQLiteConnection<SQLiteFailure>

    init() throws {
      database = try SQLiteConnection(":memory:", for: .writing)
      try database.execute("CREATE TABLE kept (value)")
    }

    @Test(
      "text is read back completely, even with NUL characters",
      arguments: [
        "", "a", "a\u{0}b", "\u{0}", "\u{0}\u{0}end", "é\u{0}🩸", String(repeating: "long\u{0}", count: 5_000),
      ])
    func text(text: String) throws {
      try database.statement("INSERT INTO kept VALUES (?)").run(.text(text))
      #expect(try database.row("SELECT value FROM kept") == [.text(text)])
      let length = try database.row("SELECT length(CAST(value AS BLOB)), typeof(value) FROM kept")
      #expect(length == [.integer(Int64(text.utf8.count)), .text("text")])
    }

    @Test(
      "a statement that does not end is stopped, with rows or without, and the next one runs",
      arguments: ["SELECT n FROM r", "SELECT count(*) FROM r"])
    func endless(query: String) throws {
      try database.readSchema(longestValue: 1_000_000)
      database.steps.limit = 1_000_000
      let numbers = "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"
      let statement = try database.statement("\(numbers) \(query)")
      let failure = SQLiteFailure(.corrupt, "a search in it does not end, so its pages refer to each other")
      #expect(throws: failure) { while try statement.step() {} }
      #expect(throws: failure) { try database.execute("\(numbers) \(query)") }
      #expect(try database.row("\(numbers) SELECT n FROM r LIMIT 1 OFFSET 1000") == [.integer(1_001)])
    }

    @Test("a database that has grown may take more steps")
    func grown() throws {
      try database.readSchema(longestValue: 10_000_000)
      let before = database.steps.limit
      try database.statement("INSERT INTO kept VALUES (?)").run(.blob([UInt8](repeating: 1, count: 1_100_000)))
      try database.limitSteps()
      #expect(database.steps.limit >= before + 100_000_000)
    }

    @Test("text of a database in another encoding is read as text")
    func encoding() throws {
      let other = try SQLiteConnection<SQLiteFailure>(":memory:", for: .writing)
      try other.execute("PRAGMA encoding = 'UTF-16le'; CREATE TABLE kept (value)")
      try other.statement("INSERT INTO kept VALUES (?)").run(.text("5,8 mmol/L\u{0}🩸"))
      #expect(try other.row("SELECT value FROM kept") == [.text("5,8 mmol/L\u{0}🩸")])
    }

    @Test("a value that is too long gives an error instead of NULL, and the statement can be run again")
    func tooLong() throws {
      try database.readSchema(longestValue: 1_000)
      let insert = try database.statement("INSERT INTO kept VALUES (?)")
      for value in [SQLiteValue.text(String(repeating: "a", count: 1_001)), .blob([UInt8](repeating: 1, count: 1_001))]
      {
        let failure = #expect(throws: SQLiteFailure.self) { try insert.run(value) }
        #expect(failure?.words.contains("too big") == true)
      }
      #expect(try database.row("SELECT count(*) FROM kept") == [.integer(0)])
      try insert.run(.text(String(repeating: "a", count: 900)))
      #expect(try database.row("SELECT count(*), max(length(value)) FROM kept") == [.integer(1), .integer(900)])
    }

    @Test("the last numbered values of a statement may be left out")
    func unused() throws {
      #expect(try database.row("SELECT ?1", .integer(7), .text("unused")) == [.integer(7)])
    }

    @Test("a failed wait for the opening of the log is reported as busy, like a wait for a writer")
    func waiting() {
      // SQLITE_BUSY, SQLITE_BUSY_RECOVERY, and SQLITE_PROTOCOL, which follows ten seconds of SQLITE_BUSY_RECOVERY.
      for code: Int32 in [5, 261, 15] { #expect(SQLiteFailure(code, "").reason == .busy) }
      #expect(SQLiteFailure(1, "").reason == .other)
    }
  }
#endif
