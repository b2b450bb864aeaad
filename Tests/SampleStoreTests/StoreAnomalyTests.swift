// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import SQLiteAccess
  import SampleStore
  import SensorSimulator
  import TestSupport
  import Testing

  /// As SQLite tests itself: the first thing that an operation on a store asks of the disk fails, then the second, and
  /// so on, until the operation succeeds because none fails. `make full` tries them all, other runs fewer and fewer.
  @Suite("A store whose disk fails")
  struct StoreAnomalyTests {
    private static let operations = StoreOperation.samples + StoreOperation.outbox + StoreOperation.openings

    private struct Way {
      let fault: DiskFault
      /// All that follows fails too, closing the store among it.
      var lasts = false
      /// Whether the store is used again after the fault, or closed and opened anew.
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

    /// One by one; of a long operation that does the same to each page, fewer and fewer.
    private func next(_ number: Int) -> Int { number + 1 + number / TestTier.rounds(1, full: 12) }

    /// What an error may be called that comes of such a fault.
    private func isNamed(_ error: StoreError, after fault: DiskFault) -> Bool {
      switch (fault, error) {
      case (.full, .diskFull), (.locked, .busy): true
      case (.fails, .database), (.fails, .cannotOpen), (.powerLoss, .database), (.powerLoss, .cannotOpen): true
      // What a check is told of a page that cannot be read.
      case (.fails, .corrupt(_, let words)), (.powerLoss, .corrupt(_, let words)):
        words.contains("unable to get the page")
      default: false
      }
    }

    /// That the store can be opened, is sound, and holds the one or the other.
    private func expectSound(_ disk: FaultyDisk, _ run: StoreRun, isDone: Bool, _ comment: Comment) throws {
      if run.operation.opens {
        let rows = try StoreRun.rows(try StoreRun.database(disk))
        #expect(rows == run.after || !isDone && rows == run.before, comment)
      }
      let store = try StoreRun.store(disk)
      let rows = try StoreRun.rows(of: store)
      // Where opening it was all that there was to do, it is done now.
      #expect(rows == run.after || !isDone && !run.operation.opens && rows == run.before, comment)
      #expect(try store.faults() == [], comment)
    }

    /// That a store which is still open, on a disk that is well again, can do what it could not; it is done afterwards.
    private func expectGoingOn(
      _ store: SensorStore, _ disk: FaultyDisk, _ run: StoreRun, isDone: Bool, _ comment: Comment
    ) throws {
      let other = try StoreRun.database(disk)
      let rows = try StoreRun.rows(other)
      #expect(rows == run.after || !isDone && rows == run.before, comment)
      // Another process writes; whoever still looked at an old state could not write after that.
      try other.execute("UPDATE store SET removed_before = removed_before")
      if isDone || rows == run.after { return }
      try run.operation.act(store)
    }

    @Test("has all of an operation or nothing of it, says why, and goes on", arguments: operations)
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
        // Every operation opens, reads and writes; a fault that strikes nothing would show nothing.
        #expect(number > 1, "\(operation.name): \(way.fault)")
      }
    }

    @Test("has what was done before the power went, and nothing by halves", arguments: operations)
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
