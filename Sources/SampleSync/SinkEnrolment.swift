// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import LibreKit
package import SampleStore

extension SensorStore {
  /// Begins the outbox of a sink, with the samples of the last `backfill_days`, or without these with the newest one.
  /// Does nothing for an enrolled sink.
  package func enrol(_ setup: SinkSetup, environment: [String: String], now: Instant) throws(LibreError) {
    _ = try setup.sketch(environment: environment)
    try libre(enrol(setup, now: now))
  }

  func enrol(_ setup: SinkSetup, now: Instant) throws(StoreError) {
    let days = now.adding(days: -setup.backfillDays)
    // The state shows the newest value at once, not only the next one.
    let newest =
      setup.type.keepsStateOnly ? try newestSample(rings: setup.rings, until: now, isUsable: true)?.time : nil
    try enrol(setup.name, receiver: setup.receiver, at: now, sendsFrom: newest.map { min($0, days) } ?? days)
  }

  /// Throws `notEnrolled` for a sink without an outbox.
  package func enrolledSink(_ name: String) throws(LibreError) -> StoredSink {
    guard let sink = try libre(sink(name)) else { throw .sink(.notEnrolled(name)) }
    return sink
  }

  /// Resumes sending where it stopped, or with new samples only.
  package func enable(_ setup: SinkSetup, skipsGap: Bool, environment: [String: String]) throws(LibreError) {
    guard setup.isEnabled else {
      throw .sink(.option(sink: setup.name, .bad(key: "enabled", value: "false", allowed: "true, or remove the line")))
    }
    let stored = try enrolledSink(setup.name)
    _ = try setup.sketch(environment: environment)
    try libre(enable(stored.id, receiver: setup.receiver, skipsGap: skipsGap))
  }

  package func disable(_ sink: StoredSink) throws(StoreError) {
    try stop(sink.id, StoredSink.Stop(.user, "disabled by you"))
  }

  /// Queues samples stored since the last sync, so that counts include them.
  package func fillOutboxes(_ setups: SinkSetups) throws(StoreError) {
    for sink in try sinks() {
      if let setup = try? setups[sink.name]?.get() { try fillOutbox(of: sink.id, for: setup) }
    }
  }

  /// Queues new entries for a sink, and marks the records that its receiver must delete.
  package func fillOutbox(of sink: StoredSink.ID, for setup: SinkSetup) throws(StoreError) {
    try fillOutbox(of: sink, rings: setup.rings, kinds: setup.kinds, ignoring: setup.ignoredSources)
    try retract(of: sink, for: setup)
  }
}
