// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import LibreDocuments
import LibreKit
import SampleStore
import SampleSync
import TextFormats

/// Sends from the store to sinks, for `sync`, `read` and `watch`.
struct Sender {
  /// Where events are told.
  enum Output {
    /// Standard error.
    case text
    /// Standard output, one a line.
    case json
    /// Standard error, but not that there is nothing to send: a daemon looks every half a minute.
    case changes
    /// Standard error, and only what has gone wrong.
    case troubles
  }

  private let session: Session
  private let path: String
  private let output: Output
  /// Whether sinks that are set up and have no outbox in this store get one.
  private let enrols: Bool
  private let open = OpenCouriers()
  private let told = Told()

  /// What was told last: three attempts that fail alike are one thing to know.
  private final class Told {
    var line = ""
    var sink = ""
    /// Of that sink.
    var hasFailed = false
  }

  init(_ session: Session, path: String, output: Output, enrols: Bool) {
    self.session = session
    self.path = path
    self.output = output
    self.enrols = enrols
  }

  func close() async { await open.closeAll() }

  /// One round; the exit status.
  ///
  /// Throws what keeps any sink from being sent to: the store, or another libre that is sending.
  func send(
    to sinks: [(name: String, setup: Result<SinkSetup, LibreError>)], urgency: Sync.Urgency, lockSeconds: Double,
    keepsOpen: Bool = false
  ) async throws(LibreError) -> Int32 {
    guard let lock = try await SyncLock.take(of: path, timeoutSeconds: lockSeconds) else {
      if Task.isCancelled { return SignalHandler.exitStatus }
      throw .sink(.beingSent(path: path))
    }
    defer { withExtendedLifetime(lock) {} }
    let store = try StoreFile.openForWriting(path)
    var worst: Int32 = 0
    var good: [SinkSetup] = []
    for (name, setup) in sinks {
      do throws(LibreError) {
        let setup = try setup.get()
        session.log(setup)
        if enrols { try store.enrol(setup, environment: Session.environment, now: LocalTime.now) }
        good.append(setup)
      } catch {
        if case .store = error { throw error }
        try tell(
          SyncEvent(
            sink: name, at: LocalTime.now, kind: .failed(batch: nil, .misdirected, reason: error.message, rejected: [])),
          error)
        worst = max(worst, error.exitStatus)
      }
    }
    let sync = Sync(environment: Session.environment, courier: { [session] in session.courier(to: $0, of: $1) }) {
      event throws(LibreError) in try tell(event, nil)
    }
    let result = try await sync.send(to: good, from: store, urgency: urgency, keeping: keepsOpen ? open : nil)
    return max(worst, result.exitStatus)
  }

  /// Round after round, until it is interrupted. Trouble with the store or the configuration, which is read anew each
  /// time, is told and outlived.
  func stay(withSinksNamed names: [String], interval: Double) async throws(LibreError) -> Int32 {
    var reported: LibreError?
    while !Task.isCancelled {
      do throws(LibreError) {
        let file = try ConfigurationFile.load(environment: Session.environment)
        await open.closeAll(but: Set(file?.sinkSetups().keys.map(\.self) ?? []))
        let sinks = try ConfigurationFile.sinks(of: file, named: names)
        if FileSystem.exists(path) {
          _ = try await send(to: sinks, urgency: .waits, lockSeconds: 0, keepsOpen: true)
        }
        reported = nil
      } catch {
        // Standard output is gone, and nobody listens.
        if case .output(let failure) = error, failure.isStandardOutput { throw error }
        // Once, not every half a minute.
        if error != reported, error != .sink(.beingSent(path: path)) { Session.report(error) }
        reported = error
      }
      guard await SyncTools.real.sleep(interval) else { break }
    }
    return SignalHandler.exitStatus
  }

  private func tell(_ event: SyncEvent, _ error: LibreError?) throws(LibreError) {
    switch output {
    case .json:
      try session.writeLine { SyncJSON.write(event, to: &$0) }
      if let error { Session.report(error, subject: event.sink) }
    case .text, .changes, .troubles:
      guard isWorthTelling(event) else { return session.log(event) }
      if let error { return Session.report(error, subject: event.sink) }
      let line = SyncText.line(for: event)
      guard line != told.line else { return }
      told.line = line
      Session.tell(
        SyncText.words(for: event), level: event.isTrouble ? .warning : .notice,
        resolution: SyncText.resolution(for: event),
        [("sink", .text(event.sink)), ("event", .text(event.kind.name))])
    }
  }

  /// Beside a reading only what has just gone wrong: that a sink is disabled, or waits, is no news at every tap.
  private func isWorthTelling(_ event: SyncEvent) -> Bool {
    if event.sink != told.sink { (told.sink, told.hasFailed) = (event.sink, false) }
    if case .failed = event.kind { told.hasFailed = true }
    if event.isTrouble { return output != .troubles || told.hasFailed }
    if session.isQuiet || output == .troubles { return false }
    return output == .text || event.kind != .nothingToSync
  }
}
