// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport
import Testing

@Suite("Backend for recordings")
struct ReplayBackendTests {
  /// Two files, one of them damaged.
  private let backend = ReplayBackend { path throws(TransportError) in
    switch path {
    case "tap.trace": Array("# name: ACS ACR1552\n02 20 00 -> 00 00\n".utf8)
    case "dump.hex": Array("# a dump\n00 11 22 33\n".utf8)
    default: throw .fileUnreadable(path: path, reason: "no such file")
    }
  }

  @Test("an address opens the recording in a file")
  func recording() async throws {
    let reader = try await backend.open(ReaderAddress(scheme: "replay", rest: "tap.trace"))
    #expect(await reader.description.address == "replay:tap.trace")
    #expect(await reader.description.name == "ACS ACR1552")
    try await reader.waitForTag(within: .zero)
    #expect(try await reader.exchange(.readBlock(0)) == [0x00, 0x00])
  }

  @Test(
    "an invalid address gives an error with the reason",
    arguments: [
      (ReaderAddress(scheme: "replay", rest: "nowhere"), .fileUnreadable(path: "nowhere", reason: "no such file")),
      (ReaderAddress(scheme: "replay", rest: "dump.hex"), .badTrace(line: 2)),
      (.pcsc(name: nil), .unknownAddress("pcsc")),
    ] as [(ReaderAddress, TransportError)])
  func failures(address: ReaderAddress, error: TransportError) async {
    await #expect(throws: error) { try await backend.open(address) }
  }
}
