// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import NFCTransport
import Testing

@testable import LibreKit

@Suite("A simulated tag")
struct SimulatedTagTests {
  static let uid = SensorUID(bits: 0xE007_A000_0025_905E)!
  static let patchInfo = PatchInfo([0xDF, 0, 0, 0x01, 0, 0])!
  static let memory = (0..<344).map { UInt8(truncatingIfNeeded: $0) }

  private func tag(patchInfo: PatchInfo? = patchInfo, faults: [Int: SimulatedTag.Fault] = [:]) -> SimulatedTag {
    SimulatedTag(memory: Self.memory, uid: Self.uid, patchInfo: patchInfo, faults: faults)
  }

  private func read(_ first: Int, _ count: Int) throws -> ISO15693.Request {
    .readBlocks(try #require(ISO15693.BlockRun(first: first, count: count)))
  }

  @Test("sends its UID with the lowest byte first, the number and size of its blocks, and blocks after a zero byte")
  func answers() async throws {
    let tag = tag()
    #expect(try await tag.exchange(.inventory) == [0x00, 0x00, 0x5E, 0x90, 0x25, 0x00, 0x00, 0xA0, 0x07, 0xE0])
    #expect(
      try await tag.exchange(.systemInformation)
        == [0x00, 0x04, 0x5E, 0x90, 0x25, 0x00, 0x00, 0xA0, 0x07, 0xE0, 0x2A, 0x07])
    // The size of a real Libre 1 with all blocks that NFC can reach.
    let full = SimulatedTag(memory: [UInt8](repeating: 0, count: 1952), uid: Self.uid, patchInfo: nil)
    #expect(try await full.exchange(.systemInformation).suffix(2) == [0xF3, 0x07])
    #expect(try await tag.exchange(.readBlock(2)) == [0x00, 16, 17, 18, 19, 20, 21, 22, 23])
    #expect(try await tag.exchange(read(40, 3)) == [0x00] + (320..<344).map { UInt8(truncatingIfNeeded: $0) })
    // Blocks that do not exist are refused.
    let empty = SimulatedTag(memory: [1, 2, 3], uid: Self.uid, patchInfo: nil)
    for (tag, request) in [
      (tag, .readBlock(43)), (tag, .readBlock(255)), (tag, try read(42, 2)), (empty, .readBlock(0)),
    ]
      as [(SimulatedTag, ISO15693.Request)]
    {
      #expect(try await tag.exchange(request) == [0x01, 0x10])
    }
    #expect(try await tag.exchange(read(42, 1)).count == 9)
  }

  @Test("sends its patch info only if asked with its own manufacturer code")
  func patchInfo() async throws {
    #expect(try await tag().exchange(.patchInfo(.texasInstruments)) == [0x00, 0xDF, 0, 0, 0x01, 0, 0])
    #expect(try await tag(patchInfo: nil).exchange(.patchInfo(.texasInstruments)) == [0x01, 0x01])
    await #expect(throws: TransportError.tagSilent(block: nil)) { try await tag().exchange(.patchInfo(.abbott)) }
  }

  @Test("disturbs the selected exchanges and no others")
  func faults() async throws {
    let tag = tag(faults: [
      2: .silence, 3: .refusal(.unspecified), 4: .inversion(byte: 1), 5: .inversion(byte: 99), 6: .short(bytes: 2),
      7: .long(bytes: 1), 8: .short(bytes: 99),
    ])
    let sound: [UInt8] = [0x00, 0, 1, 2, 3, 4, 5, 6, 7]
    let answers: [[UInt8]?] = [
      sound, nil, [0x01, 0x0F], [0x00, 0xFF, 1, 2, 3, 4, 5, 6, 7], sound, Array(sound.prefix(7)), sound + [0x5A], [],
      sound,
    ]
    for expected in answers {
      if let expected {
        #expect(try await tag.exchange(.readBlock(0)) == expected)
      } else {
        await #expect(throws: TransportError.tagSilent(block: 0)) { try await tag.exchange(.readBlock(0)) }
      }
    }
    #expect(await tag.exchangeCount == 9)
  }

  @Test("is lost after removal until a new wait for it, and fails every request after it was closed, even twice")
  func removal() async throws {
    let tag = tag(faults: [2: .removal(returns: true), 4: .removal(returns: false)])
    try await tag.waitForTag(within: .zero)
    _ = try await tag.exchange(.readBlock(0))
    await #expect(throws: TransportError.tagLost(block: 7)) { try await tag.exchange(.readBlock(7)) }
    await #expect(throws: TransportError.tagLost(block: nil)) { try await tag.exchange(.inventory) }
    try await tag.waitForRemoval()
    try await tag.waitForTag(within: .zero)
    // Exchange 4 takes it away for good.
    await #expect(throws: TransportError.tagLost(block: 8)) { try await tag.exchange(.readBlock(8)) }
    let closed = self.tag()
    for _ in 1...2 { await closed.close() }
    await #expect(throws: TransportError.tagLost(block: nil)) { try await closed.exchange(.inventory) }
    for tag in [tag, closed] {
      await #expect(throws: TransportError.noTag) { try await tag.waitForTag(within: .seconds(60)) }
    }
  }

