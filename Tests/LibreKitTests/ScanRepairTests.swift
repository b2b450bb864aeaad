// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import NFCTransport
import Testing

@Suite("A scan of a section with a wrong checksum")
struct ScanRepairTests {
  private let memory = ScannedMemory()

  /// Scans a sensor that returns `first` for the first `count` exchanges and `second` after them.
  private func scan(
    _ first: ScannedMemory, then second: ScannedMemory, after count: Int = 17
  ) throws -> (frames: [[UInt8]], image: MemoryImage) {
    var asked = 0
    var scan = Scan()
    let frames = try scan.drive { request in
      asked += 1
      return asked <= count ? first.answer(to: request) : second.answer(to: request)
    }
    return (frames, scan.image(readAt: nil))
  }

  @Test(
    "rereads only the damaged section: of a body first the two blocks with the minute, which may repair it",
    arguments: [(5, Frames.header), (343, Frames.footer)] + [32, 100, 311].map { ($0, Frames.minute + Frames.body) }
      + [24, 26, 27, 316, 319].map { ($0, Frames.minute) })
  func section(offset: Int, section: [[UInt8]]) throws {
    let (frames, image) = try scan(memory.spoilt(at: offset), then: memory)
    #expect(frames == Frames.whole + section)
    #expect(image == memory.image())
  }

  @Test("rereads all three sections if all are damaged, and none a third time")
  func damageStays() throws {
    let spoilt = memory.spoilt(at: 5).spoilt(at: 100).spoilt(at: 330)
    let (frames, image) = try scan(spoilt, then: spoilt)
    #expect(frames == Frames.whole + Frames.header + Frames.minute + Frames.footer + Frames.body)
    #expect(image == spoilt.image())
  }

  @Test("does not reread a body changed in the middle of a read if its age is known")
  func torn() throws {
    var torn = ScannedMemory(age: 0x01FF)
    (torn.bytes[316], torn.bytes[317]) = (0x00, 0x02)
    let (frames, image) = try scan(torn, then: torn)
    #expect(frames == Frames.whole)
    #expect(image == torn.image())
    // A memory whose checksums cannot be checked is not read again either.
    let generation2 = try #require(PatchInfo([0x76, 0x09, 0x39, 0x02, 0, 0]))
    let unreadable = memory.spoilt(at: 0).spoilt(at: 24).spoilt(at: 320)
    var other = Scan()
    let others = try other.drive {
      if case .patchInfo = $0 { .patchInfo(generation2) } else { unreadable.answer(to: $0) }
    }
    #expect(others == Frames.whole)
    #expect(other.image(readAt: nil).patchInfo == generation2)
  }

  @Test("gives up a body of which the sensor does not return every block")
  func refused() throws {
    var scan = Scan()
    let spoilt = memory.spoilt(at: 100)
    let frames = try scan.drive {
      $0.blocks?.contains(20) == true ? .error(.blockNotAvailable) : spoilt.answer(to: $0)
    }
    let shortened: [[UInt8]] = [[0x02, 0x23, 18, 2], [0x02, 0x23, 18, 1], [0x02, 0x23, 20, 1]]
    #expect(frames == Frames.opening + Frames.body.prefix(5) + shortened + Frames.singles(20...42))
    #expect(scan.image(readAt: nil).missingBlocks == [20])
  }

  @Test("reads only the new records if the minute has changed")
  func tick() throws {
    // Trend slot 5 is bytes 58 to 63, in block 7; it is read at exchange 5, before the tick, and the age after it.
    let (frames, image) = try scan(memory, then: memory.ticked(trendSlots: [5]), after: 8)
    #expect(frames == Frames.whole, "the age alone is new: torn, and worth as much as a sound body")
    #expect(image.bytes.prefix(316) == memory.bytes.prefix(316))

    // History slot 30 is bytes 304 to 309, in block 38, which is read after the tick.
    let later = memory.ticked(trendSlots: [5], historySlots: [30])
    let (repaired, whole) = try scan(memory, then: later, after: 8)
    #expect(repaired == Frames.whole + Frames.minute + [[0x02, 0x20, 7], [0x02, 0x20, 38]])
    #expect(whole == later.image())
  }

  @Test("follows both rings past their last slot")
  func wrap() throws {
    let memory = ScannedMemory(trendIndex: 15, historyIndex: 31)
    // Slots 15 and 0: blocks 14, 15 and 3, 4. History slots 31 and 0: blocks 38, 39 and 15, 16.
    let later = memory.ticked(trendSlots: [15, 0], historySlots: [31, 0], minutes: 2)
    let (frames, image) = try scan(memory, then: later, after: 8)
    #expect(
      frames == Frames.whole + Frames.minute + [[0x02, 0x20, 4], [0x02, 0x23, 14, 2], [0x02, 0x20, 38]])
    #expect(image == later.image())
  }

  @Test(
    "rereads the whole body if the indices do not show which records are new",
    arguments: [
      // The trend ring was filled once, so its index is the same as before.
      ScannedMemory().ticked(trendSlots: Array(5...15) + Array(0...4), historySlots: [30], minutes: 16),
      ScannedMemory(age: 4_001, trendIndex: 16), ScannedMemory(age: 4_001, trendIndex: 6, historyIndex: 32),
      ScannedMemory(age: 3_999, trendIndex: 6),
    ])
  func unclear(later: ScannedMemory) throws {
    let (frames, image) = try scan(memory.spoilt(at: 100), then: later)
    #expect(frames == Frames.whole + Frames.minute + Frames.body)
    #expect(image == later.image())
  }

  @Test("rereads the whole body if the new records do not repair it")
  func tickAndDamage() throws {
    let later = memory.ticked(trendSlots: [5], historySlots: [30])
    let slots: [[UInt8]] = [[0x02, 0x20, 7], [0x02, 0x20, 38]]
    let (frames, image) = try scan(memory.spoilt(at: 62).spoilt(at: 90), then: later, after: 8)
    #expect(frames == Frames.whole + Frames.minute + slots + Frames.body)
    #expect(image == later.image())
    // The minute has changed, and no record was written.
    let without = memory.ticked(trendSlots: [])
    let (others, whole) = try scan(memory.spoilt(at: 90), then: without)
    #expect(others == Frames.whole + Frames.minute + Frames.body)
    #expect(whole == without.image())
  }
}
