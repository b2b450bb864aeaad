// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NFCTransport

@Suite("Data removed from a recording")
struct TraceRedactionTests {
  private static func answer(_ frame: [UInt8], to request: ISO15693.Request) -> [UInt8] {
    var redaction = TraceRedaction()
    return redaction.answer(frame, to: request)
  }

  @Test("sensors in a recording are numbered, so that two are not mistaken for one")
  func count() {
    var redaction = TraceRedaction()
    let other: [UInt8] = [0x01, 0, 0, 0, 0, 0xA0, 0x07, 0xE0]
    let answers = [Self.uid, other, Self.uid].map { redaction.answer([0x00, 0x00] + $0, to: .inventory) }
    #expect(answers[0] == [0x00, 0x00] + Self.kind && answers[2] == answers[0])
    #expect(answers[1] == [0x00, 0x00, 0x01, 0, 0, 0, 0, 0xA0, 0x07, 0xE0])
  }

  /// `E0 07 A0 11 22 33 44 55`, lowest byte first.
  static let uid: [UInt8] = [0x55, 0x44, 0x33, 0x22, 0x11, 0xA0, 0x07, 0xE0]
  static let kind: [UInt8] = [0, 0, 0, 0, 0, 0xA0, 0x07, 0xE0]

  @Test(
    "only the flags are kept of an answer in which the position of the UID is unknown",
    arguments: [
      [0x00] + uid, [0x00, 0x01] + uid.reversed(), [0x00, 0x01] + uid + uid, [0x01, 0x01] + uid, [0xFF, 0x01] + uid,
      [0x00, 0x01] + uid.prefix(4), [0x00], [],
    ] as [[UInt8]])
  func spoiled(frame: [UInt8]) {
    let expected = Array(frame.prefix(1)) + [UInt8](repeating: 0, count: max(0, frame.count - 1))
    for request in [ISO15693.Request.inventory, .systemInformation] {
      #expect(Self.answer(frame, to: request) == expected)
    }
  }

  /// Fifteen bytes of the long patch info of the Libre 3 family, before its serial number.
  private static let info = Array(UInt8(1)...15)
  private static let serial = Array("0A1B2C3D4".utf8)

  @Test(
    "manufacturer and product of a UID are kept, and all without a UID or a serial number",
    arguments: [
      (.inventory, [0x00, 0x01] + uid, [0x00, 0x01] + kind),
      (.systemInformation, [0x00, 0x04] + uid + [0xF3, 0x07], [0x00, 0x04] + kind + [0xF3, 0x07]),
      (.inventory, [0x01, 0x0F], nil), (.systemInformation, [0x01, 0x0F], nil), (.readBlock(0), [0x01, 0x0F], nil),
      (.patchInfo(.abbott), [0x01, 0x0F], nil), (.patchInfo(.texasInstruments), [0x00, 0xDF, 0, 0, 1, 2, 3], nil),
      (.readBlock(0), [0x00] + (1...24), nil),
      (.patchInfo(.abbott), [0x00] + info + serial, [0x00] + info + [UInt8](repeating: 0, count: 9)),
      // The fillers and the checksum of the answer on air.
      (
        .patchInfo(.abbott), [0x00, 0xA5, 0xA5, 0x00] + info + serial + [1, 2],
        [0x00, 0xA5, 0xA5, 0x00] + info + [UInt8](repeating: 0, count: 11)
      ),
    ] as [(ISO15693.Request, [UInt8], [UInt8]?)])
  func kept(request: ISO15693.Request, frame: [UInt8], written: [UInt8]?) {
    #expect(Self.answer(frame, to: request) == written ?? frame)
  }

  @Test(
    "serial numbers in a reader's name are removed, models are kept",
    arguments: [
      (
        "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader PICC] 00 00",
        "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader PICC] 00 00"
      ),
      ("SpringCard Puck (1A2B3C4D) 00 00", "SpringCard Puck (xxxxxxxx) 00 00"),
      (
        "Identiv uTrust 3720F [CCID Interface] (53691711203157) 01 00",
        "Identiv uTrust 3720F [CCID Interface] (xxxxxxxxxxxxxx) 01 00"
      ),
      ("HID Global OMNIKEY 5422 Smartcard Reader", "HID Global OMNIKEY 5422 Smartcard Reader"),
      ("Façade decade 12345 123456", "Façade decade 12345 xxxxxx"), ("123456", "xxxxxx"), ("", ""),
    ])
  func readerNames(name: String, written: String) {
    #expect(TraceRedaction.text(name) == written)
  }
}
