// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import Foundation
  import TestSupport
  import Testing

  /// Several programs that use one store, and one whose store is removed.
  @Suite("A store that several programs use", .onOwnThreads, .startsProcesses)
  struct StoreSharingTests {
    private let store: FaultyStore

    init() throws { store = try FaultyStore() }

    /// Another program that writes to the store, until the file `released` is there.
    private func holding() throws -> RunningProgram {
      // The loop ends as well when the sandbox is deleted, because this nested shell gets no signal.
      let waiting = "touch held; while [ -e held ] && ! [ -e released ]; do sleep 0.02; done"
      let script = """
        printf '%s\\n' 'BEGIN IMMEDIATE;' '.shell \(waiting)' 'ROLLBACK;' | sqlite3 \(FaultyStore.name)
        """
      let holder = try store.sandbox.start(program: "/bin/sh", ["-c", script])
      try eventually("the other program writes") {
        FileManager.default.fileExists(atPath: store.sandbox.path("held"))
      }
      return holder
    }

    private func release() throws { try store.sandbox.write("", to: "released") }

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

    @Test("a writer waits for another")
    func waiting() throws {
      let holder = try holding()
      defer { try? release() }
      let importer = try store.sandbox.start(["import", "5.hex", "--store", FaultyStore.name])
      try eventually("the store is open") { try hasOpenStore(importer) }
      #expect(!importer.ends(by: .now()), "it did not wait")
      try release()
      let outcome = try importer.outcome()
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      #expect(try holder.outcome().status == 0)
      #expect(try store.contents().count == 5 * 48)
    }

    /// The ten seconds pass: no option makes them shorter.
    @Test("a writer that waited for ten seconds reports this, and readers need not wait")
    func busy() throws {
      let holder = try holding()
      defer { try? release() }
      let importer = try store.sandbox.start(["import", "--json", "5.hex", "--store", FaultyStore.name])
      let reader = try store.sandbox.start(
        ["read", "--reader", "sim:active", "--csv", "--store", FaultyStore.name])
      #expect(try store.contents() == store.initialContents)
      let outcomes = [try importer.outcome(), try reader.outcome()]
      #expect(!holder.ends(by: .now()), "nothing was in the way")
      for outcome in outcomes {
        #expect(outcome.fails(74, saying: "another program has been writing to the store"), "\(outcome)")
        #expect(outcome.errors.contains("fuser \(FaultyStore.name)"))
      }
      #expect(try outcomes[0].json()["code"] == .string("store_busy"))
      #expect(outcomes[1].lines.count == 49)
      #expect(outcomes[1].errors.contains("the reading was saved in "))
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

    @Test("between two readings a watched store is one file that can be copied")
    func copiedWhileWatching() throws {
      let watch = try store.sandbox.start(
        ["watch", "--reader", "sim:active:30", "--interval", "86400", "--ndjson", "--store", FaultyStore.name])
      defer { watch.send(SIGKILL) }
      try eventually("one reading") { try !watch.lines().isEmpty }
      let copy = try store.shell("cp $STORE copy.sqlite && sqlite3 copy.sqlite 'SELECT count(*) FROM scan'")
      #expect(copy.lines == ["5"], "\(copy)")
      #expect(try store.files() == ["history.sqlite"])
    }
  }
#endif
