// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import Foundation
  import TestSupport
  import Testing

  @Suite("A backup of the store", .onOwnThreads, .startsProcesses)
  struct StoreBackupTests {
    private let store: FaultyStore

    init() throws { store = try FaultyStore() }

    private func scans(in file: String) throws -> Set<String> {
      let outcome = try store.sandbox.run(program: "/usr/bin/sqlite3", [file, "SELECT lower(hex(id)) FROM scan"])
      try #require(outcome.status == 0, "\(outcome.errors)")
      return Set(outcome.lines)
    }

    private func ids(_ readings: [String]) throws -> Set<String> {
      try Set(
        readings.map { line in
          try #require(try JSONValue(parsing: line.utf8)["id"].text).replacingOccurrences(of: "-", with: "")
        })
    }

    @Test("is a complete and valid copy of one moment, while another program writes")
    func whileWatching() throws {
      let watch = try store.sandbox.start(
        ["watch", "--reader", "sim:active:30", "--interval", "0.01", "--ndjson", "--store", FaultyStore.name])
      defer { watch.send(SIGKILL) }
      var least = 0
      for number in 1...TestTier.rounds(4, full: 40) {
        try eventually("more readings") { try watch.lines().count > least }
        // A line is printed only after its sample was stored.
        let before = try ids(watch.lines())
        let outcome = try store.run(["store", "backup", "copy.sqlite"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
        let copied = try scans(in: "copy.sqlite")
        #expect(copied.isSuperset(of: before), "backup \(number)")
        #expect(outcome.text.hasPrefix("copy.sqlite: ") && outcome.text.contains(" \(copied.count) scans, "))
        #expect(try store.sandbox.run("store", "check", "--store", "copy.sqlite").status == 0)
        least = before.count
      }
      watch.send(SIGINT)
      #expect(try watch.outcome().status == 130)
      #expect(try scans(in: "copy.sqlite").isSubset(of: scans(in: FaultyStore.name)))
      // Nothing but the copy is left, and only its owner may read it.
      let files = try FileManager.default.contentsOfDirectory(atPath: store.sandbox.path("."))
      #expect(files.filter { $0.hasPrefix("copy") || $0.hasSuffix(".part") } == ["copy.sqlite"])
      let mode = try FileManager.default.attributesOfItem(atPath: store.sandbox.path("copy.sqlite"))[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }

    @Test(
      "on a full disk reports an error about the copy, and keeps an older backup", StoreDiskTests.mounting)
    func fullDisk() throws {
      let outcome = try store.shell(
        """
        mkdir disk && mount -t tmpfs -o size=500k none disk || exit 1
        $LIBRE store backup disk/copy.sqlite --store $STORE >/dev/null || exit 2
        $LIBRE import 5.hex --store $STORE >/dev/null && cp disk/copy.sqlite older.sqlite || exit 3
        dd if=/dev/zero of=disk/ballast bs=1k 2>/dev/null
        $LIBRE store backup disk/copy.sqlite --store $STORE; echo "backup: $?"
        cmp disk/copy.sqlite older.sqlite || exit 4
        ls -A disk
        """, within: try #require(StoreDiskTests.ownMounts))
      #expect(outcome.status == 0 && outcome.lines == ["backup: 73", "ballast", "copy.sqlite"], "\(outcome)")
      #expect(outcome.errors.hasPrefix("libre: cannot write disk/copy.sqlite: No space left on device\n  Try: "))
      #expect(try store.run(["store", "check"]).status == 0)
    }

    @Test("of a damaged store is refused, and no file is written")
    func damaged() throws {
      var bytes = try store.bytes
      for offset in stride(from: 8_192, to: bytes.count, by: 4_096) { bytes[offset] ^= 0xFF }
      try store.replace(with: bytes)
      let outcome = try store.run(["store", "backup", "copy.sqlite"])
      #expect(outcome.status == 74 && outcome.errors.contains("Try: "), "\(outcome)")
      let files = try FileManager.default.contentsOfDirectory(atPath: store.sandbox.path("."))
      #expect(!files.contains { $0.hasPrefix("copy") || $0.hasSuffix(".part") })
    }
  }
#endif
