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
    let receiver = setup.receiver
    try libre { store throws(StoreError) in
      try store.enrol(
        setup.name, receiver: receiver, at: now, sendsFrom: now.adding(days: -setup.backfillDays))
    }
  }

  /// Counts what has come since the last sync among what waits.
  public func fillingOutboxes(for file: ConfigurationFile?) throws(LibreError) {
    try libre { store throws(StoreError) in try store.fillOutboxes(file?.sinkSetups() ?? [:]) }
  }

  public func allSinks() throws(LibreError) -> [StoredSink] {
    try libre { store throws(StoreError) in try store.sinks() }
  }

  /// Throws `LibreError.sink`: `notEnrolled`.
  public func enrolledSink(_ name: String) throws(LibreError) -> StoredSink {
    guard let sink = try libre({ store throws(StoreError) in try store.sink(name) }) else {
      throw .sink(.notEnrolled(name))
    }
    return sink
  }

  /// Lets a sink go on where it stopped, or with what comes from now on.
  public func enabling(
    _ setup: SinkSetup, skipsGap: Bool, environment: [String: String]
  ) throws(LibreError) {
    guard setup.isEnabled else {
      throw .sink(
        .option(sink: setup.name, .bad(key: "enabled", value: "false", allowed: "true, or leave the line out")))
    }
    let stored = try enrolledSink(setup.name)
    _ = try setup.sketch(environment: environment)
    let receiver = setup.receiver
    try libre { store throws(StoreError) in try store.enable(stored.id, receiver: receiver, skipsGap: skipsGap) }
  }

  public func stopping(_ sink: StoredSink) throws(LibreError) {
    try libre { store throws(StoreError) in
      try store.stop(sink.id, StoredSink.Stop(.user, "you have disabled it"))
    }
  }

  /// Forgets a sink with its outbox.
  public func removing(_ sink: StoredSink) throws(LibreError) {
    try libre { store throws(StoreError) in try store.removeSink(sink.id) }
  }

  public func letters(of sink: StoredSink) throws(LibreError) -> [DeadLetter] {
    try libre { store throws(StoreError) in try store.deadLetters(of: sink) }
  }

  /// How many dead letters are to be sent again.
  public func retrying(_ sink: StoredSink) throws(LibreError) -> Int {
    try libre { store throws(StoreError) in try store.retryDeadLetters(of: sink.id) }
  }

  /// How many samples were given up.
  public func dropping(_ queue: Queue, of sink: StoredSink) throws(LibreError) -> Int {
    try libre { store throws(StoreError) in try store.drop(queue, of: sink.id) }
  }
}
