// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreKit
import NFCTransport
import Synchronization
import TestSupport
import Testing

@Suite("A scan of a Libre Pro")
struct LibreProScanTests {
  private static let uid = SensorUID(bits: 0xE007_A400_0025_905E)!
  private static let patchInfo = PatchInfo([0x70, 0x00, 0x10, 0x00, 0x00, 0x00])!

  /// A Pro with this number of history records, built with literal offsets; a scan ignores the content of records.
  private static func memory(records: Int, age: Int? = nil, slot: Int = 5) -> [UInt8] {
    var bytes = (0..<(176 + records * 6 + 7) / 8 * 8).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 8 &+ 11) }
    for (offset, number) in [(74, age ?? records * 15 + 3), (76, slot), (78, records)] {
      (bytes[offset], bytes[offset + 1]) = (UInt8(number & 0xFF), UInt8(number >> 8))
    }
    for region in [0..<40, 40..<72, 72..<176] { bytes.seal(region) }
    return bytes
  }

  private static func image(_ bytes: [UInt8], patchInfo: PatchInfo? = patchInfo, missing: [Int] = []) -> MemoryImage {
    MemoryImage(bytes: bytes, missingBlocks: missing, uid: uid, patchInfo: patchInfo, readAt: ScanRunner.readAt)
  }

  private static let opening: [[UInt8]] = [
    [0x26, 0x01, 0x00], [0x02, 0x23, 0, 2], [0x02, 0xA1, 0x07], [0x02, 0x23, 3, 1],
    [0x02, 0x23, 5, 2], [0x02, 0x20, 8],
  ]
  private static let body: [[UInt8]] = [9, 12, 15, 18].map { [0x02, 0x23, $0, 2] } + [[0x02, 0x20, 21]]

  @Test("reads header, footer, body, the history by its count, and the body again for the age")
  func frames() async throws {
    let bytes = Self.memory(records: 10)
    let reader = ListeningReader(SimulatedTag { _ in Self.image(bytes) })
    let report = await ScanRunner.run(on: reader)
    #expect(report.failure == nil)
    #expect(report.image == Self.image(bytes))
    // Ten records are 60 bytes, blocks 22 to 29.
    let history: [[UInt8]] = [[0x02, 0x23, 22, 2], [0x02, 0x23, 25, 2], [0x02, 0x23, 28, 1]]
    #expect(await reader.frames == Self.opening + Self.body + history + Self.body)
    // An empty history is skipped, and the body read once.
    let empty = ListeningReader(SimulatedTag { _ in Self.image(Self.memory(records: 0)) })
    let short = await ScanRunner.run(on: empty)
    #expect(short.image.bytes.count == 176)
    #expect(await empty.frames == Self.opening + Self.body)
  }

  @Test("reads all 1344 records of fourteen days, with the maker's commands above block 255")
  func wholeHistory() async throws {
    let bytes = Self.memory(records: 1_344)
    #expect(bytes.count == 1_030 * 8)
    let events = Mutex<[ScanEvent]>([])
    let reader = ListeningReader(SimulatedTag { _ in Self.image(bytes) })
    let report = await ScanRunner.run(on: reader) { event in events.withLock { $0.append(event) } }
    #expect(report.failure == nil)
    #expect(report.image == Self.image(bytes))
    #expect(events.withLock { $0 }.last == .progress(blocksRead: 1_030, of: 1_030))
    let frames = await reader.frames
    #expect(frames.contains([0x02, 0x23, 253, 2]))
    #expect(frames.contains([0x02, 0xB3, 0x07, 0x00, 0x01, 0x02]))
    #expect(frames.contains([0x02, 0xB3, 0x07, 0x03, 0x04, 0x02]))
    #expect(frames.allSatisfy { [0x01, 0x20, 0x23, 0xA1, 0xB0, 0xB3].contains($0[1]) })
    // 6 + 5 for the first 22 blocks, 78 up to 255, 258 above, 5 for the body again.
    #expect(report.meter.exchanges == 6 + 5 + 78 + 258 + 5)
  }

  @Test("reads the first 256 blocks on a reader without custom commands and knows the Pro by checksums")
  func noCustomCommands() async throws {
    let bytes = Self.memory(records: 1_344)
    let reader = ListeningReader(SimulatedTag { _ in Self.image(bytes) }) { request in
      switch request {
      case .patchInfo, .readWideBlock, .readWideBlocks: [0x01, 0x01]
      case .inventory, .systemInformation, .readBlock, .readBlocks: nil
      }
    }
    let report = await ScanRunner.run(on: reader)
    #expect(report.failure == nil)
    #expect(report.image == Self.image(Array(bytes.prefix(2_048)), patchInfo: nil))
    #expect(await reader.frames.count { $0[1] == 0xB0 || $0[1] == 0xB3 } == 3, "three blocks, two, one, and no more")
    let decoded = try ValidatedLibrePro(report.memory)
    #expect(decoded.problems.contains(.historyIncomplete(records: 312, of: 1_344)))
  }

  @Test("ends the history at the first block that the sensor refuses", arguments: [22, 23, 255, 256, 700])
  func refused(block: Int) async throws {
    let bytes = Self.memory(records: 1_344)
    let report = await ScanRunner.run(on: SimulatedTag { _ in Self.image(bytes, missing: [block]) })
    #expect(report.failure == nil)
    #expect(report.image == Self.image(Array(bytes.prefix(block * 8))))
  }

  @Test("skips blocks above 255 if the sensor is lost there twice: the reader may drop the command")
  func lostAtWideBlocks() async throws {
    let bytes = Self.memory(records: 1_344)
    let reader = ListeningReader(SimulatedTag { _ in Self.image(bytes) }) { request throws(TransportError) in
      if let block = request.firstBlock, block > 255 { throw .tagLost(block: block) }
      return nil
    }
    let report = await ScanRunner.run(on: reader)
    #expect(report.failure == nil)
    #expect(report.taps == 3)
    #expect(report.image == Self.image(Array(bytes.prefix(2_048))))
  }

  @Test("asks only for the missing blocks when the sensor comes back, wherever it was lost")
  func resumed() async throws {
    let bytes = Self.memory(records: 400)
    let whole = await ScanRunner.run(on: SimulatedTag { _ in Self.image(bytes) }).meter.exchanges
    for exchange in 1...whole {
      let report = await ScanRunner.run(
        on: SimulatedTag(faults: [exchange: .removal(returns: true)]) { _ in Self.image(bytes) })
      #expect(report.failure == nil, "exchange \(exchange)")
      #expect(report.image == Self.image(bytes), "exchange \(exchange)")
      // The lost exchange, and the UID again, which the first exchange requests anyway.
      #expect(report.meter.exchanges == whole + (exchange == 1 ? 1 : 2), "exchange \(exchange)")
    }
  }

  @Test("skips the history if the body with its count stays damaged")
  func damageStays() async throws {
    var spoilt = Self.memory(records: 10)
    spoilt[100] ^= 1
    let bytes = spoilt
    let reader = ListeningReader(SimulatedTag { _ in Self.image(bytes) })
    let report = await ScanRunner.run(on: reader)
    #expect(report.failure == nil)
    #expect(report.image == Self.image(Array(bytes.prefix(176))))
    #expect(await reader.frames == Self.opening + Self.body + Self.body)
  }

  @Test("gives data of a single minute with the record written meanwhile, whenever the minute changes")
  func tick() async throws {
    let (before, after) = (Self.memory(records: 10, age: 167), Self.memory(records: 11, age: 168, slot: 6))
    for tick in 1...26 {
      let report = await ScanRunner.run(on: SimulatedTag { Self.image($0 < tick ? before : after) })
      #expect(report.failure == nil, "tick at exchange \(tick)")
      let memory = try ValidatedLibrePro(report.memory)
      let truth = memory.ageMinutes == 167 ? before : after
      #expect(report.image.bytes == truth, "tick at exchange \(tick)")
    }
  }

  @Test("keeps a scan that ends early, with the unread blocks marked as missing")
  func goneForGood() async throws {
    let bytes = Self.memory(records: 400)
    let report = await ScanRunner.run(
      on: SimulatedTag(faults: [60: .removal(returns: false)]) { _ in Self.image(bytes) })
    let first = try #require(report.image.missingBlocks.first)
    #expect(report.failure == .tagLost(block: first))
    #expect(report.image.bytes.count == bytes.count)
    #expect(report.image.missingBlocks == Array(first..<bytes.count / 8))
    #expect(report.image.bytes.prefix(first * 8) == bytes.prefix(first * 8))
    #expect(try ValidatedLibrePro(report.memory).history.count == (first * 8 - 176) / 6)
  }
}
