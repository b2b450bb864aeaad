// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport
import TestSupport
import Testing

@Suite("The default reader")
struct AutomaticBackendTests {
  /// Opens a sensor with the address as the name of its reader.
  private struct Stub: ReaderBackend {
    let scheme: String
    var summary: String { scheme }
    let answer: Result<[FoundReader], TransportError>

    func readers() async throws(TransportError) -> [FoundReader] { try answer.get() }

    func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
      if try answer.get().isEmpty { throw .noReader }
      return SimulatedTag(address: address.description) { _ in MemoryImage(bytes: []) }
    }
  }

  private static func pcsc(_ names: String..., presence: FoundReader.Presence = .nothing) -> Stub {
    Stub(
      scheme: "pcsc",
      answer: .success(names.map { FoundReader(address: .pcsc(name: $0), name: $0, presence: presence) }))
  }

  private static let laptop = "Alcor Micro AU9540 00 00"
  private static let noService = Stub(scheme: "pcsc", answer: .failure(.noDaemon))
  private static let proxmark = Stub(
    scheme: "proxmark",
    answer: .success([
      FoundReader(address: .proxmark(port: "/dev/ttyACM0"), name: "Proxmark3 on /dev/ttyACM0", presence: .unknown)
    ]))
  private static let noProxmark = Stub(scheme: "proxmark", answer: .success([]))

  private func taken(_ choices: [Stub]) async throws -> String {
    try await AutomaticBackend(among: choices).open(.automatic).description.address
  }

  @Test("is a PC/SC reader that can read sensors, before a Proxmark3")
  func pcscFirst() async throws {
    #expect(try await taken([Self.pcsc(ReaderMachine.acr1552), Self.proxmark]) == "pcsc")
  }

  @Test("is a Proxmark3 if PC/SC does not run or has only unsuitable, unknown or busy readers")
  func proxmark() async throws {
    for pcsc in [
      Self.pcsc(), Self.pcsc(ReaderMachine.acr122), Self.pcsc(Self.laptop), Self.noService,
      Self.pcsc(ReaderMachine.acr1552, presence: .busy),
    ] {
      #expect(try await taken([pcsc, Self.proxmark]) == "proxmark")
    }
  }

  @Test("is any PC/SC reader if there is no other, and a PC/SC error is reported")
  func others() async throws {
    #expect(try await taken([Self.pcsc(Self.laptop), Self.noProxmark]) == "pcsc")
    await #expect(throws: TransportError.noDaemon) { try await taken([Self.noService, Self.noProxmark]) }
    await #expect(throws: TransportError.noReader) { try await taken([Self.pcsc(), Self.noProxmark]) }
    await #expect(throws: TransportError.noReader) { try await taken([]) }
  }
}
