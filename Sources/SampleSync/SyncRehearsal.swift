// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HistoryFormats
package import LibreKit
import SampleSinks
package import SampleStore

/// Content of `sync --dry-run`: the exact requests, with placeholders for secrets. Nothing is sent or stored.
package enum SyncRehearsal {
  /// Reports the steps that a sync would take.
  ///
  /// - Throws: `LibreError.store`, `LibreError.sink`, and errors of `report`.
  package static func rehearse(
    _ setups: [SinkSetup], in store: SensorStore, environment: [String: String], now: Instant,
    report: (SyncEvent) throws(LibreError) -> Void
  ) throws(LibreError) {
    for setup in setups {
      let sink = try setup.sketch(environment: environment)
      let context = BatchAssembly.context(now: now, person: try setup.person(environment: environment))
      // Report after releasing the store: the reader of the output may be slow.
      var steps: [SyncEvent.Rehearsal] = []
      try store.rehearse { () throws(LibreError) in
        try rehearse(setup, sink, store, context) { steps.append($0) }
      }
      for step in steps { try report(SyncEvent(sink: setup.name, at: now, kind: .rehearsed(step))) }
    }
  }

  private static func rehearse(
    _ setup: SinkSetup, _ sink: any SampleSink, _ store: SensorStore, _ context: ExportContext,
    _ report: (SyncEvent.Rehearsal) -> Void
  ) throws(LibreError) {
    let now = context.now
    try libre(store.enrol(setup, now: now))
    if let enrolled = try libre(store.sink(setup.name)) {
      try libre(store.fillOutbox(of: enrolled.id, for: setup))
    }
    guard let stored = try libre(store.sink(setup.name)) else { return }
    let other = stored.receiver == setup.receiver ? nil : "it was enrolled for \(stored.receiver)"
    let obstacle = setup.isEnabled ? stored.stop?.reason ?? other : SinkView.switchedOff
    report(.pending(stored.pending, destination: sink.destination, obstacle: obstacle))
    var assembly = BatchAssembly(store, setup)
    var memory = SinkState(kept: stored.memory)
    // In the order of `SinkRun`.
    if !setup.type.keepsStateOnly { try rehearseWithdrawals(setup, sink, stored, store, context, &memory, report) }
    try rehearseBatches(setup, sink, stored, store, context, &assembly, &memory, report)
    guard setup.type.keepsStateOnly else { return }
    if try libre(store.queueState(of: stored.id, for: setup, until: now.adding(minutes: SinkRun.clockTolerance))) {
      try rehearseBatches(setup, sink, stored, store, context, &assembly, &memory, report)
    }
    try rehearseWithdrawals(setup, sink, stored, store, context, &memory, report)
  }

  private static func rehearseWithdrawals(
    _ setup: SinkSetup, _ sink: any SampleSink, _ stored: StoredSink, _ store: SensorStore, _ context: ExportContext,
    _ memory: inout SinkState, _ report: (SyncEvent.Rehearsal) -> Void
  ) throws(LibreError) {
    while case let records = try libre(store.retracted(of: stored.id, limit: sink.maximumBatch)), !records.isEmpty {
      guard ask(sink, nil, context, &memory, report),
        let request = sink.withdrawal(of: records.map(\.key), memory, context)
      else { return }
      report(.removal(records.map(\.id), request: request.redactedText))
      try libre(store.withdrawn(records, of: stored.id))
    }
  }

  private static func rehearseBatches(
    _ setup: SinkSetup, _ sink: any SampleSink, _ stored: StoredSink, _ store: SensorStore, _ context: ExportContext,
    _ assembly: inout BatchAssembly, _ memory: inout SinkState, _ report: (SyncEvent.Rehearsal) -> Void
  ) throws(LibreError) {
    while let (batch, entries) = try assembly.next(
      of: stored.id, limit: sink.maximumBatch, until: context.now.adding(minutes: SinkRun.clockTolerance))
    {
      let held = try libre(store.held(entries, by: stored.id, setup))
      guard let contents = try assembly.sampleBatch(batch, entries, held: held) else { return }
      let omitted = contents.entries.compactMap { entry in sink.omission(of: entry).map { (entry, $0) } }
      for (entry, reason) in omitted { report(.leftOut(entry.id, reason: reason)) }
      guard ask(sink, contents, context, &memory, report) else { return }
      let left = Set(omitted.compactMap(\.0.id))
      report(
        .batch(
          isHistorical: batch.isHistorical,
          samples: contents.entries.compactMap(\.id).filter { !left.contains($0) },
          request: sink.delivery(of: contents, memory, context).redactedText))
      try libre(
        store.delivered(
          batch.id, at: context.now, records: setup.records(of: contents), areOnly: setup.type.keepsStateOnly))
    }
  }

  /// Reports the preparations, using their examples as answers; false if an example does not advance.
  private static func ask(
    _ sink: any SampleSink, _ batch: SampleBatch?, _ context: ExportContext, _ memory: inout SinkState,
    _ report: (SyncEvent.Rehearsal) -> Void
  ) -> Bool {
    while let preparation = sink.preparation(for: batch, memory, context) {
      report(.question(purpose: preparation.purpose, request: preparation.request.redactedText))
      // An example must change the state; a test checks that.
      guard let learnt = try? preparation.learn(preparation.example, memory), learnt != memory else { return false }
      memory = learnt
    }
    return true
  }
}

extension Delivery {
  /// Request as printed by `--dry-run`.
  fileprivate var redactedText: String {
    switch self {
    case .http(let request): request.redactedText
    case .mqtt(let messages): messages.map(\.text).joined()
    case .lines(let bytes): String(decoding: bytes, as: UTF8.self)
    }
  }
}
