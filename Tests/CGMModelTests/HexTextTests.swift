// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct HexTextTests {
  @Test("bytes print as upper-case pairs, and a number at the full width of its type")
  func print() {
    #expect(HexText.string(of: [0x00, 0x0A, 0xFF] as [UInt8], separator: " ") == "00 0A FF")
    #expect(HexText.string(of: [] as [UInt8]).isEmpty)
    #expect(HexText.string(of: UInt16(0x00A0)) == "00A0" && HexText.string(of: UInt64(1)) == "0000000000000001")
  }

  @Test("every byte is read as it was printed, in either case and with the usual separators")
  func read() {
    let all = Array(UInt8.min...UInt8.max)
    #expect(HexText.bytes(of: HexText.string(of: all)) == all)
    #expect(HexText.bytes(of: HexText.string(of: all).lowercased()) == all)
    #expect(HexText.bytes(of: "c2 04:C8-78") == [0xC2, 0x04, 0xC8, 0x78])
  }

  @Test(
    "incomplete bytes, empty text and other characters are refused",
    arguments: ["", " ", "C", "C2 0", "0x12", "G0", "12\n34", "１２"])
  func refuse(text: String) {
    #expect(HexText.bytes(of: text) == nil)
  }

  @Test("exactly the 22 ASCII digits have a value")
  func nibbles() {
    #expect((UInt8.min...UInt8.max).filter { HexText.nibble($0) != nil } == Array("0123456789ABCDEFabcdef".utf8))
  }
}

@Suite("Text without heap memory")
struct FixedTextTests {
  @Test("numbers are written as Swift writes them", arguments: [0, 7, 10, -1, -90, 344, 1_000_000, .max, .min])
  func numbers(number: Int) {
    #expect(("\(number) bytes" as FixedText).description == "\(number) bytes" as String)
  }

  @Test("hexadecimal numbers have the digits of their width")
  func hexadecimal() {
    #expect(("\(hex: UInt8(0x0A)) \(hex: UInt16(0xC262))" as FixedText).description == "0A C262")
    #expect(("\(hex: UInt64.max)" as FixedText).description == "FFFFFFFFFFFFFFFF")
  }

  @Test("what does not fit is cut off")
  func long() {
    let ten: StaticString = "0123456789"
    var text: FixedText.Interpolation = .init(literalCapacity: 0, interpolationCount: 0)
    for _ in 0..<30 { text.appendLiteral(ten) }
    let cut = FixedText(stringInterpolation: text)
    #expect(cut.count == 255 && cut.description.hasSuffix("01234"))
  }

  @Test("the longest list of blocks fits")
  func blocks() {
    let text = BlockText.list(BlockSet(stride(from: 0, through: 42, by: 2)))
    #expect(text.hasPrefix("blocks 0, 2, 4") && text.hasSuffix("38, 40 and 42"))
  }
}
