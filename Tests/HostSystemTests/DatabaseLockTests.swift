// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import Glibc
  import TestSupport
  import Testing

  @testable import HostSystem

  struct DatabaseLockTests {
    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
      folder = try TemporaryDirectory()
      path = folder.path("data.sqlite")
      try connection().execute("PRAGMA journal_mode = WAL; CREATE TABLE list (number INTEGER)")
    }

    private func connection() throws -> SQLiteConnection<SQLiteFailure> { try SQLiteConnection(path, for: .creating) }

    @Test("a database that is open cannot be locked, and the process that has it open is named")
    func open() throws {
      let connection = try connection()
      _ = try connection.row("SELECT * FROM list")
      let error = #expect(throws: SQLiteFailure.self) { try DatabaseLock(path) }
      #expect(error?.reason == .isOpen(process: getpid()))
      withExtendedLifetime(connection) {}
    }

    @Test("nothing reads or writes a database that is locked, until the lock is gone")
    func locked() throws {
      let connection = try connection()
      do {
        let lock = try DatabaseLock(path)
        #expect(throws: SQLiteFailure.self) { try connection.row("SELECT * FROM list") }
        // To read the file elsewhere takes no lock away.
        _ = try folder.bytes(of: "data.sqlite")
        #expect(throws: SQLiteFailure.self) { try connection.execute("INSERT INTO list VALUES (1)") }
        withExtendedLifetime(lock) {}
      }
      try connection.execute("INSERT INTO list VALUES (1)")
    }

    @Test("a connection notices that another file has the name of its own")
    func moved() throws {
      let connection = try connection()
      #expect(!connection.hasMoved)
      #expect(rename(path, "\(path).old") == 0)
      try FileSystem.write([], to: path)
      #expect(connection.hasMoved)
    }
  }
#endif
