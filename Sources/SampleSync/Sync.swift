// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem
package import LibreKit
package import SampleStore

/// Result of sending to a sink; for several sinks, the last one in this order.
package enum SyncResult: String, Hashable, Sendable, Comparable, CaseIterable {
  /// Everything is delivered or parked, or nothing was queued.
  case done
  case unequipped
  /// Samples stay queued for another attempt.
  case queued
  case refused
  /// The address or the configuration must be corrected first.
  case misdirected
  case interrupted

  package static func < (left: SyncResult, right: SyncResult) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
  }
}

package struct SyncTools: Sendable {
  package var now: @Sendable () -> Instant
  /// Waits for the given seconds; false if the task was cancelled meanwhile.
  package var sleep: @Sendable (Double) async -> Bool
  /// Random number 0 ..< 1, for the jitter.
  package var random: @Sendable () -> Double

  package static let real = SyncTools(
    now: { LocalTime.now }, sleep: { (try? await Task.sleep(for: .seconds($0))) != nil },
    random: { Double.random(in: 0..<1) })
}

/// Sends the queues of sinks, and reports events. Libraries do not print: `report` does.
package struct Sync {
  package enum Urgency: Sendable {
    /// Waits for it: automatic sending.
    case waits
    /// Ignores our own waits after a failure, but respects the receiver's, and the user's interval.
    case hurries
    case insists
    /// Ignores every wait, and tries once: a program decides when it sends to its own receiver.
    case asksOnce
  }

  private let tools: SyncTools
  private let environment: [String: String]
  private let courier: @Sendable (DeliveryRoute, SinkSetup) -> any Courier
  private let report: (SyncEvent) throws(LibreError) -> Void

  package init(
    tools: SyncTools = .real, environment: [String: String],
    courier: @escaping @Sendable (DeliveryRoute, SinkSetup) -> any Courier,
    report: @escaping (SyncEvent) throws(LibreError) -> Void
  ) {
    (self.tools, self.environment, self.courier, self.report) = (tools, environment, courier, report)
  }

  /// Sends to one sink after the other and returns the worst result. A failing sink does not affect others. `open`
  /// keeps couriers and connections for the next call; without it they are closed at once.
  package nonisolated(nonsending) func send(
    to setups: [SinkSetup], from store: SensorStore, urgency: Urgency, keeping open: OpenCouriers? = nil
  ) async throws(LibreError) -> SyncResult {
    var worst = SyncResult.done
    for setup in setups {
      if Task.isCancelled { return .interrupted }
      worst = max(worst, try await send(to: setup, from: store, urgency, open))
    }
    return worst
  }

  private nonisolated(nonsending) func send(
    to setup: SinkSetup, from store: SensorStore, _ urgency: Urgency, _ open: OpenCouriers?
  ) async throws(LibreError) -> SyncResult {
    let report: (SyncEvent.Kind) throws(LibreError) -> Void = { kind throws(LibreError) in
      try self.report(SyncEvent(sink: setup.name, at: tools.now(), kind: kind))
    }
    func end(_ result: SyncResult, _ kind: SyncEvent.Kind) throws(LibreError) -> SyncResult {
      try report(kind)
      return result
    }
    guard let stored = try libre(store.sink(setup.name)) else {
      return try end(.done, .paused(reason: "it is not enrolled in this store yet"))
    }
    guard setup.isEnabled else { return try end(.done, .paused(reason: SinkSetup.switchedOff)) }
    if let stop = stored.stop {
      return try end(stop.origin == .user ? .done : .refused, .paused(reason: stop.reason))
    }
    guard stored.receiver == setup.receiver else {
      let reason = "it was enrolled for \(stored.receiver), but is now configured for \(setup.receiver)"
      return try end(.misdirected, .paused(reason: reason))
    }
    let next = stored.nextAttempt(by: setup, after: tools.now())
    let wait = next.flatMap { urgency.keeps($0, isInterval: stored.failures == 0) ? $0 : nil }
    if let wait, stored.failures > 0 {
      return try end(.queued, .retryScheduled(wait.at, isAsked: wait.isAsked, reason: stored.lastError))
    }
    // Before asking for its secret.
    let (queued, retracted) = try SinkRun.fill(stored, setup, in: store)
    guard queued + retracted > 0 else { return try end(.done, .nothingToSync) }
    if let wait { return try end(.done, .waitsForInterval(queued, until: wait.at)) }
    let (sink, person): (any SampleSink, String?)
    do throws(LibreError) {
      (sink, person) = (try setup.sink(environment: environment), try setup.person(environment: environment))
    } catch {
      return try end(
        error.isOfSecret ? .refused : .misdirected,
        .failed(batch: nil, .misdirected, reason: error.message, rejected: []))
    }
    let courier = await open?.courier(for: setup) { self.courier(sink.route, setup) } ?? self.courier(sink.route, setup)
    var run = SinkRun(
      setup, sink, enrolled: stored, in: store, courier: courier, person: person, tools: tools,
      tries: urgency.tries,
      secretOrigin: setup.type.secret == .none ? nil : setup.secretOrigin(environment: environment), report: report)
    do throws(LibreError) {
      let result = try await run.run()
      // Close a failed connection: the next one may use another secret.
      if open == nil { await courier.close() } else if result != .done { await open?.close(setup.name) }
      return result
    } catch {
      if open == nil { await courier.close() }
      throw error
    }
  }
}

extension StoredSink {
  /// Returns the next attempt, if it is still ahead: after a failure the one that was scheduled then, else that by the
  /// sink's interval. nil also for an impossible time: the clock was ahead then, or has been set back since.
  package func nextAttempt(by setup: SinkSetup?, after now: Instant) -> Retry? {
    var (next, longest) = (retry, retry?.isAsked == true ? StatusVerdict.maximumWait : RetryBackoff.maximumWait)
    if failures == 0, stop == nil, let setup, setup.isEnabled, let lastSuccessAt {
      next = Retry(at: lastSuccessAt.adding(minutes: setup.intervalMinutes), isAsked: false)
      longest = setup.intervalMinutes * 60
    }
    guard let next, next.at > now, next.at.secondsSince1970 - now.secondsSince1970 <= Int64(longest) else { return nil }
    return next
  }
}

extension Sync.Urgency {
  fileprivate var tries: Int {
    switch self {
    case .waits, .asksOnce: 1
    case .hurries, .insists: RetryBackoff.foregroundAttempts
    }
  }

  fileprivate func keeps(_ wait: StoredSink.Retry, isInterval: Bool) -> Bool {
    switch self {
    case .waits: true
    case .hurries: wait.isAsked || isInterval
    case .insists, .asksOnce: false
    }
  }
}

/// Couriers whose connections outlive a round: a broker shows us as online while we are connected.
package final class OpenCouriers {
  private var couriers: [String: (section: SinkSection, courier: any Courier)] = [:]
  package init() {}

  nonisolated(nonsending) func courier(for setup: SinkSetup, _ make: () -> any Courier) async -> any Courier {
    if let open = couriers[setup.name] {
      if open.section == setup.section { return open.courier }
      await open.courier.close()
    }
    let courier = make()
    couriers[setup.name] = (setup.section, courier)
    return courier
  }

  nonisolated(nonsending) func close(_ name: String) async { await couriers.removeValue(forKey: name)?.courier.close() }

  /// Closes the couriers of sinks that no longer exist.
  package nonisolated(nonsending) func closeAll(but names: Set<String> = []) async {
    for name in couriers.keys where !names.contains(name) { await close(name) }
  }
}
