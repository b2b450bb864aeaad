// SPDX-License-Identifier: Apache-2.0
import NFCTransport
import Testing

@Suite("Reader addresses")
struct ReaderAddressTests {
  @Test(
    "an address has a scheme and an optional part after it",
    arguments: [
      ("auto", .automatic, "auto"),
      ("pcsc", .pcsc(name: nil), "pcsc"),
      ("pcsc:ACS ACR1552", .pcsc(name: "ACS ACR1552"), "pcsc"),
      ("pcsc:a:b", .pcsc(name: "a:b"), "pcsc"),
      ("nfc:pn532_uart:/dev/ttyACM0", ReaderAddress(scheme: "nfc", rest: "pn532_uart:/dev/ttyACM0"), "nfc"),
      ("proxmark", .proxmark(port: nil), "proxmark"),
      ("proxmark:/dev/ttyACM0", .proxmark(port: "/dev/ttyACM0"), "proxmark"),
      ("flipper", .flipper(port: nil), "flipper"),
      ("flipper:/dev/ttyACM0", .flipper(port: "/dev/ttyACM0"), "flipper"),
      ("phone", .phone(port: nil), "phone"),
      ("phone:5567", .phone(port: 5_567), "phone"),
      ("bridge", ReaderAddress(scheme: "bridge"), "bridge"),
      ("bridge:D8:C1:7A:F5:A1:D0", ReaderAddress(scheme: "bridge", rest: "D8:C1:7A:F5:A1:D0"), "bridge"),
      ("sim:steady", ReaderAddress(scheme: "sim", rest: "steady"), "sim"),
      ("sim:steady:7", ReaderAddress(scheme: "sim", rest: "steady:7"), "sim"),
      ("sim:./dump.hex", ReaderAddress(scheme: "sim", rest: "./dump.hex"), "sim"),
      ("replay:tap.trace", ReaderAddress(scheme: "replay", rest: "tap.trace"), "replay"),
    ] as [(String, ReaderAddress, String)])
  func addresses(text: String, address: ReaderAddress, scheme: String) throws {
    #expect(try ReaderAddress(text) == address)
    #expect(address.description == text)
    #expect(address.scheme == scheme)
  }

  @Test(
    "other text is not an address",
    arguments: [
      "", ":", "pcsc:", "nfc", "nfc:", "sim", "sim:", "replay", "replay:", "PCSC", "usb:1", ":x", "pcsc ", "auto:",
      "auto:x",
    ])
  func notAnAddress(text: String) {
    #expect(throws: TransportError.unknownAddress(text)) { try ReaderAddress(text) }
  }

  @Test("a serial reader without a port means the first one found, with or without a colon")
  func first() throws {
    #expect(try ReaderAddress("proxmark:") == .proxmark(port: nil))
    #expect(try ReaderAddress("flipper:") == .flipper(port: nil))
  }
}
