// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CGMModel
  import HostSystem
  import Testing

  @testable import SampleStore

  /// An operation on a store, and that store: during the operation the disk may fail.
  struct StoreOperation: Sendable, CustomTestStringConvertible {
    let name: String
    /// Creates the store in its first state, unless opening it is a part of the operation.
    var prepare: @Sendable (SensorStore) throws -> Void = week
    var files: @Sendable () throws -> [String: [UInt8]] = { [:] }
    /// Whether opening the store is a part of the operation.
    var opens = false
    let act: @Sendable (SensorStore) throws -> Void

    var testDescription: String { name }

    private static let sensor = ReadingFixture()
    private static let start = ReadingFixture.start
    private static let now = start.adding(minutes: 10_000)
    private static let other = sensor.other(number: 3)

    /// A store in use: two sensors, a conflict, an error, finger-sticks, an import, and a sink with a started batch and
    /// a parked sample.
    @Sendable private static func week(_ store: SensorStore) throws {
      _ = try store.add(sensor.with { $0.flagged = [.init(.trend, 95)] }.scan(100))
      try store.take(sensor.with { $0.altered = [.init(.history, 45): 77] }.scan(101), other.scan(700))
      for number in 1...3 { _ = try store.add(stick(number)) }
      _ = try store.transaction { () throws(StoreError) in
        for number in 1...20 { _ = try store.add(imported(number)) }
      }
      let sink = try store.enrolled()
      try store.fillOutbox(of: sink.id, rings: [.history])
      let first = try #require(try store.nextBatch(of: sink.id, limit: 3))
      try store.park([first.entries[0]], of: first.id, reason: "no", at: now)
      try store.attempt(batch(store).id)
    }

    private static func week(
      then change: @escaping @Sendable (SensorStore) throws -> Void
    ) -> @Sendable (SensorStore) throws -> Void {
      { store in
        try week(store)
        try change(store)
      }
    }

    private static func stick(_ number: Int) -> HistoryEntry {
      .stick(SampleID(high: 3, low: UInt64(number)), at: number, note: "n", source: "test")
    }

    private static func imported(_ number: Int) -> HistoryEntry {
      .value(SampleID(high: 4, low: UInt64(number)), at: number * 15, 90 + Double(number), source: "test")
    }

    private static func site(_ store: SensorStore) throws -> StoredSink { try #require(try store.sink("site")) }

    private static func first(_ store: SensorStore) throws -> StoredSensor {
      try #require(try store.sensors().first { $0.identity.uid == ReadingFixture.uid })
    }

    private static func batch(_ store: SensorStore) throws -> StoredBatch {
      try #require(try store.nextBatch(of: site(store).id, limit: 6))
    }

    static let samples = [
      StoreOperation(name: "a scan is taken up") { _ = try $0.add(sensor.scan(160)) },
      StoreOperation(name: "the first scan of a sensor is taken up") {
        _ = try $0.add(sensor.other(number: 9).scan(500))
      },
      StoreOperation(name: "a scan fills an error and contradicts a value") {
        _ = try $0.add(sensor.with { $0.altered = [.init(.history, 60): 78] }.scan(102))
      },
      StoreOperation(name: "a history is imported") { store in
        try store.transaction { () throws(StoreError) in
          for number in 15...80 { _ = try store.add(imported(number)) }
        }
      },
      StoreOperation(name: "a finger-stick is added") { _ = try $0.add(stick(9)) },
      StoreOperation(name: "a finger-stick is removed") { _ = try $0.remove(SampleID(high: 3, low: 2)) },
      StoreOperation(name: "one sample of a sensor is removed") { store in
        guard let sample = try store.samples().first else { return }
        _ = try store.remove(sample)
      },
      StoreOperation(name: "an import is begun and ended") { store in
        var counts = OutcomeCounts()
        counts.reasons = ["removed": 1]
        try store.transaction { () throws(StoreError) in
          _ = try store.beginImport(of: ["a", "b"], at: now)
          for number in 15...40 { _ = try store.add(imported(number)) }
          _ = try store.endImport(formats: ["raw"], timeZone: nil, counts: counts)
        }
      },
      StoreOperation(
        name: "an import is removed",
        prepare: week { store in
          _ = try store.beginImport(of: ["a"], at: now)
          _ = try store.add(other.scan(900))
          for number in 15...40 { _ = try store.add(imported(number)) }
          _ = try store.endImport(formats: ["raw"], timeZone: nil)
        }
      ) { _ = try $0.removeImport(1) },
      StoreOperation(name: "a younger scan moves the start", prepare: { _ = try $0.add(sensor.scan(300)) }) {
        _ = try $0.add(sensor.with { $0.second = 30 }.scan(200))
      },
      StoreOperation(name: "a wear is dated anew") {
        _ = try $0.reanchor(first($0), wear: 1, at: start.adding(minutes: 5))
      },
      StoreOperation(name: "a sensor is forgotten") { try $0.forget(first($0)) },
      StoreOperation(name: "a wear is calibrated") { store in
        try store.setUserCalibration(
          UserCalibration(slope: 1.1, intercept: -3, points: [], madeAt: now), sensor: first(store).id, wear: 1)
      },
      StoreOperation(name: "another store is merged", files: { try otherStore() }) { store in
        let folder = store.path.dropLast("history.sqlite".count)
        _ = try store.merge(SensorStore(folder + "other.sqlite", for: .writing, lockTimeoutSeconds: 0))
      },
      StoreOperation(name: "what is old is removed") { _ = try $0.removeAll(before: start.adding(minutes: 300)) },
      StoreOperation(
        name: "a store is shrunk", prepare: week { _ = try $0.removeAll(before: start.adding(minutes: 600)) }
      ) { try $0.shrink() },
    ]

    private static func otherStore() throws -> [String: [UInt8]] {
      try StoreRun.files(named: "other.sqlite") { store in
        _ = try store.add(sensor.with { $0.second = 20 }.scan(300))
        _ = try store.add(stick(12))
        _ = try store.add(imported(30))
      }
    }

    static let outbox = [
      StoreOperation(name: "a sink is enrolled") {
        try $0.enrol("second", receiver: "test", at: start, sendsFrom: start)
      },
      StoreOperation(name: "an outbox is filled", prepare: week { _ = try $0.add(sensor.scan(130)) }) {
        try $0.fillOutbox(of: site($0).id, rings: [.history, .trend])
      },
      StoreOperation(name: "a batch is made", prepare: week { try $0.delivered(batch($0).id, at: now) }) {
        _ = try batch($0)
      },
      StoreOperation(name: "an attempt is noted") { try $0.attempt(batch($0).id) },
      StoreOperation(name: "a batch is delivered") { try $0.delivered(batch($0).id, at: now) },
      StoreOperation(name: "a batch is halved") { _ = try $0.halve(batch($0)) },
      StoreOperation(name: "samples of a batch are parked") { store in
        let batch = try batch(store)
        try store.park(Array(batch.entries.prefix(3)), of: batch.id, reason: "400: no", at: now)
      },
      StoreOperation(name: "parked entries are sent again") { _ = try $0.retryParked(of: site($0).id) },
      StoreOperation(name: "what waits is given up") { _ = try $0.drop(.queued, of: site($0).id) },
      StoreOperation(name: "sending is postponed") {
        try $0.postpone(site($0).id, StoredSink.Retry(at: now, isAsked: true), error: "503")
      },
      StoreOperation(name: "what a receiver told is kept") { try $0.keep(["a": "1", "b": "2"], of: site($0).id) },
      StoreOperation(name: "a sink is stopped") { try $0.stop(site($0).id, StoredSink.Stop(.receiver, "401")) },
      StoreOperation(name: "a sink goes on with what comes from now on") {
        try $0.enable(site($0).id, receiver: "another", skipsGap: true)
      },
      StoreOperation(name: "a sink is removed") { try $0.removeSink(site($0).id) },
    ]

    static let openings = [
      StoreOperation(name: "a store is made", opens: true) { _ in },
      StoreOperation(name: "a store that a crash left is opened", files: { try crashed() }, opens: true) { _ in },
    ]

    /// A store whose log was not removed.
    private static func crashed() throws -> [String: [UInt8]] {
      let folder = try StoreFolder()
      let store = try folder.store()
      try week(store)
      // While it is open.
      return try withExtendedLifetime(store) { try folder.files() }.filter { !$0.key.hasSuffix("-shm") }
    }
  }
#endif
