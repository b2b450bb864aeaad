// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct HexTextTests {
  @Test("bytes print as upper-case pairs")
  func print() {
    #expect(HexText.string(of: [0x00, 0x0A, 0xFF] as [UInt8]) == "000AFF")
    #expect(HexText.string(of: [0x00, 0x0A, 0xFF] as [UInt8], separator: " ") == "00 0A FF")
    #expect(HexText.string(of: [] as [UInt8]).isEmpty)
  }

  @Test("a number prints at the full width of its type")
  func number() {
    #expect(HexText.string(of: UInt16(0xC262)) == "C262")
    #expect(HexText.string(of: UInt16(0x00A0)) == "00A0")
    #expect(HexText.string(of: UInt8(5)) == "05")
    #expect(HexText.string(of: UInt64(1)) == "0000000000000001")
  }

  @Test("digits in either case and the usual separators are read")
  func read() {
    #expect(HexText.bytes(of: "c2 04:C8-78") == [0xC2, 0x04, 0xC8, 0x78])
    #expect(
      HexText.bytes(of: "0123456789abcdefABCDEF") == [1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0xAB, 0xCD, 0xEF])
  }

  @Test(
    "incomplete bytes, empty text and other characters are refused",
    arguments: ["", " ", "C", "C2 0", "0x12", "G0", "12\n34", "１２"])
  func refuse(text: String) {
    #expect(HexText.bytes(of: text) == nil)
  }

  @Test("every byte is unchanged after printing and reading")
  func roundTrip() {
    let all = Array(UInt8.min...UInt8.max)
    #expect(HexText.bytes(of: HexText.string(of: all)) == all)
    #expect(HexText.bytes(of: HexText.string(of: all).lowercased()) == all)
  }

  @Test("exactly the 22 ASCII digits have a value")
  func nibbles() {
    #expect((UInt8.min...UInt8.max).filter { HexText.nibble($0) != nil }.count == 22)
    #expect(HexText.nibble(UInt8(ascii: "9")) == 9)
    #expect(HexText.nibble(UInt8(ascii: "a")) == 10)
    #expect(HexText.nibble(UInt8(ascii: "F")) == 15)
  }
}
