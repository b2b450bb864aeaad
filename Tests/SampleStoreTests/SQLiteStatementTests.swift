// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import Testing

  @testable import SQLiteAccess

  @Suite("Values of a database") struct SQLiteStatementTests {
    private let database: SQLiteConnection<SQLiteFailure>

    init() throws {
      database = try SQLiteConnection(":memory:", for: .writing)
      try database.execute("CREATE TABLE kept (value)")
    }

    @Test(
      "text comes back whole, with a character 0 in it too",
      arguments: [
        "", "a", "a\u{0}b", "\u{0}", "\u{0}\u{0}end", "é\u{0}🩸", String(repeating: "long\u{0}", count: 5_000),
      ])
    func text(text: String) throws {
      try database.statement("INSERT INTO kept VALUES (?)").run(.text(text))
      #expect(try database.row("SELECT value FROM kept") == [.text(text)])
      let length = try database.row("SELECT length(CAST(value AS BLOB)), typeof(value) FROM kept")
      #expect(length == [.integer(Int64(text.utf8.count)), .text("text")])
    }

    @Test("text of a database in another encoding is read as text")
    func encoding() throws {
      let other = try SQLiteConnection<SQLiteFailure>(":memory:", for: .writing)
      try other.execute("PRAGMA encoding = 'UTF-16le'; CREATE TABLE kept (value)")
      try other.statement("INSERT INTO kept VALUES (?)").run(.text("5,8 mmol/L\u{0}🩸"))
      #expect(try other.row("SELECT value FROM kept") == [.text("5,8 mmol/L\u{0}🩸")])
    }

    @Test("a value that is too long is a failure and no NULL, and the statement can be run again")
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

    @Test("a statement may leave out the last of its numbered values")
    func unused() throws {
      #expect(try database.row("SELECT ?1", .integer(7), .text("unused")) == [.integer(7)])
    }

    @Test("whoever waited in vain for another to open the log was kept waiting, as by one who writes")
    func waiting() {
      // SQLITE_BUSY, SQLITE_BUSY_RECOVERY, and SQLITE_PROTOCOL, which comes after ten seconds of the second.
      for code: Int32 in [5, 261, 15] { #expect(SQLiteFailure(code, "").reason == .busy) }
      #expect(SQLiteFailure(1, "").reason == .other)
    }
  }
#endif
