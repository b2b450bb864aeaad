// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import LibreKit
import SampleSinks
public import SampleStore

/// What commands do to the sinks of a store.
extension SensorStore {
  /// Begins to keep an outbox for a sink, with the samples of the last `backfill_days`; nothing changes for one that has
  /// one. Throws what making the sink throws, and `LibreError.store`.
  public func enrol(_ setup: SinkSetup, environment: [String: String], now: Instant) throws(LibreError) {
    _ = try setup.sketch(environment: environment)
    try libre(
      enrol(setup.name, receiver: setup.receiver, at: now, sendsFrom: now.adding(days: -setup.backfillDays)))
  }

  /// Counts what has come since the last sync among what waits.
  public func fillOutboxes(for file: ConfigurationFile?) throws(StoreError) {
    try fillOutboxes(file?.sinkSetups() ?? [:])
  }

  /// Throws `LibreError.sink`: `notEnrolled`.
  public func enrolledSink(_ name: String) throws(LibreError) -> StoredSink {
    guard let sink = try libre(sink(name)) else { throw .sink(.notEnrolled(name)) }
    return sink
  }

  /// Lets a sink go on where it stopped, or with what comes from now on.
  public func enable(_ setup: SinkSetup, skipsGap: Bool, environment: [String: String]) throws(LibreError) {
    guard setup.isEnabled else {
      throw .sink(
        .option(sink: setup.name, .bad(key: "enabled", value: "false", allowed: "true, or leave the line out")))
    }
    let stored = try enrolledSink(setup.name)
    _ = try setup.sketch(environment: environment)
    try libre(enable(stored.id, receiver: setup.receiver, skipsGap: skipsGap))
  }

  /// Stops a sink until its user enables it again.
  public func disable(_ sink: StoredSink) throws(StoreError) {
    try stop(sink.id, StoredSink.Stop(.user, "you have disabled it"))
  }
}
