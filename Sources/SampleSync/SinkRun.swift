// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import LibreKit
import SampleStore

/// Sends one sink's queue, batch after batch, until it is empty or the receiver fails. A batch that is too large or
/// rejected is halved, and a single sample is parked; after a refusal the sink is stopped, and its queue stays. First
/// the receiver deletes records of values that were removed here or no longer count: records identified by time may
/// conflict with new ones. If it refuses, that is reported, and sending continues. A state, on the other hand, is
/// emptied last, if nothing replaced it.
struct SinkRun {
  private let store: SensorStore
  private let setup: SinkSetup
  private let sink: any SampleSink
  private let courier: any Courier
  private let person: String?
  private let tools: SyncTools
  private let secretOrigin: String?
  private let maximumAttempts: Int
  private let report: (SyncEvent.Kind) throws(LibreError) -> Void
  private var assembly: BatchAssembly
  private let stored: StoredSink
  /// Failures in a row, in all runs.
  private var failures: Int
  private var memory: SinkState
  private var tally = SyncEvent.Tally()
  private var record: StoredRun
  /// Samples parked since a batch was accepted.
  private var parkedInARow = 0
  private var hasBeenAccepted = false

  /// Number of refused samples in a row after which the sink is stopped, before all its samples are parked.
  private static let maximumParkedInARow = 10
  /// Maximum minutes that a sample may be ahead of this machine's clock, as between two manually set clocks.
  static let clockTolerance = 5
  /// Maximum number of preparations for one batch; no receiver needs more than three.
  private static let maximumPreparations = 8

  init(
    _ setup: SinkSetup, _ sink: any SampleSink, enrolled stored: StoredSink, in store: SensorStore,
    courier: any Courier, person: String? = nil, tools: SyncTools,
    tries: Int = RetryBackoff.foregroundAttempts, secretOrigin: String? = nil,
    report: @escaping (SyncEvent.Kind) throws(LibreError) -> Void
  ) {
    (self.setup, self.sink, self.stored) = (setup, sink, stored)
    (self.store, self.courier, self.person, self.tools) = (store, courier, person, tools)
    (maximumAttempts, failures) = (tries, stored.failures)
    (self.secretOrigin, self.report) = (secretOrigin, report)
    assembly = BatchAssembly(store, setup)
    record = StoredRun(at: tools.now(), outcome: SyncResult.interrupted.rawValue)
    memory = SinkState(kept: stored.memory)
  }

  /// Runs until the queue is empty or the receiver fails. Throws errors of the store and of reporting.
  nonisolated(nonsending) mutating func run() async throws(LibreError) -> SyncResult {
    let (queued, retracted) = try Self.fill(stored, setup, in: store)
    guard queued + retracted > 0 else {
      try report(.nothingToSync)
      return .done
    }
    if queued > 0 { try report(.syncing(queued: queued)) }
    var result = try await setup.type.keepsStateOnly ? sendState() : sendRecords()
    if result == .done, let (count, last) = try libre(store.queued(of: stored.id, after: latestTime)) {
      try report(.waitsForClock(count, until: last))
      result = .queued
    }
    tally.queued = try libre(store.sink(stored.id)?.queued ?? 0)
    if record.reason != nil || tally.accepted + tally.removed + tally.parked > 0 {
      record.queued = tally.queued
      try keep(result)
    }
    try report(.completed(tally))
    return result
  }

  /// Makes a change of the store together with the record of this run. Until the run has a result, the record says that
  /// it was interrupted.
  private mutating func keep(
    _ result: SyncResult = .interrupted, with change: () throws(StoreError) -> Void = {}
  ) throws(LibreError) {
    record.outcome = result.rawValue
    (record.accepted, record.removed, record.parked) = (tally.accepted, tally.removed, tally.parked)
    try libre(
      store.transaction { () throws(StoreError) in
        try change()
        try store.keep(&record, of: stored.id)
      })
  }

  private nonisolated(nonsending) mutating func sendRecords() async throws(LibreError) -> SyncResult {
    if let end = try await withdrawAll() { return end }
    return try await sendAll()
  }

  private nonisolated(nonsending) mutating func sendState() async throws(LibreError) -> SyncResult {
    var result = try await sendAll()
    if result == .done, try libre(store.queueState(of: stored.id, for: setup, until: latestTime)) {
      result = try await sendAll()
    }
    if result == .done, let end = try await withdrawAll() { return end }
    return result
  }

  /// Queues new entries; returns the numbers of queued entries and of records to be deleted.
  static func fill(
    _ stored: StoredSink, _ setup: SinkSetup, in store: SensorStore
  ) throws(LibreError) -> (queued: Int, retracted: Int) {
    try libre(store.fillOutbox(of: stored.id, for: setup))
    return (try libre(store.sink(stored.id)?.queued ?? 0), try libre(store.retractedCount(of: stored.id)))
  }

  private var latestTime: Instant { tools.now().adding(minutes: Self.clockTolerance) }

