// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreKit
import NFCTransport
import Synchronization
import Testing

@Suite("A scan on a reader")
struct ScanRunnerTests {
  private let memory = ScannedMemory()

  private func tag(_ faults: [Int: SimulatedTag.Fault] = [:]) -> SimulatedTag {
    SimulatedTag(memory: memory.bytes, uid: ScannedMemory.uid, patchInfo: ScannedMemory.patchInfo, faults: faults)
  }

  @Test("returns memory, UID, patch info, time and effort in one call")
  func wholeRead() async {
    let tag = tag()
    let report = await ScanRunner.run(on: tag)
    #expect(report.failure == nil)
    #expect(report.image == memory.image(readAt: ScanRunner.readAt))
    #expect(report.reader == tag.description)
    #expect(report.taps == 1)
    #expect(!report.isRecorded)
    #expect(report.meter.exchanges == 17)
    #expect(report.meter.blockReads == 15)
    // 160.1 ms for the blocks, 6.2 for the UID and 5.3 for the patch info (NFCTransport/ReadingOverTheAir, "Timing").
    #expect(abs(report.meter.airTime / .milliseconds(1) - 171.6) < 0.15)
    #expect(report.elapsed > .zero)
    // A recording has its own time.
    let recordedAt = Instant(secondsSince1970: 1_700_000_000)
    let recorded = await ScanRunner.run(on: ListeningReader(self.tag(), recordedAt: recordedAt))
    #expect(recorded.image.readAt == recordedAt)
    #expect(recorded.isRecorded)
  }

  @Test("reports its progress")
  func events() async {
    let events = Mutex<[ScanEvent]>([])
    let faults: [Int: SimulatedTag.Fault] = [1: .silence, 6: .removal(returns: true)]
    _ = await ScanRunner.run(on: tag(faults)) { event in events.withLock { $0.append(event) } }
    let counts = Array(stride(from: 3, through: 39, by: 3)) + [40, 43]
    let progress = counts.map { ScanEvent.progress(blocksRead: $0, of: 43) }
    let lost = ScanEvent.lost(blocksRead: 6, of: 43)
    let expected: [ScanEvent] = [.waiting, .started] + progress.prefix(2) + [lost] + progress.dropFirst(2)
    #expect(events.withLock { $0 } == expected)
  }

  @Test("reports the block at which a sensor was lost for good, and keeps the data", arguments: 1...17)
  func goneForGood(exchange: Int) async {
    let blocks: [Int?] = [nil, 0, nil, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 40]
    let report = await ScanRunner.run(on: tag([exchange: .removal(returns: false)]))
    #expect(report.failure == .tagLost(block: blocks[exchange - 1]))
    #expect(report.meter.exchanges == exchange)
    #expect(report.image.missingBlocks.first == (exchange < 3 ? 0 : blocks[max(exchange - 1, 3)]))
    #expect(report.image.uid == (exchange == 1 ? nil : ScannedMemory.uid))
    #expect(report.taps == 1)
  }

  @Test("does not wait for a lost sensor after the time is over")
  func timeOver() async {
    let report = await ScanRunner.run(
      on: tag([9: .removal(returns: true)]), limit: .zero, now: { ScanRunner.readAt }, onEvent: { _ in })
    #expect(report.failure == .tagLost(block: 18))
    #expect(report.taps == 1)
    // No sensor came.
    let nothing = tag()
    await nothing.close()
    let empty = await ScanRunner.run(on: nothing)
    #expect(empty.failure == .noTag)
    #expect(empty.image.missingBlocks == Array(0..<43))
    #expect(empty.taps == 0)
    #expect(empty.elapsed == .zero)
    #expect(empty.meter == ExchangeMeter())
  }

  @Test("gives up a silent sensor and reports where it fell silent first")
  func silent() async {
    let faults = Dictionary(uniqueKeysWithValues: (9...999).map { ($0, SimulatedTag.Fault.silence) })
    let report = await ScanRunner.run(on: tag(faults))
    #expect(report.failure == .tagSilent(block: 18))
    #expect(report.taps == 4)
    // Three attempts at the block, and at the UID after each later tap.
    #expect(report.meter.exchanges == 8 + 3 + 3 * 3)

    let neverThere = await ScanRunner.run(on: tag(Dictionary(uniqueKeysWithValues: (1...999).map { ($0, .silence) })))
    #expect(neverThere.failure == .tagSilent(block: nil))
    #expect(neverThere.meter.exchanges == 4 * 3)
  }

  @Test("completes a sensor that returns one block at each of many taps")
  func manyTaps() async {
    // Each tap has two exchanges: the UID and one block read.
    let faults = stride(from: 5, to: 200, by: 3).map { ($0, SimulatedTag.Fault.removal(returns: true)) }
    let report = await ScanRunner.run(on: tag(Dictionary(uniqueKeysWithValues: faults)))
    #expect(report.failure == nil)
    #expect(report.image == memory.image(readAt: ScanRunner.readAt))
    #expect(report.taps > 10)
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
    let report = await ScanRunner.run(on: reader)
    #expect(report.failure == error)
    #expect(report.image.missingBlocks == Array(21..<43))
    #expect(await reader.frames.count == 10)
  }

  @Test("is cancelled with its task")
  func cancelled() async {
    let scanning = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await ScanRunner.run(on: tag())
    }
    #expect(await scanning.value.failure == .cancelled)
  }
}
