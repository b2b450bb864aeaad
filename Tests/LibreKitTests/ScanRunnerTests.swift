// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreKit
import NFCTransport
import Synchronization
import Testing

@Suite("A scan on a reader")
struct ScanRunnerTests {
  private static let readAt = Instant(secondsSince1970: 1_795_000_000)
  private let memory = ScannedMemory()

  private func tag(_ faults: [Int: SimulatedTag.Fault] = [:]) -> SimulatedTag {
    SimulatedTag(memory: memory.bytes, uid: ScannedMemory.uid, patchInfo: ScannedMemory.patchInfo, faults: faults)
  }

  private func scan(
    _ reader: any TagReader, limit: Duration = .seconds(60), policy: RetryPolicy = .standard,
    onEvent: @escaping @Sendable (ScanEvent) -> Void = { _ in }
  ) async -> ScanReport {
    await ScanRunner.run(on: reader, limit: limit, retrying: policy, now: { Self.readAt }, onEvent: onEvent)
  }

  @Test("returns memory, UID, patch info, time and effort in one call")
  func wholeRead() async {
    let tag = tag()
    let report = await scan(tag)
    #expect(report.failure == nil)
    #expect(report.image == memory.image(readAt: Self.readAt))
    #expect(report.reader == tag.description)
    #expect(report.taps == 1)
    #expect(!report.isRecorded)
    #expect(report.meter.exchanges == 17)
    #expect(report.meter.blockReads == 15)
    // 160.1 ms for the blocks, 6.2 for the UID and 5.3 for the patch info (NFCTransport/ReadingOverTheAir, "Timing").
    #expect(abs(report.meter.airTime / .milliseconds(1) - 171.6) < 0.15)
    #expect(report.elapsed > .zero)
  }

  @Test("uses the read time of a recording")
  func recording() async {
    let recordedAt = Instant(secondsSince1970: 1_700_000_000)
    let report = await scan(ListeningReader(tag(), recordedAt: recordedAt))
    #expect(report.image.readAt == recordedAt)
    #expect(report.isRecorded)
  }

  @Test("reports its progress")
  func events() async {
    let events = Mutex<[ScanEvent]>([])
    let faults: [Int: SimulatedTag.Fault] = [1: .silence, 6: .removal(returns: true)]
    _ = await scan(tag(faults)) { event in events.withLock { $0.append(event) } }
    let counts = Array(stride(from: 3, through: 39, by: 3)) + [40, 43]
    let progress = counts.map { ScanEvent.progress(blocksRead: $0, of: 43) }
    let lost = ScanEvent.lost(blocksRead: 6, of: 43)
    let expected: [ScanEvent] = [.waiting, .started] + progress.prefix(2) + [lost] + progress.dropFirst(2)
    #expect(events.withLock { $0 } == expected)
  }

  // MARK: A sensor that is lost

  @Test("reports the block at which a sensor was lost for good, and keeps the data", arguments: 1...17)
  func goneForGood(exchange: Int) async {
    let blocks: [Int?] = [nil, 0, nil, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 40]
    let report = await scan(tag([exchange: .removal(returns: false)]))
    #expect(report.failure == .tagLost(block: blocks[exchange - 1]))
    #expect(report.meter.exchanges == exchange)
    #expect(report.image.missingBlocks.first == (exchange < 3 ? 0 : blocks[max(exchange - 1, 3)]))
    #expect(report.image.uid == (exchange == 1 ? nil : ScannedMemory.uid))
    #expect(report.taps == 1)
  }

  @Test("asks for the missing blocks only when a sensor comes back", arguments: 1...17)
  func comesBack(exchange: Int) async {
    let reader = ListeningReader(tag([exchange: .removal(returns: true)]))
    let report = await scan(reader)
    #expect(report.failure == nil)
    #expect(report.image == memory.image(readAt: Self.readAt))
    #expect(report.taps == 2)
    let rest = exchange == 1 ? Frames.whole : Frames.inventory + Frames.whole.dropFirst(exchange - 1)
    #expect(await reader.frames == Frames.whole.prefix(exchange) + rest)
  }

  @Test("starts again if another sensor comes back")
  func otherSensor() async {
    let first = memory.image()
    var second = ScannedMemory(age: 77, trendIndex: 1).image()
    second.uid = SensorUID(bits: 0xE007_A000_0000_1234)
    let reader = ListeningReader(
      SimulatedTag(faults: [9: .removal(returns: true)]) { [second] in $0 < 9 ? first : second })
    let report = await scan(reader)
    second.readAt = Self.readAt
    #expect(report.failure == nil)
    #expect(report.image == second)
    #expect(await reader.frames == Frames.whole.prefix(9) + Frames.whole)
  }

