// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NFCTransport

@Suite("Proxmark3 devices on USB")
struct ProxmarkBackendTests {
  private static func port(_ path: String, _ vendor: UInt16, _ product: UInt16) -> SerialDevice {
    SerialDevice(
      path: path, isUsable: true,
      usb: USBDevice(id: .init(vendor: vendor, product: product), product: "x", isCardReader: false))
  }

  private func backend(_ ports: SerialDevice...) -> ProxmarkBackend { ProxmarkBackend(ports: { ports }) }

  @Test("are found by their USB ids, also with very old firmware, and no other port is")
  func found() async throws {
    let backend = backend(
      Self.port("/dev/ttyACM0", 0x0483, 0x5740), Self.port("/dev/ttyACM1", 0x9AC4, 0x4B8F),
      SerialDevice(path: "/dev/ttyACM2", isUsable: true), Self.port("/dev/ttyACM3", 0x2D2D, 0x504D))
    let readers = try await backend.readers()
    #expect(readers.map(\.address.description) == ["proxmark:/dev/ttyACM1", "proxmark:/dev/ttyACM3"])
    #expect(readers.map(\.presence) == [.unknown, .unknown])
    #expect(readers.allSatisfy { KnownReader.named($0.name)?.scheme == "proxmark" })
  }

  @Test("are opened by port, or the first one if no port is given")
  func first() async {
    await #expect(throws: TransportError.port(path: "/dev/ttyNone", .missing)) {
      try await backend(Self.port("/dev/ttyNone", 0x9AC4, 0x4B8F)).open(.proxmark(port: nil))
    }
    await #expect(throws: TransportError.noReader) { try await backend().open(.proxmark(port: nil)) }
  }
}
