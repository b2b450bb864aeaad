// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import NFCTransport

struct PhoneBackendTests {
  @Test("lists phones that allow debugging, of which auto takes one where other readers are missing")
  func found() async throws {
    var phone = USBDevice(
      id: .init(vendor: 0x18D1, product: 0x4EE7), manufacturer: "Google", product: "Pixel 7a", isCardReader: false)
    phone.isDebuggedPhone = true
    let found = try await PhoneBackend(phones: { [phone] in [phone] }).readers()
    #expect(found.map(\.name) == ["Google Pixel 7a, by NFCGate"] && found.map(\.address.description) == ["phone"])
    #expect(found.map { ReaderAssessment($0).iso15693 } == [.yes])
    #expect(try await PhoneBackend(phones: { [] }).readers().isEmpty)
  }

  @Test("an address has a port or none", arguments: ["phone:x", "phone:70000", "phone:-1"])
  func address(text: String) async throws {
    let address = try ReaderAddress(text)
    await #expect(throws: TransportError.unknownAddress(text)) { try await PhoneBackend().open(address) }
  }

  @Test("a frame is addressed behind its command, or the manufacturer of a custom one")
  func addressedFrames() throws {
    let uid = try SensorUID(printed: "E007A00001234567")
    let onAir: [UInt8] = [0x67, 0x45, 0x23, 0x01, 0x00, 0xA0, 0x07, 0xE0]
    #expect(ISO15693.Request.readBlock(5).frame(addressedTo: uid) == [0x22, 0x20] + onAir + [5])
    #expect(
      ISO15693.Request.patchInfo(.texasInstruments).frame(addressedTo: uid) == [0x22, 0xA1, 0x07] + onAir)
    #expect(ISO15693.Request.inventory.frame(addressedTo: uid) == nil)
  }
}
