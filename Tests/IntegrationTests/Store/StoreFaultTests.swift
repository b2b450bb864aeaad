// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import Foundation
  import Libre1Core
  import TestSupport
  import Testing

  /// Files that are not a store, not any more, or not yet. The error says which, and the file is left as it is.
  @Suite("A store that is damaged, or another file", .onOwnThreads, .startsProcesses)
  struct StoreFaultTests {
    private let store: FaultyStore

    init() throws { store = try FaultyStore() }

    /// Every command that opens the store.
    private static let commands = [
      ["import", "5.hex"], ["read", "--reader", "sim:active"], ["add", "104"], ["export", "--to", "ndjson"],
      ["store", "check"], ["store", "vacuum"],
    ]

    /// Each command says this, and changes nothing.
    private func expectRefusal(_ words: String) throws {
      let before = try store.bytes
      for command in Self.commands {
        let outcome = try store.run(command)
        #expect(outcome.fails(74, saying: words), "\(command): \(outcome)")
      }
      let merge = try store.sandbox.run("store", "merge", FaultyStore.name, "--store", "other.sqlite")
      #expect(merge.fails(74, saying: words), "\(merge)")
      #expect(try store.bytes == before)
    }

    @Test("a store of a later version of libre is not changed")
    func newerSchema() throws {
      var bytes = try store.bytes
      // SQLite's header: the user version is the big-endian number at 60.
      let version = bytes[63]
      #expect(Array(bytes[60..<63]) == [0, 0, 0] && version < 99)
      bytes[63] = 99
      try store.replace(with: bytes)
      try expectRefusal("was made by a later libre (schema 99; this version supports up to \(version))")
      bytes[63] = version
      try store.replace(with: bytes)
      #expect(try store.contents() == store.initialContents)
    }

    @Test("a file whose header was overwritten is not a store")
    func headerOverwritten() throws {
      var bytes = try store.bytes
      bytes.replaceSubrange(0..<100, with: repeatElement(0xA5, count: 100))
      try store.replace(with: bytes)
      try expectRefusal("is not a store of libre")
    }

    @Test("a text file is not a store")
    func text() throws {
      try store.replace(with: Array("Shopping list\n\nmilk\n".utf8))
      try expectRefusal("is not a store of libre")
    }

    @Test("another program's database is not a store")
    func otherDatabase() throws {
      let made = try store.shell("rm $STORE && sqlite3 $STORE 'CREATE TABLE bg (date TEXT, mgdl REAL)'")
      #expect(made.status == 0, "\(made.errors)")
      try expectRefusal("is not a store of libre")
    }

    @Test("a store that was cut off is reported as damaged", arguments: [0.25, 0.5, 0.9])
    func cutOff(at part: Double) throws {
      let bytes = try store.bytes
      try store.replace(with: Array(bytes.prefix(Int(Double(bytes.count) * part))))
      try expectDamage()
    }

    /// Past the first page, which holds what a table is.
    @Test("a store with overwritten pages is reported as damaged", arguments: 1...TestTier.rounds(3, full: 12))
    func overwritten(seed: Int) throws {
      var bytes = try store.bytes
      var random = SplitMix64(seed: UInt64(seed))
      let start = random.number(4_096...bytes.count - 8_192)
      bytes.replaceSubrange(start..<start + 4_096, with: random.bytes(4_096))
      try store.replace(with: bytes)
      try expectDamage()
    }

    /// A check finds the damage and changes nothing; other commands meet it or not, and end as they should.
    private func expectDamage() throws {
      let before = try store.bytes
      let check = try store.run(["store", "check"])
      #expect(check.fails(74, saying: "is damaged: "), "\(check)")
      #expect(check.errors.contains(".recover"))
      for command in Self.commands {
        let outcome = try store.run(command)
        #expect(outcome.status == 0 || outcome.fails(74, saying: "is damaged: "), "\(command): \(outcome)")
        if command[0] == "export" || command[1] == "check" {
          #expect(try store.bytes == before, "\(command) changed it")
        }
        try store.replace(with: before)
      }
    }

    @Test("a memory that contradicts its samples is found")
    func otherMemory() throws {
      let changed = try store.shell(
        "sqlite3 $STORE 'UPDATE sample SET glucose = glucose + 1 WHERE (wear, ring, minute) = (1, 0, 4530)'")
      #expect(changed.status == 0, "\(changed.errors)")
      let check = try store.run(["store", "check"])
      #expect(check.fails(74, saying: "is damaged: 2 faults"))
      #expect(
        check.lines.first == "a row of sample (wear 1, ring 0, minute 4530) was damaged, or changed by another program")
      #expect(check.lines.last?.hasSuffix("its history sample of minute 4530 is not in the store") == true, "\(check)")
    }

    @Test("an empty file becomes a store")
    func empty() throws {
      try store.replace(with: [])
      #expect(try store.run(["store", "check"]).fails(66, saying: "does not exist"))
      #expect(try store.run(["import", "5.hex"]).status == 0)
      #expect(try store.contents().count == 48)
    }
  }
#endif
