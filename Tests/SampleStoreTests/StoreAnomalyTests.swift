// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import HostSystem
  import SampleStore
  import Libre1Core
  import TestSupport
  import Testing

  /// Works like SQLite's own tests: the first disk access of an operation fails, then the second, and
  /// so on, until the operation succeeds because no access fails. `make full` tries all of them, other runs only some.
  @Suite("A store whose disk fails")
  struct StoreAnomalyTests {
    private static let operations = StoreOperation.samples + StoreOperation.outbox + StoreOperation.openings

    private struct Way {
      let fault: DiskFault
      /// All later accesses fail too, including those that close the store.
      var lasts = false
      /// Whether the store is used again after the fault, or closed and opened again.
      var staysOpen = false
    }

    private static let allWays = [
      Way(fault: .fails), Way(fault: .fails, staysOpen: true), Way(fault: .fails, lasts: true),
      Way(fault: .full, staysOpen: true), Way(fault: .full, lasts: true), Way(fault: .locked, staysOpen: true),
    ]

    /// One operation in six has each of them, unless in `make full`, where every operation has all.
    private static func ways(of operation: StoreOperation) -> [Way] {
      let index = operations.firstIndex { $0.name == operation.name } ?? 0
      return TestTier.current == .full ? allWays : [allWays[index % allWays.count]]
    }

    /// Tries access after access; of a long operation that does the same to each page, fewer and fewer.
    private func next(_ number: Int) -> Int { number + 1 + number / TestTier.rounds(1, full: 12) }

    /// The error codes that such a fault may cause.
    private func isNamed(_ error: StoreError, after fault: DiskFault) -> Bool {
      switch (fault, error) {
      case (.full, .diskFull), (.locked, .busy): true
      case (.fails, .database), (.fails, .cannotOpen), (.powerLoss, .database), (.powerLoss, .cannotOpen): true
      // The error of a check on an unreadable page.
      case (.fails, .corrupt(_, let words)), (.powerLoss, .corrupt(_, let words)):
        words.contains("unable to get the page")
      default: false
      }
    }

    /// Expects that the store can be opened, is valid, and has the state before or after the operation.
    private func expectSound(_ disk: FaultyDisk, _ run: StoreRun, isDone: Bool, _ comment: Comment) throws {
      if run.operation.opens {
        let rows = try StoreRun.rows(try StoreRun.database(disk))
        #expect(rows == run.after || !isDone && rows == run.before, comment)
      }
      let store = try StoreRun.store(disk)
      let rows = try StoreRun.rows(of: store)
      // If the operation was only opening the store, it is done now.
      #expect(rows == run.after || !isDone && !run.operation.opens && rows == run.before, comment)
      #expect(try store.faults() == [], comment)
    }

    /// Expects that a store that is still open can do the operation when the disk works again.
    private func expectGoingOn(
      _ store: SensorStore, _ disk: FaultyDisk, _ run: StoreRun, isDone: Bool, _ comment: Comment
    ) throws {
      let other = try StoreRun.database(disk)
      let rows = try StoreRun.rows(other)
      #expect(rows == run.after || !isDone && rows == run.before, comment)
      // Another process writes; a connection that still used an old snapshot could not write after that.
      try other.execute("UPDATE store SET removed_before = removed_before")
      if isDone || rows == run.after { return }
      try run.operation.act(store)
    }

    @Test("does an operation completely or not at all, reports the cause, and continues", arguments: operations)
    func anomalies(operation: StoreOperation) throws {
      let run = try StoreRun(operation)
      for way in Self.ways(of: operation) {
        var number = 1
        while true {
          let comment = Comment(rawValue: "\(operation.name): \(way.fault) \(number)\(way.lasts ? " and on" : "")")
          var isDone = false
          let outcome = try run.outcome(failing: { $0.strike(way.fault, at: number, lasts: way.lasts) }) {
            guard way.staysOpen else { return }
            $1.mend()
            try expectGoingOn($0, $1, run, isDone: $2 == nil, comment)
            isDone = true
          }
          outcome.disk.mend()
          if let error = outcome.error { #expect(isNamed(error, after: way.fault), "\(comment): \(error)") }
          try expectSound(outcome.disk, run, isDone: isDone || outcome.error == nil, comment)
          if outcome.disk.faultCount == 0 {
            #expect(outcome.error == nil, comment)
            break
          }
          number = next(number)
        }
        // Every operation opens, reads and writes; a fault without an effect would test nothing.
        #expect(number > 1, "\(operation.name): \(way.fault)")
      }
    }

    @Test("keeps all completed operations after a power failure, and none in part", arguments: operations)
    func powerLoss(operation: StoreOperation) throws {
      let run = try StoreRun(operation)
      var number = 1
      while true {
        var random = SplitMix64(seed: UInt64(number))
        let comment = Comment(rawValue: "\(operation.name): the power goes at \(number)")
        func expectSurvival(of disk: FaultyDisk, isDone: Bool) throws {
          // Mostly nothing was unsynced, and all survivors are alike.
          for left in Set((1...TestTier.rounds(1, full: 4)).map { _ in disk.survivors(&random) }) {
            try expectSound(FaultyDisk(left), run, isDone: isDone, comment)
          }
        }
        let outcome = try run.outcome(failing: { $0.strike(.powerLoss, at: number) }) { _, disk, error in
          if error == nil, !disk.hasDied { try expectSurvival(of: disk, isDone: true) }
        }
        if let error = outcome.error { #expect(isNamed(error, after: .powerLoss), "\(comment): \(error)") }
        try expectSurvival(of: outcome.disk, isDone: outcome.error == nil)
        if !outcome.disk.hasDied { break }
        number = next(number)
      }
      #expect(number > 1)
    }
  }
#endif