  /// Checks whether the user stopped or removed the sink since; called for every batch.
  private func isStillWanted() throws(LibreError) -> SyncResult? {
    switch try libre(store.standing(of: stored)) {
    case .enabled: return nil
    case .gone: return .done
    case .stopped(let stop):
      try report(.paused(reason: stop.reason))
      return stop.origin == .user ? .done : .refused
    }
  }

  /// Returns nil when no record is left to delete.
  private nonisolated(nonsending) mutating func withdrawAll() async throws(LibreError) -> SyncResult? {
    while case let records = try libre(store.retracted(of: stored.id, limit: sink.maximumBatch)), !records.isEmpty {
      if Task.isCancelled { return .interrupted }
      if let end = try isStillWanted() { return end }
      if let end = try await send(.withdrawal(records)) { return end }
    }
    return nil
  }

  private nonisolated(nonsending) mutating func sendAll() async throws(LibreError) -> SyncResult {
    while let (batch, entries) = try assembly.next(of: stored.id, limit: sink.maximumBatch, until: latestTime) {
      if Task.isCancelled { return .interrupted }
      if let end = try isStillWanted() { return end }
      let unsuitable = entries.compactMap { entry in sink.omission(of: entry).map { (entry, $0) } }
      if !unsuitable.isEmpty {
        try park(unsuitable, of: batch, .unsuitable)
        continue
      }
      let held = try libre(store.held(entries, by: stored.id, setup))
      guard let contents = try assembly.sampleBatch(batch, entries, held: held) else { return .done }
      if let end = try await send(.batch(batch, contents)) { return end }
    }
    return .done
  }

  private enum Parcel {
    case batch(StoredBatch, SampleBatch)
    case withdrawal([SentRecord])

    var key: String? { if case .batch(_, let contents) = self { contents.key } else { nil } }
    var attempts: Int { if case .batch(let batch, _) = self { batch.attempts } else { 0 } }
  }

  /// nil to continue with the next parcel.
  private nonisolated(nonsending) mutating func send(_ parcel: Parcel) async throws(LibreError) -> SyncResult? {
    var tries = 0
    var sessions = 0
    while true {
      if tries > 0, let end = try isStillWanted() { return end }
      let (verdict, isOfParcel) = try await attempt(parcel)
      if Task.isCancelled, case .unavailable = verdict { return .interrupted }
      let key = isOfParcel ? parcel.key : nil
      switch verdict {
      case .accepted(let duplicates):
        try delivered(parcel, duplicates: duplicates)
        return nil
      case .unavailable(let reason, let asked):
        tries += 1
        try report(.failed(batch: key, .unavailable, reason: reason, rejected: []))
        if let pause = RetryBackoff.pause(after: tries, of: maximumAttempts, asked: asked, random: tools.random()) {
          if await tools.sleep(pause) { continue }
          return .interrupted
        }
        // A batch that fails repeatedly delays the following ones by minutes only.
        let steps = parcel.attempts < StoredBatch.manyAttempts ? failures + 1 : min(failures + 1, 3)
        return try postpone(reason, RetryBackoff.retry(failures: steps, asked: asked, now: tools.now()))
      case .tooLarge(let reason) where isOfParcel: return try split(parcel, .tooLarge, reason)
      case .rejected(let reason) where isOfParcel: return try split(parcel, .rejected, reason)
      case .refused(let reason) where isOfParcel && parcel.key == nil:
        try giveUp(try libre(store.retracted(of: stored.id, limit: .max)), reason)
        return nil
      case .sessionEnded(let reason):
        sessions += 1
        memory.session = [:]
        guard sessions > 1 else {
          try report(.failed(batch: key, .sessionEnded, reason: reason, rejected: []))
          continue
        }
        return try stop(key, reason)
      case .unauthorized(let reason): return try stop(key, SinkSetup.unauthorized(reason, secretOrigin: secretOrigin))
      case .refused(let reason), .tooLarge(let reason), .rejected(let reason): return try stop(key, reason)
      case .misdirected(let reason):
        try report(.failed(batch: key, .misdirected, reason: reason, rejected: []))
        _ = try postpone(reason, RetryBackoff.late(now: tools.now()))
        return .misdirected
      case .libraryMissing(let name, let package):
        let error = LibreError.sink(.libraryMissing(name: name, package: package))
        try report(.failed(batch: key, .unequipped, reason: error.message, rejected: []))
        _ = try postpone(
          "\(error.message); \(SinkError.installation(of: package))", RetryBackoff.late(now: tools.now()))
        return .unequipped
      }
    }
  }

  /// Prepares, then sends the parcel; returns whether the verdict concerns the parcel itself.
  private nonisolated(nonsending) mutating func attempt(_ parcel: Parcel) async throws(LibreError) -> (
    verdict: Verdict, isOfParcel: Bool
  ) {
    let contents: SampleBatch? = if case .batch(_, let batch) = parcel { batch } else { nil }
    let context = BatchAssembly.context(now: tools.now(), person: person)
    for _ in 0..<Self.maximumPreparations {
      guard let preparation = sink.preparation(for: contents, memory, context) else {
        if case .batch(let batch, _) = parcel { try libre(store.attempt(batch.id)) }
        do throws(Verdict) {
          return (try await deliver(parcel, context), true)
        } catch {
          return (error, true)
        }
      }
      if let failure = try await prepare(preparation) { return (failure, false) }
    }
    return (.refused(reason: "it requires too many requests before it accepts samples"), false)
  }

