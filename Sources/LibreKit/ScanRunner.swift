// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import NFCTransport
import Synchronization

/// Carries a scan's questions to a reader and the answers back, over as many taps as it takes.
public final class ScanRunner: Sendable {
  /// Resumes in a row that brought no block, after which a sensor is given up: it is there, but at the edge of the field.
  static let vainResumes = 3

  private let reader: RetryingReader
  private let limit: Duration
  private let deadline: ContinuousClock.Instant
  private let onEvent: @Sendable (ScanEvent) -> Void
  /// Looked at from elsewhere if the reader never comes back.
  private let state = Mutex(State())

  private struct State {
    var scan = Scan()
    var taps = 0
    var firstTap: ContinuousClock.Instant?
  }

  /// Waits for a sensor on `reader` and reads it. Never throws: what was read until something failed is in the report.
  ///
  /// Exchanges are repeated as `policy` says. A sensor that is lost, or keeps silent, is waited for again and read on. If it
  /// is not back within `limit` of the call, or is back and shows no block several times in a row, the scan ends with why
  /// and where it was lost; any other failure ends it at once. The image's time is that of its last answer: as recorded
  /// with it, else what `now` gives.
  public static func run(
    on reader: any TagReader, limit: Duration, retrying policy: RetryPolicy = .standard,
    now: @Sendable () -> Instant, onEvent: @escaping @Sendable (ScanEvent) -> Void = { _ in }
  ) async -> ScanReport {
    let metering = MeteringReader(reader)
    let runner = ScanRunner(reader: RetryingReader(metering, policy: policy), limit: limit, onEvent: onEvent)
    var failure: TransportError? = await reader.run({ await runner.failure() }, rescue: { $0 })
    if failure != nil, Task.isCancelled { failure = .cancelled }
    let recording = await reader.recording
    let state = runner.state.withLock { $0 }
    return ScanReport(
      image: state.scan.image(readAt: recording.map(\.at) ?? now()), failure: failure, reader: await reader.description,
      isRecorded: recording != nil, taps: state.taps, meter: await metering.meter,
      elapsed: state.firstTap.map { .now - $0 } ?? .zero)
  }

  private init(reader: RetryingReader, limit: Duration, onEvent: @escaping @Sendable (ScanEvent) -> Void) {
    self.reader = reader
    self.limit = limit
    self.onEvent = onEvent
    deadline = .now + limit
  }

  /// Scans; why it was broken off, or nil.
  private func failure() async -> TransportError? {
    do throws(TransportError) {
      try await scan()
      return nil
    } catch {
      return error
    }
  }

  private func scan() async throws(TransportError) {
    onEvent(.waiting)
    try await reader.waitForTag(within: limit)
    state.withLock { state in
      state.taps = 1
      state.firstTap = .now
    }
    onEvent(.started)
    var vain = 0
    var firstLoss: TransportError?
    while let (loss, readBlocks) = try await ask() {
      let reported = readBlocks ? loss : firstLoss ?? loss
      let lostAt = ContinuousClock.now
      if readBlocks { vain = 0 }
      guard vain < Self.vainResumes, lostAt < deadline else { throw reported }
      vain += 1
      firstLoss = reported
      let (read, all) = blocks
      onEvent(.lost(blocksRead: read, of: all))
      do throws(TransportError) {
        try await reader.waitForTag(within: deadline - lostAt)
      } catch {
        throw error == .noTag ? reported : error
      }
      state.withLock { state in
        state.taps += 1
        state.scan.resume(after: .now - lostAt)
      }
    }
  }

  /// Asks until all is answered, or until the sensor is lost: why, and whether it showed a block until then.
  private func ask() async throws(TransportError) -> (loss: TransportError, readBlocks: Bool)? {
    var readBlocks = false
    while let request = state.withLock({ $0.scan.next() }) {
      do throws(TransportError) {
        let response = try await reader.response(to: request)
        try state.withLock { state throws(TransportError) in try state.scan.feed(response) }
      } catch {
        if case .tagLost = error { return (error, readBlocks) }
        if case .tagSilent = error { return (error, readBlocks) }
        throw error
      }
      guard request.blocks != nil else { continue }
      readBlocks = true
      let (read, all) = blocks
      onEvent(.progress(blocksRead: read, of: all))
    }
    return nil
  }

  private var blocks: (read: Int, all: Int) { state.withLock { ($0.scan.blocksRead, $0.scan.blockCount) } }
}

/// What a scan is doing, for who wants to show it.
public enum ScanEvent: Hashable, Sendable {
  /// For a sensor to come.
  case waiting
  /// A sensor is there.
  case started
  /// So many blocks have been read, of as many as the memory is known to have by then: a Libre Pro tells it late.
  case progress(blocksRead: Int, of: Int)
  /// The sensor is gone, and awaited again.
  case lost(blocksRead: Int, of: Int)
}