  @Test("stays, so that a wait for its removal ends only when it is cancelled, as an exchange does")
  func cancelled() async {
    let tag = tag()
    let waiting = Task { try await tag.waitForRemoval() }
    waiting.cancel()
    await #expect(throws: TransportError.cancelled) { try await waiting.value }
    let asking = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await tag.exchange(.inventory)
    }
    await #expect(throws: TransportError.cancelled) { try await asking.value }
  }

  @Test("returns the memory that is on the reader at that exchange, and refuses the UID if it has none")
  func changing() async throws {
    let tag = SimulatedTag { exchange in
      MemoryImage(bytes: .init(repeating: UInt8(exchange), count: 16), missingBlocks: [1])
    }
    #expect(try await tag.exchange(.readBlock(0)) == [0] + .init(repeating: 1, count: 8))
    #expect(try await tag.exchange(.readBlock(0)) == [0] + .init(repeating: 2, count: 8))
    for request in [.readBlock(1), try read(0, 2)] { #expect(try await tag.exchange(request) == [0x01, 0x10]) }
    for request in [ISO15693.Request.inventory, .systemInformation, .patchInfo(.abbott)] {
      #expect(try await tag.exchange(request) == [0x01, 0x01])
    }
  }

  @Test("sends blocks above 255 only for the command of its manufacturer")
  func wideBlocks() async throws {
    let image = try #require(Scenario.named("pro-history")).image(seed: 2)
    let tag = SimulatedTag { _ in image }
    let run = try #require(ISO15693.WideBlockRun(first: 255, count: 3))
    #expect(try await tag.exchange(.readWideBlocks(run, .texasInstruments)) == [0] + image.bytes[2_040..<2_064])
    #expect(try await tag.exchange(.readWideBlock(256, .texasInstruments)) == [0] + image.bytes[2_048..<2_056])
    for (block, request) in [(256, .readWideBlock(256, .abbott)), (255, .readWideBlocks(run, .abbott))]
      as [(Int, ISO15693.Request)]
    {
      await #expect(throws: TransportError.tagSilent(block: block)) { try await tag.exchange(request) }
    }
  }
}

@Suite("Simulated readers")
struct SimulatedBackendTests {
  private func open(_ text: String) async throws -> any TagReader {
    try await SimulatedBackend().open(ReaderAddress(text))
  }

  @Test("put the sensor of a scenario on a reader, another one for another seed")
  func scenario() async throws {
    let reader = try await open("sim:active:7")
    #expect(await reader.description.address == "sim:active:7")
    let image = try #require(Scenario.named("active")).image(seed: 7)
    #expect(try await reader.response(to: .inventory) == .inventory(#require(image.uid)))
    #expect(
      try await reader.response(to: .patchInfo(.texasInstruments)) == .patchInfo(#require(image.patchInfo)))
    #expect(try await reader.response(to: .readBlock(39)) == .blocks(Array(image.bytes[312..<320])))
    let first = try await open("sim:active").exchange(.inventory)
    #expect(try await open("sim:active").exchange(.inventory) == first)
    #expect(try await open("sim:active:18446744073709551615").exchange(.inventory) != first)
    // A file with the name of a scenario is not read.
    let backend = SimulatedBackend { _ in MemoryImage(bytes: []) }
    #expect(try await backend.open(ReaderAddress("sim:active")).exchange(.readBlock(0)).count == 9)
    await #expect(throws: TransportError.unknownAddress("sim:active:x")) {
      try await backend.open(ReaderAddress("sim:active:x"))
    }
    // An unknown scenario, an invalid seed, another backend.
    for text in [
      "sim:no-such-scenario", "sim:active:", "sim:active:x", "sim:active:-1", "sim:active:1:2", "sim::1",
      "sim:active:18446744073709551616", "pcsc", "replay:active",
    ] {
      await #expect(throws: TransportError.unknownAddress(text)) { try await open(text) }
    }
  }

  @Test("play the sensor of a dump, with its missing parts missing, and pass on the error of an unreadable one")
  func file() async throws {
    let uid = SimulatedTagTests.uid
    let image = MemoryImage(bytes: (0..<32).map { $0 }, missingBlocks: [2], uid: uid)
    let unreadable = TransportError.fileUnreadable(path: "a.hex", reason: "no dump")
    let backend = SimulatedBackend { path throws(TransportError) in
      if path == "a.hex" { throw unreadable }
      return path == "scan.hex" ? image : nil
    }
    let reader = try await backend.open(ReaderAddress("sim:scan.hex"))
    #expect(await reader.description.address == "sim:scan.hex")
    #expect(try await reader.response(to: .inventory) == .inventory(uid))
    #expect(try await reader.response(to: .readBlock(1)) == .blocks(Array(8..<16)))
    #expect(try await reader.response(to: .readBlock(2)) == .error(.blockNotAvailable))
    #expect(try await reader.response(to: .patchInfo(.texasInstruments)) == .error(.notSupported))
    for (path, error) in [("other.hex", TransportError.unknownAddress("sim:other.hex")), ("a.hex", unreadable)] {
      await #expect(throws: error) { try await backend.open(ReaderAddress(scheme: "sim", rest: path)) }
    }
  }

  @Test("generate a UID for a dump without one, the same for all dumps of a sensor")
  func inventedUID() async throws {
    func uid(_ bytes: [UInt8]) async throws -> ISO15693.Response {
      let backend = SimulatedBackend { _ in MemoryImage(bytes: bytes) }
      return try await backend.open(ReaderAddress(scheme: "sim", rest: "a")).response(to: .inventory)
    }
    let sensor = SimulatedSensor(seed: 1)
    let first = try await uid(sensor.memory(atAge: 100))
    #expect(try await uid(sensor.memory(atAge: 9_000)) == first)
    #expect(try await uid(SimulatedSensor(seed: 2).memory(atAge: 100)) != first)
    guard case .inventory(let invented) = first else { return #expect(Bool(false), "\(first)") }
    #expect(invented.bits >> 32 == 0xE007_A0FF)
    #expect(try await uid([]) != first)
  }
}
