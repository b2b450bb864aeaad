// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport
import SensorSimulator
import Testing

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

  @Test("says its UID lowest byte first")
  func inventory() async throws {
    #expect(
      try await tag().exchange(.inventory) == [0x00, 0x00, 0x5E, 0x90, 0x25, 0x00, 0x00, 0xA0, 0x07, 0xE0])
  }

  @Test("says how many blocks of eight bytes it has")
  func systemInformation() async throws {
    #expect(
      try await tag().exchange(.systemInformation)
        == [0x00, 0x04, 0x5E, 0x90, 0x25, 0x00, 0x00, 0xA0, 0x07, 0xE0, 0x2A, 0x07])
  }

  @Test("says the same of its size as a real Libre 1 with all that NFC can reach")
  func fullSystemInformation() async throws {
    let full = SimulatedTag(
      memory: [UInt8](repeating: 0, count: 1952), uid: Self.uid, patchInfo: nil)
    #expect(try await full.exchange(.systemInformation).suffix(2) == [0xF3, 0x07])
  }

  @Test("shows its blocks after a zero")
  func blocks() async throws {
    #expect(try await tag().exchange(.readBlock(2)) == [0x00, 16, 17, 18, 19, 20, 21, 22, 23])
    #expect(try await tag().exchange(read(40, 3)) == [0x00] + (320..<344).map { UInt8(truncatingIfNeeded: $0) })
  }

  @Test("refuses blocks that it does not have")
  func noSuchBlock() async throws {
    #expect(try await tag().exchange(.readBlock(43)) == [0x01, 0x10])
    #expect(try await tag().exchange(.readBlock(255)) == [0x01, 0x10])
    #expect(try await tag().exchange(read(42, 1)).count == 9)
    #expect(try await tag().exchange(read(42, 2)) == [0x01, 0x10])
    let empty = SimulatedTag(memory: [1, 2, 3], uid: Self.uid, patchInfo: nil)
    #expect(try await empty.exchange(.readBlock(0)) == [0x01, 0x10])
  }

  @Test("says its patch info to those who know its maker, and nothing to others")
  func patchInfo() async throws {
    #expect(try await tag().exchange(.patchInfo(.texasInstruments)) == [0x00, 0xDF, 0, 0, 0x01, 0, 0])
    #expect(try await tag(patchInfo: nil).exchange(.patchInfo(.texasInstruments)) == [0x01, 0x01])
    await #expect(throws: TransportError.tagLost(block: nil)) { try await tag().exchange(.patchInfo(.abbott)) }
  }

  @Test("spoils the exchanges it is told to, and no others")
  func faults() async throws {
    let tag = tag(faults: [2: .silence, 3: .refusal(.unspecified), 4: .inversion(byte: 1), 5: .inversion(byte: 99)])
    let sound: [UInt8] = [0x00, 0, 1, 2, 3, 4, 5, 6, 7]
    #expect(try await tag.exchange(.readBlock(0)) == sound)
    await #expect(throws: TransportError.tagLost(block: 0)) { try await tag.exchange(.readBlock(0)) }
    #expect(try await tag.exchange(.readBlock(0)) == [0x01, 0x0F])
    #expect(try await tag.exchange(.readBlock(0)) == [0x00, 0xFF, 1, 2, 3, 4, 5, 6, 7])
    #expect(try await tag.exchange(.readBlock(0)) == sound)
    #expect(try await tag.exchange(.readBlock(0)) == sound)
    #expect(await tag.exchangeCount == 6)
  }

  @Test("answers every possible request with a whole answer")
  func everyAnswerIsWhole() async throws {
    var requests: [ISO15693.Request] = [.inventory, .systemInformation, .patchInfo(.texasInstruments)]
    requests += (UInt8.min...UInt8.max).map { .readBlock($0) }
    requests += (0...255).flatMap { first in
      (1...3).compactMap { ISO15693.BlockRun(first: first, count: $0) }.map { .readBlocks($0) }
    }
    let tag = tag()
    for request in requests {
      let response = try await tag.response(to: request)
      let mayBeRefused = (request.blockByBlock.last?.firstBlock ?? 0) > 42
      #expect((response == .error(.blockNotAvailable)) == mayBeRefused, "\(request)")
    }
  }
}

@Suite("Simulated readers")
struct SimulatedBackendTests {
  private func open(_ text: String) async throws -> any TagReader {
    try await SimulatedBackend().open(ReaderAddress(text))
  }

  @Test("puts the sensor of a scenario on a reader")
  func scenario() async throws {
    let reader = try await open("sim:active:7")
    #expect(reader.description.address == "sim:active:7")
    let image = try #require(Scenario.named("active")).image(seed: 7)
    #expect(try await reader.response(to: .inventory) == .inventory(#require(image.uid)))
    #expect(
      try await reader.response(to: .patchInfo(.texasInstruments)) == .patchInfo(#require(image.patchInfo)))
    #expect(try await reader.response(to: .readBlock(39)) == .blocks(Array(image.bytes[312..<320])))
  }

  @Test("gives another sensor for another seed, and the same for the same")
  func seeds() async throws {
    let first = try await open("sim:active").exchange(.inventory)
    #expect(try await open("sim:active").exchange(.inventory) == first)
    #expect(try await open("sim:active:18446744073709551615").exchange(.inventory) != first)
  }

  @Test(
    "leads nowhere without such a scenario or such a seed",
    arguments: [
      "sim:no-such-scenario", "sim:active:", "sim:active:x", "sim:active:-1", "sim:active:1:2", "sim::1",
      "sim:active:18446744073709551616", "pcsc", "replay:active",
    ])
  func unknown(text: String) async {
    await #expect(throws: TransportError.unknownAddress(text)) { try await open(text) }
  }

  @Test("has the scheme of its addresses")
  func scheme() throws {
    #expect(SimulatedBackend().scheme == ReaderAddress.simulated(source: "active").scheme)
  }
}
