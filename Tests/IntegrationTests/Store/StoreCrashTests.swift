// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import Foundation
  import Libre1Core
  import TestSupport
  import Testing

  /// `kill -9` of several processes that put readings into one store, each upon an event that is drawn at random. What one
  /// of them said was stored is there afterwards, and the store is sound.
  ///
  /// `LIBRE_SEED` runs the same choices again; the machine's own timing is not repeated by it.
  @Suite("A store whose writers are killed", .onOwnThreads, .startsProcesses)
  struct StoreCrashTests {
    private static let kills = TestTier.rounds(8, full: 200)
    /// The rounds that each store sees, from the first one on, in which it is created. Few of them leave it small, so that
    /// a check is quick.
    private static let roundsPerStore = 8

    /// The samples that were acknowledged to users.
    private struct Acknowledged {
      var files: Set<String> = []
      var samples: Set<String> = []
      var lines = 0

      mutating func add(_ run: StoreWriters.Run, of writers: StoreWriters) {
        switch run.kind {
        case .importing:
          for line in run.outcome.lines {
            // dumps/sensor-1-2.hex (hex): 1 scan (1 new), 48 new values, 0 known; 0M3ZLUV7JXR
            let name = String(line.prefix { $0 != " " })
            files.insert(name)
            samples.formUnion(writers.dumps[name] ?? [])
            lines += 1
          }
        case .watching:
          for line in run.outcome.lines.dropFirst() {
            samples.insert(PrintedSample(csv: line).counts)
            lines += 1
          }
        }
      }
    }

    @Test("is valid after each kill, and contains all acknowledged samples")
    func kills() async throws {
      let seed = ProcessInfo.processInfo.environment["LIBRE_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 1...99_999)
      print("StoreCrashTests: LIBRE_SEED=\(seed)")
      let writers = try StoreWriters(in: try Sandbox())
      let random = SplitMix64(seed: seed)
      var (kills, rounds, lines) = (0, 0, 0)
      while kills < Self.kills {
        let store = "store-\(rounds).sqlite"
        var acknowledged = Acknowledged()
        for _ in 0..<Self.roundsPerStore where kills < Self.kills {
          let runs = try await writers.killed(round: rounds, store: store, random: random.branch(rounds))
          rounds += 1
          for run in runs {
            kills += run.isKilled ? 1 : 0
            #expect(run.isKilled || run.outcome.status == 0, "seed \(seed), \(run.kind): \(run.outcome)")
            let told = run.outcome.errors.split(separator: "\n").filter { !$0.hasSuffix(" imported, 0 refused") }
            #expect(told.isEmpty, "seed \(seed), \(run.kind)")
            acknowledged.add(run, of: writers)
          }
          try Self.check(store, acknowledged, writers.sandbox)
        }
        try Self.compare(acknowledged, with: store, writers.sandbox)
        lines += acknowledged.lines
      }
      print("StoreCrashTests: \(kills) kills in \(rounds) rounds, \(lines) lines of acknowledgement")
      // Otherwise nothing was found because nothing was done.
      #expect(lines >= rounds)
    }

    private static func check(_ store: String, _ acknowledged: Acknowledged, _ sandbox: Sandbox) throws {
      let check = try sandbox.run("store", "check", "--store", store)
      // All may have been killed before there was a store.
      if check.status == 66, acknowledged.lines == 0 { return }
      #expect(check.status == 0 && check.text.hasPrefix("intact: "), "\(check)")
    }

    /// Holds what was acknowledged against the tables, as another program reads them.
    private static func compare(_ acknowledged: Acknowledged, with store: String, _ sandbox: Sandbox) throws {
      func rows(_ query: String) throws -> Set<String> {
        let rows = try sandbox.run(program: "/usr/bin/sqlite3", ["-readonly", store, query])
        #expect(rows.status == 0, "\(rows.errors)")
        return Set(rows.lines)
      }
      let name = """
        uid || '/' || iif(ring, 'trend', 'history') || '/' || minute || '/' || glucose || '/' || temperature
        """
      let tables = "FROM sample JOIN wear ON wear.id = sample.wear JOIN sensor ON sensor.id = wear.sensor"
      #expect(acknowledged.files.subtracting(try rows("SELECT path FROM scan")).isEmpty)
      #expect(acknowledged.samples.subtracting(try rows("SELECT \(name) \(tables)")).isEmpty)
    }
  }
#endif
