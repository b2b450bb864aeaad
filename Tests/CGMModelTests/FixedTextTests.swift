// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

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
