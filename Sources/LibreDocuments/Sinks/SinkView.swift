// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import LibreKit
package import SampleStore
package import SampleSync
import SensorHistory

/// Availability of a part of libre: not tried yet; failed for now, or misconfigured; stopped, by the user or by the
/// receiver; enabled. Words and numbers are Sahha's.
package enum Availability: String, Hashable, Sendable, CaseIterable {
  case pending, unavailable, disabled, enabled

  package var code: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A sink as users see it: its configuration and the state of sending.
package struct SinkView: Sendable {
  package let name: String
  package let availability: Availability
  package let reason: String?
  package let error: LibreError?
  package let command: String?
  /// Configuration; nil if it is missing or invalid.
  package let setup: SinkSetup?
  package let destination: String?
  package let secretOrigin: String?
  /// State in the store; nil if it is not enrolled there.
  package let stored: StoredSink?
  /// The last runs, newest first.
  package let runs: [StoredRun]
  /// The next attempt; nil for at once.
  package let next: StoredSink.Retry?

  private init(
    name: String, _ setup: Result<SinkSetup, LibreError>?, _ known: (sink: StoredSink, runs: [StoredRun])?,
    environment: [String: String], now: Instant
  ) {
    (self.name, stored, runs) = (name, known?.sink, known?.runs ?? [])
    self.setup = try? setup?.get()
    next = stored?.nextAttempt(by: self.setup, after: now)
    secretOrigin = self.setup?.secretOrigin(environment: environment)
    let destination = setup?.flatMap { setup in
      Result { () throws(LibreError) in try setup.sketch(environment: environment).destination }
    }
    self.destination = try? destination?.get()
    if case .failure(let failure) = destination { error = failure } else { error = nil }
    (availability, reason, command) =
      switch destination {
      case nil: (.disabled, "it was removed from the configuration", "libre sink remove \(name) --purge")
      case .failure(let error): (.unavailable, error.message, nil)
      case .success: Self.judge(self.setup, stored, name)
      }
  }

  private static func judge(
    _ setup: SinkSetup?, _ stored: StoredSink?, _ name: String
  ) -> (Availability, String?, String?) {
    if setup?.isEnabled == false { return (.disabled, SinkSetup.switchedOff, "libre sink set \(name) enabled=") }
    guard let stored else {
      return (.pending, "it has no outbox in this store yet", "libre sync --sink \(name)")
    }
    if let stop = stored.stop { return (.disabled, stop.reason, "libre sink enable \(name)") }
    guard stored.receiver == setup?.receiver else {
      return (.disabled, "it was enrolled for \(stored.receiver)", "libre sink enable \(name)")
    }
    guard let error = stored.lastError else { return (.enabled, nil, nil) }
    // A test would not end the wait.
    guard stored.retry?.isAsked == true else { return (.unavailable, error, "libre sink test \(name)") }
    return (.unavailable, "it asked to wait: \(error)", "libre sync --now --sink \(name)")
  }

  /// Returns all sinks of the configuration and the store at `path`, by name. Queues samples stored since the last sync
  /// first, so that they are counted, if the store is writable now. `path` is nil for a store that cannot be opened.
  package static func all(
    _ setups: SinkSetups, path: String?, environment: [String: String], now: Instant
  ) throws(LibreError) -> [SinkView] {
    let known = try path.map { path throws(LibreError) in try sinks(path, setups) } ?? []
    let stored = Dictionary(known.map { ($0.sink.name, $0) }) { $1 }
    return Set(setups.keys).union(stored.keys).sorted().map { name in
      SinkView(name: name, setups[name], stored[name], environment: environment, now: now)
    }
  }

  private static func sinks(
    _ path: String, _ setups: SinkSetups
  ) throws(LibreError) -> [(sink: StoredSink, runs: [StoredRun])] {
    let known = try libre(StoreFile.openIfPresent(path)?.sinksWithRuns()) ?? []
    guard !known.isEmpty else { return [] }
    do throws(StoreError) {
      let store = try SensorStore(path, for: .writing, lockTimeoutSeconds: 1)
      try store.fillOutboxes(setups)
      return try store.sinksWithRuns()
    } catch {
      return known
    }
  }
}

extension SensorStore {
  fileprivate func sinksWithRuns() throws(StoreError) -> [(sink: StoredSink, runs: [StoredRun])] {
    try sinks().map { sink throws(StoreError) in (sink, try runs(of: sink.id)) }
  }
}
