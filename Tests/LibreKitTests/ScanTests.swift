// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import NFCTransport
import Testing

@Suite("A scan")
struct ScanTests {
  private let memory = ScannedMemory()

  @Test("asks for UID, header, patch info, body and footer: seventeen requests, fifteen of them reads of blocks")
  func order() throws {
    var scan = Scan()
    let frames = try scan.drive(answer: memory.answer)
    #expect(frames == Frames.whole)
    #expect(frames.count == 17)
    #expect(frames.filter { [0x20, 0x23].contains($0[1]) }.count == 15)
    let readAt = Instant(secondsSince1970: 1_795_000_000)
    #expect(scan.image(readAt: readAt) == memory.image(readAt: readAt))
    // An answer without a request changes nothing.
    try scan.feed(.blocks([1, 2, 3, 4, 5, 6, 7, 8]))
    #expect(scan.next() == nil && scan.image(readAt: readAt) == memory.image(readAt: readAt))
  }

  @Test("repeats a request until it is answered")
  func patience() throws {
    var scan = Scan()
    #expect(scan.next() == .inventory)
    #expect(scan.next() == .inventory)
    #expect(throws: TransportError.malformedResponse(to: .inventory, length: 0)) { try scan.feed(.blocks([])) }
    #expect(scan.next() == .inventory)
    try scan.feed(.inventory(ScannedMemory.uid))
    #expect(scan.next()?.frame == Frames.header[0])
  }

  @Test("sends nothing more to a tag whose manufacturer makes no sensors")
  func otherTag() throws {
    let skiPass = try #require(SensorUID(bits: 0xE004_0100_0000_0001))
    var scan = Scan()
    #expect(throws: TransportError.otherTag(skiPass)) { try scan.feed(.inventory(skiPass)) }
  }

  @Test("skips what the reader cannot ask for: the patch info, or with the UID both")
  func notSupported() throws {
    var scan = Scan()
    try scan.drive { if case .patchInfo = $0 { .error(.notSupported) } else { memory.answer(to: $0) } }
    #expect(scan.image(readAt: nil) == MemoryImage(bytes: memory.bytes, uid: ScannedMemory.uid))
    scan = Scan()
    let frames = try scan.drive { $0 == .inventory ? .error(.notSupported) : memory.answer(to: $0) }
    #expect(frames == Frames.inventory + Frames.header + Frames.body + Frames.footer)
    #expect(scan.image(readAt: nil) == MemoryImage(bytes: memory.bytes))
    // It fails if the sensor itself refuses to send its UID.
    var refused = Scan()
    #expect(throws: TransportError.tag(.unspecified, block: nil)) { try refused.feed(.error(.unspecified)) }
    #expect(refused.next() == .inventory)
  }

  @Test("drops a UID withheld from a recording, but uses its manufacturer code")
  func withheldUID() throws {
    let withheld = try #require(SensorUID(bits: 0xE07A_A000_0000_0000))
    var scan = Scan()
    let frames = try scan.drive { $0 == .inventory ? .inventory(withheld) : memory.answer(to: $0) }
    #expect(frames.contains([0x02, 0xA1, 0x7A]))
    var expected = memory.image()
    expected.uid = nil
    #expect(scan.image(readAt: nil) == expected)
  }

  @Test("asks for one block at a time once it has refused two as well: 43 reads")
  func singleBlocks() throws {
    var scan = Scan()
    let frames = try scan.drive {
      if case .readBlocks = $0 { .error(.notSupported) } else { memory.answer(to: $0) }
    }
    #expect(
      frames == Frames.inventory + Frames.header + [[0x02, 0x23, 0, 1]] + Frames.singles(0...2) + Frames.patchInfo
        + Frames.singles(3...42))
    #expect(scan.image(readAt: nil) == memory.image())
  }

  @Test("keeps its data when the sensor refuses a block")
  func refusedBlock() throws {
    var scan = Scan()
    let frames = try scan.drive { request in
      request.blocks?.contains(42) == true ? .error(.blockNotAvailable) : memory.answer(to: request)
    }
    #expect(frames == Frames.whole + [[0x02, 0x23, 40, 1], [0x02, 0x20, 42]])
    let image = scan.image(readAt: nil)
    #expect(image.missingBlocks == [42])
    #expect(image.bytes == memory.bytes.prefix(336) + [0, 0, 0, 0, 0, 0, 0, 0])
    #expect(scan.blocksRead == 42)
    // If all are refused it fails with the sensor's own reason, and still has the patch info.
    var barred = Scan()
    #expect(throws: TransportError.tag(.custom(0xA1), block: 42)) {
      try barred.drive { $0.blocks == nil ? memory.answer(to: $0) : .error(.custom(0xA1)) }
    }
    #expect(barred.image(readAt: nil).missingBlocks == Array(0..<43))
    #expect(barred.image(readAt: nil).patchInfo == ScannedMemory.patchInfo)
  }

  @Test("has an image at every moment, in which unread blocks are missing")
  func partialImage() throws {
    var scan = Scan()
    #expect(
      scan.image(readAt: nil) == MemoryImage(bytes: .init(repeating: 0, count: 344), missingBlocks: Array(0..<43)))
    try scan.drive(limit: 4, answer: memory.answer)
    let image = scan.image(readAt: nil)
    #expect(image.missingBlocks == Array(6..<43))
    #expect(image.bytes == memory.bytes.prefix(48) + [UInt8](repeating: 0, count: 296))
    #expect(scan.blocksRead == 6)
  }

  @Test("rejects an answer to another request", arguments: [0, 8, 16, 32])
  func answersToOthers(byteCount: Int) throws {
    var scan = Scan()
    try scan.feed(.inventory(ScannedMemory.uid))
    let request = try #require(scan.next())
    #expect(throws: TransportError.malformedResponse(to: request, length: 0)) {
      try scan.feed(.blocks([UInt8](repeating: 0, count: byteCount)))
    }
    #expect(throws: TransportError.malformedResponse(to: request, length: 0)) {
      try scan.feed(.patchInfo(ScannedMemory.patchInfo))
    }
    #expect(scan.next() == request)
  }
}
