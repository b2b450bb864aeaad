// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import NFCTransport
import SensorSimulator
import TestSupport
import Testing

/// A memory with three sound checksums, built with literal offsets and a checksum of its own, so that no code under test
/// has a say in what is sound. The bytes in between mean nothing: a scan looks at checksums only.
private struct Memory {
  var bytes: [UInt8] = (0..<344).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }

  init(age: UInt16 = 4_000) {
    (bytes[316], bytes[317]) = (UInt8(age & 0xFF), UInt8(age >> 8))
    for region in [0..<24, 24..<320, 320..<344] { bytes.seal(region) }
  }

  func block(_ number: Int) -> [UInt8] { Array(bytes[number * 8..<number * 8 + 8]) }

  /// What a sensor with this memory answers.
  func answer(to request: ISO15693.Request) -> ISO15693.Response {
    switch request {
    case .inventory: .inventory(ScanTests.uid)
    case .patchInfo: .patchInfo(ScanTests.patchInfo)
    case .readBlock(let number): .blocks(block(Int(number)))
    case .readBlocks(let run): .blocks((0..<Int(run.count)).flatMap { block(Int(run.first) + $0) })
    case .systemInformation: .error(.notSupported)
    }
  }
}

/// Answers a whole scan and lists what was asked.
private func drive(
  _ scan: inout Scan, answer: (ISO15693.Request) -> ISO15693.Response
) throws(TransportError) -> [[UInt8]] {
  var frames: [[UInt8]] = []
  while let request = scan.next(), frames.count < 1_000 {
    frames.append(request.frame)
    try scan.feed(answer(request))
  }
  return frames
}

private let headerReads: [[UInt8]] = [[0x02, 0x23, 0, 2]]
private let bodyReads: [[UInt8]] =
  stride(from: 3, through: 36, by: 3).map { [0x02, 0x23, $0, 2] } + [[0x02, 0x23, 39, 0]]
private let footerReads: [[UInt8]] = [[0x02, 0x23, 40, 2]]
private let opening: [[UInt8]] = [[0x26, 0x01, 0x00], [0x02, 0xA1, 0x07]]
private let singleReads: [[UInt8]] = (0..<43).map { [0x02, 0x20, $0] }

@Suite("A scan")
struct ScanTests {
  static let uid = SensorUID(bits: 0xE007_A000_0025_905E)!
  static let patchInfo = PatchInfo([0xDF, 0, 0, 0, 0, 0])!

