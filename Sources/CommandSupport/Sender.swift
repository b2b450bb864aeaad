// SPDX-License-Identifier: Apache-2.0
import HostSystem
import LibreDocuments
package import LibreKit
package import SampleSync
import SensorHistory
import TextFormats

/// Sends from the store to sinks, for `sync`, `read` and `watch`.
package struct Sender {
  /// The stream for events, and the events that it gets.
  package enum Output {
    /// Standard error.
    case text
    /// Standard output, one per line.
    case json
    /// Standard error, without "nothing to send": a daemon checks every half minute.
    case changes
    /// Standard error, failures only.
    case failures
  }

  private let session: Session
  private let path: String
  private let output: Output
  /// True if configured sinks without an outbox in this store get one.
  private let enrols: Bool
  /// The person's name before each line, if several people are known.
  private let person: String?
  private let open = OpenCouriers()

  package init(session: Session, path: String, output: Output, enrols: Bool, person: String? = nil) {
    (self.session, self.path, self.output, self.enrols, self.person) = (session, path, output, enrols, person)
  }
  private let lastReport = LastReport()

  /// The last report, so that repeated attempts with the same failure are reported once.
  private final class LastReport {
    /// The last line of each sink.
    var lines: [String: String] = [:]
    var sink = ""
    /// The earliest next attempt that was reported in this round.
    var next: Instant?
    /// True if an attempt for that sink failed.
    var hasFailed = false
    /// The error that ended the last round of a daemon.
    var roundError: LibreError?
  }

  package func close() async { await open.closeAll() }

  /// Seconds until the earliest next attempt that a round reported; infinite without one that is ahead.
  package var secondsToNext: Double {
    let (next, now) = (lastReport.next?.secondsSince1970 ?? 0, LocalTime.now.secondsSince1970)
    return next > now ? Double(next - now) : .infinity
  }

  /// Runs one round and returns the exit status.
  /// - Throws: errors that stop sending to all sinks: the store, or another libre that is sending.
  package func send(
    to sinks: [(name: String, setup: Result<SinkSetup, LibreError>)], urgency: Sync.Urgency, lockSeconds: Double,
    keepsOpen: Bool = false
  ) async throws(LibreError) -> Int32 {
    guard let lock = try await Self.lock(of: path, seconds: lockSeconds) else {
      if Task.isCancelled { return SignalHandler.exitStatus }
      throw .sink(.beingSent(path: path))
    }
    defer { withExtendedLifetime(lock) {} }
    lastReport.next = nil
    let store = try Session.openForWriting(path)
    var worst: Int32 = 0
    var good: [SinkSetup] = []
    for (name, setup) in sinks {
      do throws(LibreError) {
        let setup = try setup.get()
        session.log(setup)
        if enrols { try store.enrol(setup, environment: session.environment, now: LocalTime.now) }
        good.append(setup)
      } catch {
        if error.cause is StoreError { throw error }
        try report(
          SyncEvent(
            sink: name, at: LocalTime.now, kind: .failed(batch: nil, .misdirected, reason: error.message, rejected: [])),
          error)
        worst = max(worst, error.exitStatus)
      }
    }
    let sync = Sync(environment: session.environment, courier: { [session] in session.courier(to: $0, of: $1) }) {
      event throws(LibreError) in try report(event, nil)
    }
    let result = try await sync.send(to: good, from: store, urgency: urgency, keeping: keepsOpen ? open : nil)
    return max(worst, result.exitStatus)
  }

  /// Takes the lock of the file `STORE-sync`, which keeps two processes from sending from one store: receivers without
  /// unique keys would get samples twice. nil if another process holds it for longer, or the task is cancelled.
  private static func lock(of store: String, seconds: Double) async throws(LibreError) -> FileLock? {
    // Resolve links: different paths may lead to the same store.
    let lock = try libre(FileLock("\(FileSystem.resolved(store))-sync"))
    var waited = 0.0
    while !lock.take() {
      guard waited < seconds, (try? await Task.sleep(for: .milliseconds(100))) != nil else { return nil }
      waited += 0.1
    }
    return lock
  }

  /// Runs one round of a daemon. Its errors are reported, and the next round tries again.
  package func round(withSinksNamed names: [String]) async throws(LibreError) {
    do throws(LibreError) {
      let file = try ConfigurationFile.load(environment: session.environment)
      await open.closeAll(but: Set(file?.sinkSetups().keys.map(\.self) ?? []))
      let sinks = try ConfigurationFile.sinks(of: file, named: names)
      if FileSystem.exists(path) {
        _ = try await send(to: sinks, urgency: .waits, lockSeconds: 0, keepsOpen: true)
      }
      lastReport.roundError = nil
    } catch {
      if error.isOfStandardOutput { throw error }
      // Reported once, not every half minute.
      if error != lastReport.roundError {
        switch error.sinkError {
        case .beingSent: break
        // Of several people, one may have no sinks.
        case .noSinks where person != nil: break
        case .noSinks:
          Session.notify("\(error.message) yet; waiting for one", resolution: error.resolution)
        default: Session.report(error, subject: person)
        }
      }
      lastReport.roundError = error
    }
  }

  private var prefix: String { person.map { "\($0): " } ?? "" }

  private func report(_ event: SyncEvent, _ error: LibreError?) throws(LibreError) {
    switch event.kind {
    case .retryScheduled(let next, _, _), .waitsForInterval(_, let next):
      lastReport.next = min(lastReport.next ?? next, next)
    default: break
    }
    switch output {
    case .json:
      try session.writeLine { SyncJSON.write(event, person: person, to: &$0) }
      if let error { Session.report(error, subject: prefix + event.sink) }
    case .text, .changes, .failures:
      guard isReported(event) else { return session.log(event) }
      if let error { return Session.report(error, subject: prefix + event.sink) }
      let line = SyncText.line(for: event)
      guard lastReport.lines.updateValue(line, forKey: event.sink) != line else { return }
      Session.notify(
        prefix + SyncText.words(for: event), level: event.isFailure ? .warning : .notice,
        resolution: SyncText.resolution(for: event),
        [("sink", .text(event.sink)), ("event", .text(event.kind.name))])
    }
  }

  /// While a sensor is read only new failures are reported: a disabled sink would be repeated at every tap.
  private func isReported(_ event: SyncEvent) -> Bool {
    if event.sink != lastReport.sink { (lastReport.sink, lastReport.hasFailed) = (event.sink, false) }
    if case .failed = event.kind { lastReport.hasFailed = true }
    if event.isFailure { return output != .failures || lastReport.hasFailed }
    if session.isQuiet || output == .failures { return false }
    return output == .text || event.kind != .nothingToSync
  }
}

