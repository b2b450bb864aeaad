// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HistoryFormats
import HostSystem
package import LibreKit
package import SampleStore

/// Content of `sync --dry-run`: the exact requests, with placeholders for secrets. Nothing is sent or stored.
package struct SyncRehearsal {
  private let setup: SinkSetup
  private let sink: any SampleSink
  private let store: SensorStore
  private let context: ExportContext
  private var assembly: BatchAssembly
  private var memory = SinkState()
  private var steps: [SyncEvent.Rehearsal] = []

  /// Reports the steps that a sync would take.
  package static func rehearse(
    _ setups: [SinkSetup], in store: SensorStore, environment: [String: String], now: Instant,
    report: (SyncEvent) throws(LibreError) -> Void
  ) throws(LibreError) {
    for setup in setups {
      var rehearsal = SyncRehearsal(
        setup: setup, sink: try setup.sketch(environment: environment), store: store,
        context: BatchAssembly.context(now: now, person: try setup.person(environment: environment)),
        assembly: BatchAssembly(store, setup))
      // Report after releasing the store: the reader of the output may be slow.
      try store.rehearse { () throws(LibreError) in try rehearsal.run() }
      for step in rehearsal.steps { try report(SyncEvent(sink: setup.name, at: now, kind: .rehearsed(step))) }
    }
  }

  private mutating func run() throws(LibreError) {
    try libre(store.enrol(setup, now: context.now))
    if let enrolled = try libre(store.sink(setup.name)) {
      try libre(store.fillOutbox(of: enrolled.id, for: setup))
    }
    guard let stored = try libre(store.sink(setup.name)) else { return }
    let other = stored.receiver == setup.receiver ? nil : "it was enrolled for \(stored.receiver)"
    let due = stored.failures == 0 ? stored.nextAttempt(by: setup, after: context.now) : nil
    let wait = due.map { "it is due at \(LocalTime.text($0.at))" }
    let obstacle = setup.isEnabled ? stored.stop?.reason ?? other ?? wait : SinkSetup.switchedOff
    steps.append(.queued(stored.queued, destination: sink.destination, obstacle: obstacle))
    memory = SinkState(kept: stored.memory)
    // In the order of `SinkRun`.
    if !setup.type.keepsStateOnly { try withdraw(stored) }
    try sendBatches(stored)
    guard setup.type.keepsStateOnly else { return }
    if try libre(store.queueState(of: stored.id, for: setup, until: end)) { try sendBatches(stored) }
    try withdraw(stored)
  }

  private var end: Instant { context.now.adding(minutes: SinkRun.clockTolerance) }

  private mutating func withdraw(_ stored: StoredSink) throws(LibreError) {
    while case let records = try libre(store.retracted(of: stored.id, limit: sink.maximumBatch)), !records.isEmpty {
      guard prepare(nil), let request = sink.withdrawal(of: records.map(\.key), memory, context) else { return }
      steps.append(.removal(records.map(\.id), request: request.redactedText))
      try libre(store.withdrawn(records, of: stored.id))
    }
  }

  private mutating func sendBatches(_ stored: StoredSink) throws(LibreError) {
    while let (batch, entries) = try assembly.next(of: stored.id, limit: sink.maximumBatch, until: end) {
      let held = try libre(store.held(entries, by: stored.id, setup))
      guard let contents = try assembly.sampleBatch(batch, entries, held: held) else { return }
      let omitted = contents.entries.compactMap { entry in sink.omission(of: entry).map { (entry, $0) } }
      for (entry, reason) in omitted { steps.append(.leftOut(entry.id, reason: reason)) }
      guard prepare(contents) else { return }
      let left = Set(omitted.compactMap(\.0.id))
      steps.append(
        .batch(
          isHistorical: batch.isHistorical,
          samples: contents.entries.compactMap(\.id).filter { !left.contains($0) },
          request: sink.delivery(of: contents, memory, context).redactedText))
      try libre(
        store.delivered(
          batch.id, at: context.now, records: setup.records(of: contents), areOnly: setup.type.keepsStateOnly))
    }
  }

  /// Adds the preparations, using their examples as answers; false if an example does not advance.
  private mutating func prepare(_ batch: SampleBatch?) -> Bool {
    while let preparation = sink.preparation(for: batch, memory, context) {
      steps.append(.question(purpose: preparation.purpose, request: preparation.request.redactedText))
      // An example must change the state; a test checks that.
      let before = memory
      guard (try? preparation.learn(preparation.example, &memory)) != nil, memory != before else { return false }
    }
    return true
  }
}

extension Delivery {
  fileprivate var redactedText: String {
    switch self {
    case .http(let request): request.redactedText
    case .mqtt(let messages): messages.map(\.text).joined()
    case .lines(let bytes): String(decoding: bytes, as: UTF8.self)
    case .samples(let samples): "\(samples.count) samples\n"
    }
  }
}