  private nonisolated(nonsending) func deliver(_ parcel: Parcel, _ context: ExportContext) async throws(Verdict)
    -> Verdict
  {
    switch parcel {
    case .batch(_, let contents):
      let answer = try await courier.deliver(sink.delivery(of: contents, memory, context))
      return sink.verdict(on: answer, to: contents, memory, now: tools.now())
    case .withdrawal(let records):
      guard let delivery = sink.withdrawal(of: records.map(\.key), memory, context) else {
        return .refused(reason: "its receiver cannot delete values")
      }
      return sink.withdrawalVerdict(on: try await courier.deliver(delivery), memory, now: tools.now())
    }
  }

  private nonisolated(nonsending) mutating func prepare(_ preparation: Preparation) async throws(LibreError) -> Verdict?
  {
    let kept = memory.kept
    do throws(Verdict) { try await courier.prepare(preparation, &memory) } catch { return error }
    if memory.kept != kept { try libre(store.keep(memory.kept, of: stored.id)) }
    return nil
  }

  private mutating func delivered(_ parcel: Parcel, duplicates: Int?) throws(LibreError) {
    failures = 0
    let now = tools.now()
    guard case .batch(let batch, let contents) = parcel else {
      guard case .withdrawal(let records) = parcel else { return }
      tally.removed += records.count
      try keep { [store, stored] () throws(StoreError) in
        try store.withdrawn(records, of: stored.id)
        try store.succeed(stored.id, at: now)
      }
      return try report(.removed(records.map(\.id)))
    }
    (parkedInARow, hasBeenAccepted) = (0, true)
    tally.accepted += batch.entries.count
    tally.duplicates = duplicates.flatMap { new in tally.duplicates.map { $0 + new } }
    try keep { [store, setup] () throws(StoreError) in
      try store.delivered(
        batch.id, at: now, records: setup.records(of: contents), areOnly: setup.type.keepsStateOnly)
    }
    try report(
      .success(
        SyncEvent.Receipt(
          batch: contents.key, isHistorical: batch.isHistorical, samples: contents.entries.compactMap(\.id),
          duplicates: duplicates, from: contents.entries.first?.time, to: contents.entries.last?.time)))
  }

  /// The receiver keeps these records; the user may let it be asked again (`retryParked`).
  private mutating func giveUp(_ records: [SentRecord], _ reason: String) throws(LibreError) {
    record.reason = reason
    try keep { [store, stored] () throws(StoreError) in try store.withdrawn(records, of: stored.id, isRefused: true) }
    let count = records.count == 1 ? "1 value stays" : "\(records.count) values stay"
    try report(.failed(batch: nil, .notRemoved, reason: "\(count) there: \(reason)", rejected: []))
  }

  private mutating func split(
    _ parcel: Parcel, _ failure: SyncEvent.Failure, _ reason: String
  ) throws(LibreError) -> SyncResult? {
    guard case .batch(let batch, let contents) = parcel else {
      if case .withdrawal(let records) = parcel { try giveUp(records, reason) }
      return nil
    }
    if try libre(store.halve(batch)) {
      try report(.failed(batch: contents.key, failure, reason: reason, rejected: []))
      return nil
    }
    try park(batch.entries.map { ($0, reason) }, of: batch, failure)
    parkedInARow += 1
    guard !hasBeenAccepted, parkedInARow >= Self.maximumParkedInARow else { return nil }
    return try stop(nil, "it refused the first \(parkedInARow) samples: \(reason)")
  }

  private mutating func park(
    _ entries: [(HistoryEntry, reason: String)], of batch: StoredBatch, _ failure: SyncEvent.Failure
  ) throws(LibreError) {
    let now = tools.now()
    tally.parked += entries.count
    try keep { [store] () throws(StoreError) in
      for (entry, reason) in entries { try store.park([entry], of: batch.id, reason: reason, at: now) }
    }
    try report(
      .failed(
        batch: BatchAssembly.key(of: batch), failure, reason: entries.first?.reason ?? "",
        rejected: entries.map { SyncEvent.Rejection(id: $0.0.id, reason: $0.reason) }))
  }

  private mutating func postpone(_ reason: String, _ retry: StoredSink.Retry) throws(LibreError) -> SyncResult {
    record.reason = reason
    try keep(.queued) { [store, stored] () throws(StoreError) in
      try store.postpone(stored.id, retry, error: reason)
    }
    try report(.retryScheduled(retry.at, isAsked: retry.isAsked, reason: reason))
    return .queued
  }

  private mutating func stop(_ batch: String?, _ reason: String) throws(LibreError) -> SyncResult {
    record.reason = reason
    try keep(.refused) { [store, stored] () throws(StoreError) in
      try store.stop(stored.id, StoredSink.Stop(.receiver, reason))
    }
    try report(.failed(batch: batch, .refused, reason: reason, rejected: []))
    try report(.paused(reason: reason))
    return .refused
  }
}