  @Test("does not wait for a lost sensor after the time is over")
  func timeOver() async {
    let report = await scan(tag([9: .removal(returns: true)]), limit: .zero)
    #expect(report.failure == .tagLost(block: 18))
    #expect(report.taps == 1)
  }

  @Test("gives up a silent sensor and reports where it fell silent first")
  func silent() async {
    let faults = Dictionary(uniqueKeysWithValues: (9...999).map { ($0, SimulatedTag.Fault.silence) })
    let report = await scan(tag(faults))
    #expect(report.failure == .tagSilent(block: 18))
    #expect(report.taps == 4)
    // Three attempts at the block, and at the UID after each later tap.
    #expect(report.meter.exchanges == 8 + 3 + 3 * 3)

    let neverThere = await scan(tag(Dictionary(uniqueKeysWithValues: (1...999).map { ($0, .silence) })))
    #expect(neverThere.failure == .tagSilent(block: nil))
    #expect(neverThere.meter.exchanges == 4 * 3)
  }

  @Test("completes a sensor that returns one block at each of many taps")
  func manyTaps() async {
    // Each tap has two exchanges: the UID and one block read.
    let faults = stride(from: 5, to: 200, by: 3).map { ($0, SimulatedTag.Fault.removal(returns: true)) }
    let report = await scan(tag(Dictionary(uniqueKeysWithValues: faults)))
    #expect(report.failure == nil)
    #expect(report.image == memory.image(readAt: Self.readAt))
    #expect(report.taps > 10)
  }

  // MARK: Other ends

  @Test("reports that no sensor came")
  func noTag() async {
    let tag = tag()
    await tag.close()
    let report = await scan(tag)
    #expect(report.failure == .noTag)
    #expect(report.image.missingBlocks == Array(0..<43))
    #expect(report.taps == 0)
    #expect(report.elapsed == .zero)
    #expect(report.meter == ExchangeMeter())
  }

  @Test(
    "ends at once if the reader fails or an answer is invalid",
    arguments: [
      .readerUnplugged(name: "r"), .readerSilent(name: "r"), .cancelled,
      .readerLacks15693(name: "r"),
    ] as [TransportError])
  func readerFails(error: TransportError) async {
    let reader = ListeningReader(tag()) { request throws(TransportError) in
      if request.firstBlock == 21 { throw error }
      return nil
    }
    let report = await scan(reader)
    #expect(report.failure == error)
    #expect(report.image.missingBlocks == Array(21..<43))
    #expect(await reader.frames.count == 10)
  }

  @Test("is cancelled with its task")
  func cancelled() async {
    let scanning = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await scan(tag())
    }
    #expect(await scanning.value.failure == .cancelled)
  }

  @Test("skips patch info if the request for it is never answered")
  func patchInfoLost() async {
    let reader = ListeningReader(tag()) { request throws(TransportError) in
      if case .patchInfo = request { throw .tagSilent(block: nil) }
      return nil
    }
    let report = await scan(reader)
    #expect(report.failure == nil)
    #expect(report.image.patchInfo == nil)
    #expect(report.image.bytes == memory.bytes)
    #expect(report.taps == 3)
  }

  @Test("names the blocks that are missing from a shorter memory")
  func shortMemory() async {
    let tag = SimulatedTag(memory: memory.bytes.dropLast(16), uid: ScannedMemory.uid, patchInfo: nil)
    let report = await scan(tag)
    #expect(report.failure == nil)
    #expect(report.image.missingBlocks == [41, 42])
    #expect(report.image.bytes.prefix(328) == memory.bytes.prefix(328))
  }

  @Test("reads 43 single blocks if the reader supports nothing else, and counts exchanges with the sensor")
  func singleBlocksOnly() async {
    let reader = ListeningReader(tag()) { request throws(TransportError) in
      switch request {
      case .readBlocks, .patchInfo, .readWideBlock, .readWideBlocks: [0x01, 0x01]
      case .inventory, .systemInformation, .readBlock: nil
      }
    }
    let report = await scan(reader)
    #expect(report.image.bytes == memory.bytes && report.failure == nil)
    #expect(report.meter.blockReads == 43)
    #expect(abs(report.meter.airTime / .milliseconds(1) - (252.8 + 6.2)) < 0.1)
  }

  @Test("reads every scenario of the simulator unchanged", arguments: Scenario.all.map(\.name))
  func scenarios(name: String) async throws {
    let expected = try #require(Scenario.named(name)).image(seed: 3)
    let report = await scan(try await SimulatedBackend().open(.simulated(source: "\(name):3")))
    #expect(report.failure == nil)
    let isPro = expected.patchInfo?.family == .librePro
    #expect(report.image.bytes == Array(expected.bytes.prefix(isPro ? .max : 344)))
    #expect(report.image.missingBlocks.isEmpty)
    #expect(report.image.uid == expected.uid)
    #expect(report.image.patchInfo == expected.patchInfo)
  }
}