/// Sends new samples while sensors are read, so that a slow receiver delays no read.
package final class BackgroundSender: Sendable {
  private let requests: AsyncStream<Void>.Continuation
  private let task: Task<Void, Never>

  package init(_ session: Session, path: String, enrols: Bool) {
    // One queued round is enough: it sends everything stored before it.
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    requests = continuation
    task = Task {
      let sender = Sender(session: session, path: path, output: .failures, enrols: enrols)
      var alarm: Task<Void, Never>?
      for await _ in stream {
        alarm?.cancel()
        await Self.send(with: sender, session)
        let seconds = sender.secondsToNext
        // Values that wait are sent when they are due, even if no sensor is read then.
        alarm = seconds.isFinite ? Task { if await SyncTools.real.sleep(seconds) { continuation.yield() } } : nil
      }
      alarm?.cancel()
      await sender.close()
    }
  }

  package func send() { requests.yield() }

  /// Waits for the requested rounds; false if the time limit ended them.
  package func finish(within limit: Duration) async -> Bool {
    requests.finish()
    let limiter = Task { [task] in
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      task.cancel()
    }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    limiter.cancel()
    return !task.isCancelled
  }

  /// Sends to the sinks with an outbox in this store; in the user's own store also to newly configured ones. Failures
  /// are only reported: the reading is stored, and unsent samples stay in the outbox.
  private static func send(with sender: Sender, _ session: Session) async {
    do throws(LibreError) {
      // Loaded for each round, because watch may run for weeks.
      let sinks = try ConfigurationFile.load(environment: session.environment)?.sinkSetups() ?? [:]
      guard !sinks.isEmpty else { return }
      // Standard output belongs to the reading.
      let quiet = sinks.sorted { $0.key < $1.key }.filter {
        (try? $0.value.get())?.writesToStandardOutput != true
      }
      _ = try await sender.send(to: quiet.map { ($0.key, $0.value) }, urgency: .waits, lockSeconds: 0, keepsOpen: true)
    } catch {
      // The other libre process sends these samples too.
      if case .beingSent = error.sinkError { return }
      Session.report(error)
    }
  }
}
