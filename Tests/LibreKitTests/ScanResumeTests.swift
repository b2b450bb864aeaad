// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import NFCTransport
import Testing

@Suite("A scan of a sensor that was lost")
struct ScanResumeTests {
  private let memory = ScannedMemory()
  private let other = SensorUID(bits: 0xE007_A000_0000_1234)!

  @Test("asks for the UID, then only for the missing blocks, wherever the sensor was lost", arguments: 1..<17)
  func onlyTheRest(answered: Int) throws {
    var scan = Scan()
    let before = try scan.drive(limit: answered, answer: memory.answer)
    scan.resume(after: .seconds(2))
    let after = try scan.drive(answer: memory.answer)
    #expect(before + after == Frames.whole.prefix(answered) + Frames.inventory + Frames.whole.dropFirst(answered))
    #expect(scan.image(readAt: nil) == memory.image())
  }

  @Test("asks for the UID again if the sensor was lost before it sent the UID")
  func lostAtOnce() throws {
    var scan = Scan()
    scan.resume(after: .zero)
    #expect(try scan.drive(answer: memory.answer) == Frames.whole)
    // All sections may have changed after a minute.
    var late = Scan()
    try late.drive(limit: 9, answer: memory.answer)
    late.resume(after: .seconds(60))
    #expect(try late.drive(answer: memory.answer) == Frames.whole)
  }

  @Test("starts again with another sensor and drops the data of the first")
  func otherSensor() throws {
    let second = ScannedMemory(age: 77, trendIndex: 1)
    var scan = Scan()
    try scan.drive(limit: 9, answer: memory.answer)
    scan.resume(after: .seconds(2))
    let frames = try scan.drive { request in
      switch request {
      case .inventory: .inventory(other)
      case .patchInfo: .error(.notSupported)
      case .systemInformation, .readBlock, .readBlocks, .readWideBlock, .readWideBlocks: second.answer(to: request)
      }
    }
    #expect(frames == Frames.whole)
    #expect(scan.image(readAt: nil) == MemoryImage(bytes: second.bytes, uid: other))
  }

  @Test("keeps its data until another sensor has been identified")
  func unsureWhich() throws {
    var scan = Scan()
    try scan.drive(limit: 9, answer: memory.answer)
    let before = scan.image(readAt: nil)
    scan.resume(after: .seconds(2))
    #expect(scan.image(readAt: nil) == before)
    #expect(throws: TransportError.self) { try scan.feed(.inventory(SensorUID(bits: 0xE004_0000_0000_0001)!)) }
    #expect(scan.image(readAt: nil) == before)
    try scan.feed(.inventory(other))
    #expect(scan.blocksRead == 0)
  }

  @Test("starts again if no UID shows whether it is the same sensor")
  func noUID() throws {
    var scan = Scan()
    try scan.drive(limit: 9) { $0 == .inventory ? .error(.notSupported) : memory.answer(to: $0) }
    scan.resume(after: .seconds(2))
    #expect(scan.blocksRead == 0)
    #expect(try scan.drive(answer: memory.answer) == Frames.whole)

    var second = Scan()
    try second.drive(limit: 9, answer: memory.answer)
    second.resume(after: .seconds(2))
    let frames = try second.drive { $0 == .inventory ? .error(.notSupported) : memory.answer(to: $0) }
    #expect(frames == Frames.inventory + Frames.header + Frames.body + Frames.footer)
    #expect(second.image(readAt: nil) == MemoryImage(bytes: memory.bytes))
  }

  @Test("skips patch info if the sensor is lost there twice: the reader may drop the command")
  func lostAtPatchInfo() throws {
    var scan = Scan()
    try scan.drive(limit: 2, answer: memory.answer)
    scan.resume(after: .zero)
    try scan.drive(limit: 1, answer: memory.answer)
    #expect(scan.next() == .patchInfo(.texasInstruments))
    scan.resume(after: .zero)
    #expect(try scan.drive(answer: memory.answer) == Frames.inventory + Frames.body + Frames.footer)
    #expect(scan.image(readAt: nil).patchInfo == nil)
    #expect(scan.image(readAt: nil).bytes == memory.bytes)
  }

  @Test("never keeps a body of two minutes: the checksum decides, and new records are reread")
  func twoMinutes() throws {
    let later = memory.ticked(trendSlots: [5], historySlots: [30])
    var scan = Scan()
    try scan.drive(limit: 8, answer: memory.answer)
    scan.resume(after: .seconds(30))
    let frames = try scan.drive(answer: later.answer)
    #expect(
      frames == Frames.inventory + Frames.whole.dropFirst(8) + Frames.minute + [[0x02, 0x20, 7], [0x02, 0x20, 38]])
    #expect(scan.image(readAt: nil) == later.image())
  }
}
