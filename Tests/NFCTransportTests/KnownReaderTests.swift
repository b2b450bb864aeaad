// SPDX-License-Identifier: Apache-2.0
import NFCTransport
import Testing

struct KnownReaderTests {
  @Test(
    "a reader is recognised by any name that a Linux driver gives it",
    arguments: [
      ("ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader PICC] 00 00", "ACS ACR1552U"),
      ("ACS ACR1552 1S CL Reader PICC 0", "ACS ACR1552U"), ("ACS ACR1552 1S CL Reader(1)", "ACS ACR1552U"),
      ("ACS ACR122U PICC Interface 00 00", "ACS ACR122U, Touchatag"),
      ("ACS ACR1222 1SAM PICC Reader 00 00", "ACS ACR122U, Touchatag"),
      ("SpringCard H663 Series (00000000) 00 00", "SpringCard (H663, H512, Puck, SpringCore …)"),
      ("HID Global OMNIKEY 5022 Smart Card Reader 00 00", "HID OMNIKEY 5022, 5023, 5027, 5122, 5422, 5427"),
      ("OMNIKEY CardMan 5321 00 00", "HID OMNIKEY 5321"), ("pn532killer", "PN532Killer"),
      ("SCM Micro / SCL3711-NFC&RW", "PN532 modules, PN533 sticks, SCM SCL3711"),
      ("", nil), ("Virtual PCD 00 00", nil), ("Gemalto PC Twin Reader 00 00", nil),
    ] as [(String, String?)])
  func names(name: String, title: String?) { #expect(KnownReader.named(name)?.title == title) }

  @Test("the ACR1552U's SAM slot is not the slot that reads tags")
  func samSlot() throws {
    let slot = try #require(KnownReader.named("ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader SAM] 00 01"))
    #expect(slot.ability == .cannot(reason: "this slot is for a SAM; the reader has another slot for tags"))
    #expect(!KnownReader.all.contains(slot))
  }

  @Test("all readers have different titles, names and USB ids, and are found by their own")
  func unique() {
    let all = KnownReader.all
    #expect(Set(all.map(\.title)).count == all.count)
    #expect(Set(all.flatMap(\.nameParts)).count == all.flatMap(\.nameParts).count)
    #expect(Set(all.flatMap(\.usbIDs)).count == all.flatMap(\.usbIDs).count)
    for reader in all {
      // A title is safe in a table, and in the shell command that adds a reader to a driver's list.
      #expect(!reader.nameParts.isEmpty && !reader.title.contains(/['|&\\<>]/))
      for part in reader.nameParts {
        #expect(KnownReader.named("X \(part.lowercased()) 00 00") == reader)
        #expect(KnownReader.named(part.uppercased()) == reader)
      }
      for id in reader.usbIDs { #expect(KnownReader.plugged(id) == reader) }
    }
    #expect(KnownReader.plugged(.init(vendor: 0x1234, product: 0x2303)) == nil)
  }
}

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
      // A serial reader without a port means the first one found, with or without a colon.
      ("proxmark:", .proxmark(port: nil), "proxmark"), ("flipper:", .flipper(port: nil), "flipper"),
    ] as [(String, ReaderAddress, String)])
  func addresses(text: String, address: ReaderAddress, scheme: String) throws {
    #expect(try ReaderAddress(text) == address)
    #expect(address.description == (address.rest == nil ? address.scheme : text))
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
}
