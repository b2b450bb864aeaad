// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import Foundation
  import TestSupport
  import Testing

  /// A program whose store is removed.
  @Suite("A store that is deleted", .onOwnThreads, .startsProcesses)
  struct DeletedStoreTests {
    private let store: FaultyStore

    init() throws { store = try FaultyStore() }

    private func hasOpenStore(_ program: RunningProgram) throws -> Bool {
      let folder = "/proc/\(program.identifier)/fd"
      let path = store.sandbox.path(FaultyStore.name)
      return try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == path
      }
    }

    /// Stops the program at a moment when it does not have the store open, and lets it go on after `work`.
    private func whileStoreIsClosed(by program: RunningProgram, _ work: () throws -> Void) throws {
      let threads = "/proc/\(program.identifier)/task"
      try eventually("the program is between two readings") {
        program.send(SIGSTOP)
        defer { program.send(SIGCONT) }
        try eventually("all its threads have stopped") {
          try FileManager.default.contentsOfDirectory(atPath: threads).allSatisfy { thread in
            // PID (NAME) STATE …; a thread that has ended meanwhile has no such file.
            let state = try? String(contentsOfFile: "\(threads)/\(thread)/stat", encoding: .utf8)
            return state.map { $0.contains(") T ") } ?? true
          }
        }
        if try hasOpenStore(program) { return false }
        try work()
        return true
      }
    }

    @Test("a watch continues in a new store when the old one is deleted")
    func removedWhileWatching() throws {
      let watch = try store.sandbox.start(
        ["watch", "--reader", "sim:active:30", "--interval", "0.1", "--ndjson", "--store", FaultyStore.name])
      try eventually("two readings") { try watch.lines().count > 1 }
      var before = 0
      try whileStoreIsClosed(by: watch) {
        try FileManager.default.removeItem(atPath: store.sandbox.path("folder"))
        before = try watch.lines().count
      }
      try eventually("three more readings") { try watch.lines().count > before + 2 }
      watch.send(SIGINT)
      let outcome = try watch.outcome()
      #expect(outcome.status == 130 && outcome.errors.isEmpty, "\(outcome)")
      let last = try JSONValue(parsing: try #require(outcome.lines.last).utf8)
      let scans = try store.sandbox.run(
        program: "/usr/bin/sqlite3", [FaultyStore.name, "SELECT lower(hex(id)) FROM scan"])
      #expect(scans.lines.contains(try #require(last["id"].text).replacingOccurrences(of: "-", with: "")))
    }
  }
#endif
