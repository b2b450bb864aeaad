// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import Dispatch
  import Foundation
  import SensorSimulator
  import TestSupport
  import Testing

  /// Several programs at one store, and one whose store is taken away.
  @Suite("A store that several use", .onOwnThreads, .timeLimit(.minutes(5)))
  struct StoreSharingTests {
    private let store: FaultyStore

    init() throws { store = try FaultyStore() }

    /// Another program that writes to the store, and takes its time.
    private func holding(_ seconds: Int) throws -> RunningProgram {
      let script = """
        printf '%s\\n' 'BEGIN IMMEDIATE;' '.shell touch held; sleep \(seconds)' 'ROLLBACK;' | sqlite3 \(FaultyStore.name)
        """
      let holder = try store.sandbox.start(program: "/bin/sh", ["-c", script])
      try wait { FileManager.default.fileExists(atPath: store.sandbox.path("held")) }
      return holder
    }

    private func wait(until isSo: () throws -> Bool) throws {
      for _ in 0..<1_000 {
        if try isSo() { return }
        Thread.sleep(forTimeInterval: 0.02)
      }
      Issue.record("nothing happened for 20 s")
    }

    @Test("a writer waits for another")
    func waiting() throws {
      let holder = try holding(2)
      let outcome = try store.run(["import", "5.hex"])
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      #expect(holder.ends(by: .now()), "it did not wait")
      #expect(try store.contents().count == 5 * 48)
    }

    @Test("a writer that waited for ten seconds says so, and readers need not wait")
    func busy() throws {
      let holder = try holding(60)
      defer { holder.send(SIGKILL) }
      let start = Date()
      let importer = try store.sandbox.start(["import", "--json", "5.hex", "--store", FaultyStore.name])
      let reader = try store.sandbox.start(
        ["read", "--reader", "sim:active", "--csv", "--store", FaultyStore.name])
      #expect(try store.contents() == store.initialContents)
      #expect(Date().timeIntervalSince(start) < 5)
      let outcomes = [try importer.outcome(), try reader.outcome()]
      for outcome in outcomes {
        #expect(outcome.fails(74, saying: "another program has been writing to the store"), "\(outcome)")
        #expect(outcome.errors.contains("fuser \(FaultyStore.name)"))
      }
      #expect(Date().timeIntervalSince(start) > 9)
      #expect(try outcomes[0].json() == .array([]))
      #expect(outcomes[1].lines.count == 49)
      #expect(outcomes[1].errors.contains("The reading is safe in "))
    }

    @Test("readings go on into a new store when it is removed while it is watched")
    func removedWhileWatching() throws {
      let watch = try store.sandbox.start(
        ["watch", "--reader", "sim:active:30", "--interval", "0.1", "--ndjson", "--store", FaultyStore.name])
      try wait { try watch.lines().count > 1 }
      try FileManager.default.removeItem(atPath: store.sandbox.path("folder"))
      let before = try watch.lines().count
      try wait { try watch.lines().count > before + 2 }
      watch.send(SIGINT)
      let outcome = try watch.outcome()
      #expect(outcome.status == 130 && outcome.errors.isEmpty, "\(outcome)")
      let last = try JSONValue(parsing: try #require(outcome.lines.last).utf8)
      let scans = try store.sandbox.run(
        program: "/usr/bin/sqlite3", [FaultyStore.name, "SELECT lower(hex(id)) FROM scan"])
      #expect(scans.lines.contains(try #require(last["id"].text).replacingOccurrences(of: "-", with: "")))
    }

    @Test("between two readings a watched store is one file that may be copied")
    func copiedWhileWatching() throws {
      let watch = try store.sandbox.start(
        ["watch", "--reader", "sim:active:30", "--interval", "3600", "--ndjson", "--store", FaultyStore.name])
      defer { watch.send(SIGKILL) }
      try wait { try !watch.lines().isEmpty }
      let copy = try store.shell("cp $STORE copy.sqlite && sqlite3 copy.sqlite 'SELECT count(*) FROM scan'")
      #expect(copy.lines == ["5"], "\(copy)")
      #expect(try store.files() == ["history.sqlite"])
    }
  }
#endif
