// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import NFCTransport

@Suite("Data objects")
struct DataObjectTests {
  @Test("tags have one or two bytes, lengths one to three")
  func forms() {
    let long = [UInt8](repeating: 7, count: 300)
    #expect(
      DataObject.list(bytes("C0 03 00 90 00  5F 46 04 40 0D 03 00  97 81 02 01 0F  96 00"))
        == [
          DataObject(tag: 0xC0, value: [0, 0x90, 0]), DataObject(tag: 0x5F46, value: [0x40, 0x0D, 3, 0]),
          DataObject(tag: 0x97, value: [1, 0x0F]), DataObject(tag: 0x96, value: []),
        ])
    #expect(
      DataObject.list(bytes("97 81 C8") + long.prefix(200)) == [DataObject(tag: 0x97, value: .init(long.prefix(200)))])
    #expect(DataObject.list(bytes("97 82 01 2C") + long) == [DataObject(tag: 0x97, value: long)])
    #expect(DataObject.list([]) == [])
  }

  @Test(
    "data with an incomplete object is not a list",
    arguments: [
      "97", "97 01", "97 02 00", "5F", "5F 46", "97 81", "97 82 00", "97 80 00 00", "97 83 00 00 01 00", "97 FF",
    ])
  func uneven(text: String) { #expect(DataObject.list(bytes(text)) == nil) }
}
