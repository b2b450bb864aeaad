// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import NFCTransport

struct PhoneBackendTests {
  /// What adb says, with the words that a user gets; nil if the phone can be used.
  private static let answers: [(output: String, status: Int, reason: String?)] = [
    ("List of devices attached\n29031FDH2001AB\tdevice\n\n", 0, nil),
    (
      "* daemon not running; starting now at tcp:5037\n* daemon started successfully\nList of devices attached\nA\tdevice\n",
      0, nil
    ),
    ("", 127, "adb is not installed"),
    ("", 1, "adb fails with status 1"),
    ("List of devices attached\n\n", 0, "adb sees no phone"),
    ("List of devices attached\nA\tunauthorized\n", 0, "the phone has not allowed this computer"),
    ("List of devices attached\nA\toffline\n", 0, "adb calls the phone offline"),
    (
      "List of devices attached\nA\tno permissions (missing udev rules?); see [http://d.android.com]\n", 0,
      "you may not use the phone's USB port"
    ),
    ("List of devices attached\nA\tdevice\nB\tunauthorized\n", 0, "adb sees 2 phones"),
  ]

  @Test("says what keeps a phone from being used, and the way out", arguments: answers.indices)
  func adb(index: Int) throws {
    let (output, status, reason) = Self.answers[index]
    let bytes = Array(output.utf8)
    guard let reason else { return try ADB.check(bytes, status: status, chosen: nil) }
    do throws(TransportError) {
      try ADB.check(bytes, status: status, chosen: nil)
      Issue.record("it must be refused")
    } catch {
      guard case .readerUnfit(_, reason, let remedy) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(!remedy.isEmpty)
    }
  }

  @Test("takes the phone that ANDROID_SERIAL names")
  func chosen() throws {
    let two = Array("List\nA\tdevice\nB\tdevice\n".utf8)
    try ADB.check(two, status: 0, chosen: "B")
    #expect(throws: TransportError.self) { try ADB.check(two, status: 0, chosen: "C") }
  }

  @Test("lists phones that allow debugging, after which auto takes one if there is no other reader")
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