  @Test("asks for UID, patch info, header, body and footer in seventeen requests")
  func order() throws {
    let memory = Memory()
    var scan = Scan()
    let frames = try drive(&scan, answer: memory.answer)
    #expect(frames == opening + headerReads + bodyReads + footerReads)
    #expect(frames.count == 17)
    let readAt = Instant(secondsSince1970: 1_795_000_000)
    #expect(
      scan.image(readAt: readAt)
        == MemoryImage(bytes: memory.bytes, uid: Self.uid, patchInfo: Self.patchInfo, readAt: readAt))
  }

  @Test("asks the same question until it is answered")
  func patience() throws {
    var scan = Scan()
    #expect(scan.next() == .inventory)
    #expect(scan.next() == .inventory)
    #expect(throws: TransportError.malformedResponse(to: .inventory, length: 0)) { try scan.feed(.blocks([])) }
    #expect(scan.next() == .inventory)
    try scan.feed(.inventory(Self.uid))
    #expect(scan.next() == .patchInfo(.texasInstruments))
  }

  @Test("sends the manufacturer's code of the sensor's own UID")
  func newerManufacturer() throws {
    var scan = Scan()
    try scan.feed(.inventory(try #require(SensorUID(bits: 0xE07A_A000_0025_905E))))
    #expect(scan.next()?.frame == [0x02, 0xA1, 0x7A])
  }

  @Test("leaves a tag alone that no maker of sensors made")
  func otherTag() throws {
    let skiPass = try #require(SensorUID(bits: 0xE004_0100_0000_0001))
    var scan = Scan()
    #expect(throws: TransportError.otherTag(skiPass)) { try scan.feed(.inventory(skiPass)) }
  }

  @Test("does without patch info where a reader cannot ask for it")
  func noPatchInfo() throws {
    let memory = Memory()
    var scan = Scan()
    _ = try drive(&scan) { if case .patchInfo = $0 { .error(.notSupported) } else { memory.answer(to: $0) } }
    let image = scan.image(readAt: nil)
    #expect(image.patchInfo == nil)
    #expect(image.uid == Self.uid)
    #expect(image.bytes == memory.bytes)
    #expect(image.missingBlocks.isEmpty)
  }

  @Test("asks for one block at a time once a sensor has refused to send three")
  func singleBlocks() throws {
    let memory = Memory()
    var scan = Scan()
    let frames = try drive(&scan) {
      if case .readBlocks = $0 { .error(.notSupported) } else { memory.answer(to: $0) }
    }
    #expect(frames == opening + headerReads + singleReads)
    #expect(scan.image(readAt: nil).bytes == memory.bytes)
    #expect(scan.image(readAt: nil).missingBlocks.isEmpty)
  }

  @Test("keeps what it read when the sensor refuses a block")
  func refusedBlock() throws {
    let memory = Memory()
    var scan = Scan()
    let frames = try drive(&scan) { request in
      switch request {
      case .readBlocks(let run) where run.first == 40: .error(.blockNotAvailable)
      case .readBlock(42): .error(.blockNotAvailable)
      case .inventory, .systemInformation, .readBlock, .readBlocks, .patchInfo: memory.answer(to: request)
      }
    }
    #expect(frames == opening + headerReads + bodyReads + footerReads + singleReads.suffix(3))
    let image = scan.image(readAt: nil)
    #expect(image.missingBlocks == [42])
    #expect(image.bytes.prefix(336) == memory.bytes.prefix(336))
    #expect(image.bytes.suffix(8) == [0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test("fails with the sensor's own reason if it shows no block at all")
  func everythingRefused() throws {
    var scan = Scan()
    #expect(throws: TransportError.tag(.custom(0xA1), block: 42)) {
      try drive(&scan) { request in
        switch request {
        case .inventory: .inventory(Self.uid)
        case .systemInformation, .readBlock, .readBlocks, .patchInfo: .error(.custom(0xA1))
        }
      }
    }
    #expect(scan.image(readAt: nil).missingBlocks == Array(0..<43))
  }

  @Test(
    "reads a section again, and only it, whose checksum does not hold",
    arguments: [(5, headerReads), (100, bodyReads), (319, bodyReads), (343, footerReads)])
  func secondRead(offset: Int, section: [[UInt8]]) throws {
    let memory = Memory()
    var spoilt = memory
    spoilt.bytes[offset] ^= 0x10
    var asked = 0
    var scan = Scan()
    let frames = try drive(&scan) { request in
      asked += 1
      return asked <= 17 ? spoilt.answer(to: request) : memory.answer(to: request)
    }
    #expect(frames == opening + headerReads + bodyReads + footerReads + section)
    #expect(scan.image(readAt: nil).bytes == memory.bytes)
  }

  @Test("reads a damaged section again once, not for ever")
  func damageStays() throws {
    var spoilt = Memory()
    spoilt.bytes[100] ^= 0x10
    spoilt.bytes[330] ^= 0x10
    var scan = Scan()
    let frames = try drive(&scan, answer: spoilt.answer)
    #expect(frames == opening + headerReads + bodyReads + footerReads + bodyReads + footerReads)
    #expect(scan.image(readAt: nil).bytes == spoilt.bytes)
  }

  @Test("does not read a torn body again, for its age is known")
  func tornBody() throws {
    var torn = Memory(age: 0x01FF)
    (torn.bytes[316], torn.bytes[317]) = (0x00, 0x02)
    var scan = Scan()
    #expect(try drive(&scan, answer: torn.answer) == opening + headerReads + bodyReads + footerReads)
    #expect(scan.image(readAt: nil).bytes == torn.bytes)
  }

  @Test("does not read an encrypted memory again, whose checksums never hold")
  func encrypted() throws {
    let us14Day = try #require(PatchInfo([0xE5, 0x00, 0x03, 0x02, 0, 0]))
    var unreadable = Memory()
    for offset in [0, 24, 320] { unreadable.bytes[offset] ^= 0xFF }
    var scan = Scan()
    let frames = try drive(&scan) {
      if case .patchInfo = $0 { .patchInfo(us14Day) } else { unreadable.answer(to: $0) }
    }
    #expect(frames == opening + headerReads + bodyReads + footerReads)
    #expect(scan.image(readAt: nil).patchInfo == us14Day)
  }

  @Test("has an image at every moment, in which unread blocks are missing")
  func partialImage() throws {
    let memory = Memory()
    var scan = Scan()
    #expect(
      scan.image(readAt: nil) == MemoryImage(bytes: .init(repeating: 0, count: 344), missingBlocks: Array(0..<43)))
    for _ in 0..<4 { try scan.feed(memory.answer(to: try #require(scan.next()))) }
    let image = scan.image(readAt: nil)
    #expect(image.missingBlocks == Array(6..<43))
    #expect(image.bytes == memory.bytes.prefix(48) + [UInt8](repeating: 0, count: 296))
  }

  @Test("ignores an answer that nobody asked for")
  func oneTooMany() throws {
    let memory = Memory()
    var scan = Scan()
    _ = try drive(&scan, answer: memory.answer)
    try scan.feed(.blocks([1, 2, 3, 4, 5, 6, 7, 8]))
    #expect(scan.next() == nil)
    #expect(scan.image(readAt: nil).bytes == memory.bytes)
  }

  @Test("accepts no answer to another question", arguments: [0, 8, 16, 32])
  func answersToOthers(byteCount: Int) throws {
    var scan = Scan()
    try scan.feed(.inventory(Self.uid))
    try scan.feed(.patchInfo(Self.patchInfo))
    let request = try #require(scan.next())
    #expect(throws: TransportError.malformedResponse(to: request, length: 0)) {
      try scan.feed(.blocks([UInt8](repeating: 0, count: byteCount)))
    }
    #expect(scan.next() == request)
  }
}

@Suite("A scan on a reader")
struct ScanRunnerTests {
  static let readAt = Instant(secondsSince1970: 1_795_000_000)

  private static func tag(
    _ memory: Memory, patchInfo: PatchInfo? = ScanTests.patchInfo, faults: [Int: SimulatedTag.Fault] = [:]
  ) -> SimulatedTag {
    SimulatedTag(memory: memory.bytes, uid: ScanTests.uid, patchInfo: patchInfo, faults: faults)
  }

  @Test("gives memory, UID, patch info and time in one call")
  func wholeRead() async throws {
    let memory = Memory()
    let image = try await ScanRunner.run(on: Self.tag(memory), now: { Self.readAt })
    #expect(
      image
        == MemoryImage(
          bytes: memory.bytes, uid: ScanTests.uid, patchInfo: ScanTests.patchInfo, readAt: Self.readAt))
  }

  @Test("ends with a clean error at whichever exchange the sensor is lost, and reads when it is not")
  func sensorLost() async throws {
    let memory = Memory()
    let blocks: [Int?] = [nil, nil, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 40]
    for exchange in 1...17 {
      let tag = Self.tag(memory, faults: [exchange: .silence])
      await #expect(throws: TransportError.tagLost(block: blocks[exchange - 1])) {
        try await ScanRunner.run(on: tag, now: { Self.readAt })
      }
      #expect(await tag.exchangeCount == exchange)
    }
    let tag = Self.tag(memory, faults: [18: .silence])
    #expect(try await ScanRunner.run(on: tag, now: { Self.readAt }).bytes == memory.bytes)
  }

  @Test("ends with a clean error at whichever exchange the answer's flags are garbled")
  func garbledFlags() async throws {
    for exchange in 1...17 {
      let tag = Self.tag(Memory(), faults: [exchange: .inversion(byte: 0)])
      let error = await #expect(throws: TransportError.self) {
        try await ScanRunner.run(on: tag, now: { Self.readAt })
      }
      guard case .malformedResponse = error else {
        Issue.record("exchange \(exchange): \(String(describing: error))")
        continue
      }
      #expect(await tag.exchangeCount == exchange)
    }
  }

  @Test("survives a refusal of any exchange but the first")
  func refusals() async throws {
    let memory = Memory()
    await #expect(throws: TransportError.tag(.unspecified, block: nil)) {
      try await ScanRunner.run(on: Self.tag(memory, faults: [1: .refusal(.unspecified)]), now: { Self.readAt })
    }
    for exchange in 2...17 {
      let image = try await ScanRunner.run(
        on: Self.tag(memory, faults: [exchange: .refusal(.unspecified)]), now: { Self.readAt })
      #expect(image.bytes == memory.bytes)
      #expect(image.missingBlocks.isEmpty)
      #expect(image.patchInfo == (exchange == 2 ? nil : ScanTests.patchInfo))
    }
  }

  @Test("reads a section again in which a byte was garbled")
  func garbledMemory() async throws {
    let memory = Memory()
    for (exchange, total) in [(3, 17 + 1), (4, 17 + 13), (16, 17 + 13), (17, 17 + 1)] {
      let tag = Self.tag(memory, faults: [exchange: .inversion(byte: 8)])
      #expect(try await ScanRunner.run(on: tag, now: { Self.readAt }).bytes == memory.bytes)
      #expect(await tag.exchangeCount == total)
    }
  }

  @Test("names the blocks that a shorter memory lacks")
  func shortMemory() async throws {
    var memory = Memory()
    memory.bytes.removeLast(16)
    let image = try await ScanRunner.run(on: Self.tag(memory), now: { Self.readAt })
    #expect(image.missingBlocks == [41, 42])
    #expect(image.bytes.prefix(328) == memory.bytes.prefix(328))
  }

  @Test("reads every scenario of the simulator as it is", arguments: Scenario.all.map(\.name))
  func scenarios(name: String) async throws {
    let expected = try #require(Scenario.named(name)).image(seed: 3)
    let reader = try await SimulatedBackend().open(.simulated(source: "\(name):3"))
    let image = try await ScanRunner.run(on: reader, now: { Self.readAt })
    let shown = min(344, expected.bytes.count)
    #expect(image.bytes.count == 344)
    #expect(image.bytes.prefix(shown) == expected.bytes.prefix(shown))
    #expect(image.missingBlocks == Array(shown / 8..<43))
    #expect(image.uid == expected.uid)
    #expect(image.patchInfo == expected.patchInfo)
  }
}
