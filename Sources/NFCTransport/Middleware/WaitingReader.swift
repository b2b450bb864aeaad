// SPDX-License-Identifier: Apache-2.0

/// A reader that may be plugged in later, unplugged, and come back. What is wrong meanwhile is reported once.
package actor WaitingReader: HostReader {
  package enum Event: Hashable, Sendable {
    /// It waits until this has changed.
    case waits(TransportError)
    case ready(ReaderDescription)
  }

  private let backend: any ReaderBackend
  private let address: ReaderAddress
  private let onEvent: @Sendable (Event) -> Void
  private let clock: any Clock<Duration>
  private var reader: (any TagReader)?
  /// The error that ended the use of the last reader; nil before, and once it is reported.
  private var loss: TransportError?
  /// The last report since a reader was there.
  private var reported: TransportError?
  /// True if a reader was open once: permission to use one was given.
  private var wasOpen = false
  /// The number of failures of a reader that is there, since a tag answered last.
  private var failures = 0
  /// True if the reader has just failed: the same would fail again at once.
  private var needsRest = false
  private var isClosed = false

  package init(
    _ backend: any ReaderBackend, at address: ReaderAddress, clock: any Clock<Duration> = ContinuousClock(),
    onEvent: @escaping @Sendable (Event) -> Void
  ) {
    self.backend = backend
    self.address = address
    self.onEvent = onEvent
    self.clock = clock
  }

  package var description: ReaderDescription {
    get async {
      if let reader { return await reader.description }
      return ReaderDescription(address: address.description, name: "unknown", dialect: "unknown")
    }
  }

  package var recording: Recording? { get async { await reader?.asHostReader?.recording } }
  package var ownThread: (any ReaderThreading)? { get async { await reader?.asHostReader?.ownThread } }

  /// Waits for a reader as long as it takes, then for a tag. Throws also what another reader would not change.
  package func waitForTag(within timeout: Duration) async throws(TransportError) {
    let end = ContinuousClock.now + timeout
    while true {
      if needsRest { try await rest() }
      let reader = try await opened()
      // A better reader may have come meanwhile.
      let limit = address == .automatic ? min(timeout, Self.longestUseUnasked) : timeout
      do throws(TransportError) {
        return try await reader.waitForTag(within: min(limit, max(.zero, end - .now)))
      } catch .noTag where .now < end {
        await drop(for: nil)
      } catch {
        guard error.scope == .reader else { throw error }
        await drop(for: error)
        if !error.isAbsence {
          report(error)
          fail()
        }
      }
    }
  }

  /// The time for which a reader that was chosen automatically is used without a sensor, before another choice.
  private static let longestUseUnasked = Duration.seconds(60)

  private func fail() {
    failures += 1
    needsRest = true
  }

  /// Leaves a reader alone that failed: 5 seconds, twice as long after each further failure, at most 5 minutes.
  private func rest() async throws(TransportError) {
    await drop(for: nil)
    needsRest = false
    let seconds = min(300, 5 << min(failures - 1, 6))
    do { try await clock.sleep(for: .seconds(seconds)) } catch { throw .cancelled }
  }

  package func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    guard let reader else { throw .noTag }
    do {
      let answer = try await reader.exchange(request)
      failures = 0
      return answer
    } catch {
      if error.scope == .reader {
        // Whoever asked reports it.
        reported = error
        if error.isAbsence { await drop(for: error) } else { fail() }
      }
      throw error
    }
  }

  /// Returns also when the reader is gone: then nothing lies on it.
  package func waitForRemoval() async throws(TransportError) {
    do {
      try await reader?.waitForRemoval()
    } catch {
      guard error.scope == .reader else { throw error }
      await drop(for: error)
    }
  }

  package func close() async {
    isClosed = true
    await drop(for: nil)
  }

  private func drop(for error: TransportError?) async {
    let reader = reader.take()
    if error != nil { loss = error }
    await reader?.close()
  }

  // MARK: Opening

  private func opened() async throws(TransportError) -> any TagReader {
    if let reader { return reader }
    if let reader = try await attempt(reports: false) { return reader }
    for await _ in backend.changes() {
      if let reader = try await attempt(reports: true) { return reader }
    }
    throw Task.isCancelled || isClosed ? .cancelled : reported ?? .noReader
  }

  /// Returns the reader if it is there. Throws what waiting does not change.
  private func attempt(reports: Bool) async throws(TransportError) -> (any TagReader)? {
    if Task.isCancelled || isClosed { throw .cancelled }
    do throws(TransportError) {
      let opened = try await backend.open(address)
      // Closed meanwhile.
      if isClosed {
        await opened.close()
        throw .cancelled
      }
      reader = opened
      wasOpen = true
      loss = nil
      if reported.take() != nil { onEvent(.ready(await opened.description)) }
      return opened
    } catch {
      guard error.scope == .reader, !error.isRefusal || wasOpen else { throw error }
      if reports { report(error) }
      return nil
    }
  }

  private func report(_ error: TransportError) {
    // How the reader went says more than its absence.
    let cause = error.isAbsence ? loss ?? error : error
    if !error.isAbsence { loss = nil }
    if cause == reported { return }
    reported = cause
    onEvent(.waits(cause))
  }
}
