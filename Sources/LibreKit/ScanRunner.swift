// SPDX-License-Identifier: Apache-2.0
import Synchronization

package final class ScanRunner: Sendable {
  /// The maximum number of consecutive resumes without a new block, as with a sensor at the edge of the field.
  static let maximumFailedResumes = 3

  private let reader: RetryingReader
  private let limit: Duration
  private let deadline: ContinuousClock.Instant
  private let onEvent: @Sendable (ScanEvent) -> Void
  private let state = Mutex(State())

  private struct State {
    var scan = Scan()
    var taps = 0
    var firstTap: ContinuousClock.Instant?
  }

  /// Waits for a sensor on `reader` and reads it. Does not throw: the report contains a failure, and the blocks read
  /// before it. Exchanges are repeated according to `policy`. After the loss of a sensor, or without its response, the
  /// scan waits for it and continues. It ends with the first loss if the sensor is not back within `limit` of the call,
  /// or if several consecutive taps give no block; any other failure ends it at once. The image's time is that of the
  /// last response, from the recording or else from `now`.
  package static func run(
    on reader: any TagReader, limit: Duration, retrying policy: RetryPolicy = .standard,
    now: @Sendable () -> Instant, onEvent: @escaping @Sendable (ScanEvent) -> Void = { _ in }
  ) async -> ScanReport {
    let metering = MeteringReader(reader)
    let runner = ScanRunner(reader: RetryingReader(metering, policy: policy), limit: limit, onEvent: onEvent)
    var failure: TransportError? = await reader.run({ await runner.failure() }, rescue: { $0 })
    if failure != nil, Task.isCancelled { failure = .cancelled }
    let recording = await reader.asHostReader?.recording
    let state = runner.state.withLock { $0 }
    let memory = state.scan.memory(readAt: recording.map(\.at) ?? now())
    return ScanReport(
      memory: memory, layout: state.scan.layout(of: memory), failure: failure, reader: await reader.description,
      isRecorded: recording != nil, taps: state.taps, meter: await metering.meter,
      elapsed: state.firstTap.map { .now - $0 } ?? .zero)
  }

  private init(reader: RetryingReader, limit: Duration, onEvent: @escaping @Sendable (ScanEvent) -> Void) {
    (self.reader, self.limit, self.onEvent) = (reader, limit, onEvent)
    deadline = .now + limit
  }

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
    state.withLock { ($0.taps, $0.firstTap) = (1, .now) }
    onEvent(.started)
    var failedResumes = 0
    var firstLoss: TransportError?
    while let (loss, readBlocks) = try await ask() {
      let reported = readBlocks ? loss : firstLoss ?? loss
      let lostAt = ContinuousClock.now
      if readBlocks { failedResumes = 0 }
      guard failedResumes < Self.maximumFailedResumes, lostAt < deadline else { throw reported }
      failedResumes += 1
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

  /// Sends requests until the scan is complete (nil) or the sensor is lost; also tells if a block was read before.
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

package enum ScanEvent: Hashable, Sendable {
  case waiting
  case started
  /// Blocks were read, out of the number known so far, which may grow for a Libre Pro.
  case progress(blocksRead: Int, of: Int)
  case lost(blocksRead: Int, of: Int)
}

package struct ScanReport: Sendable {
  package let memory: CheckedMemory
  let layout: any SensorLayout
  package let failure: TransportError?
  package let reader: ReaderDescription
  /// True for a replayed recording, which also gives the time of the image, if known.
  package let isRecorded: Bool
  package let taps: Int
  package let meter: ExchangeMeter
  package let elapsed: Duration

  package var image: MemoryImage { memory.image }

  package var readAtSource: ReadTimeSource {
    guard isRecorded else { return .clock }
    return image.readAt == nil ? .unknown : .file
  }
}
