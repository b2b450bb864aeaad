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
    ])
  func names(name: String, title: String) { #expect(KnownReader.named(name)?.title == title) }

  @Test("an unknown name matches no reader", arguments: ["", "Virtual PCD 00 00", "Gemalto PC Twin Reader 00 00"])
  func unknown(name: String) { #expect(KnownReader.named(name) == nil) }

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
      #expect(!reader.nameParts.isEmpty)
      for part in reader.nameParts {
        #expect(KnownReader.named("X \(part.lowercased()) 00 00") == reader)
        #expect(KnownReader.named(part.uppercased()) == reader)
      }
      for id in reader.usbIDs { #expect(KnownReader.plugged(id) == reader) }
    }
  }

  @Test("a title is safe in a table, and in the shell command that adds a reader to a driver's list")
  func titles() { for reader in KnownReader.all { #expect(!reader.title.contains(/['|&\\<>]/)) } }

  @Test("a USB id has the format of lsusb")
  func usbID() {
    #expect(KnownReader.USBID(vendor: 0x072F, product: 0x2303).description == "072f:2303")
    #expect(KnownReader.USBID(vendor: 0x1, product: 0xABC).description == "0001:0abc")
    #expect(KnownReader.plugged(.init(vendor: 0x072F, product: 0x2303))?.title == "ACS ACR1552U")
    #expect(KnownReader.plugged(.init(vendor: 0x1234, product: 0x2303)) == nil)
  }
}
