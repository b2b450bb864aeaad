// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct PatchInfoTests {
  @Test("a response has 6 to 24 bytes")
  func length() {
    for count in 0...40 {
      #expect((PatchInfo([UInt8](repeating: 0, count: count)) != nil) == (6...24).contains(count))
    }
  }

  @Test("the patch info of a Libre 3 is taken out of what surrounds it in an answer, however many fillers there are")
  func answer() throws {
    // Made by hand: the bytes of no sensor.
    let info = (0..<24).map { UInt8($0 + 0x40) }
    for fillers in 1...8 {
      let answer = [UInt8](repeating: 0xA5, count: fillers) + [0] + info + [0x12, 0x34]
      #expect(PatchInfo.taken(from: answer)?.bytes == info)
      #expect(PatchInfo.place(in: answer) == fillers + 1..<fillers + 25)
      // Too short, too long, and without the zero after the fillers.
      for wrong in [answer.dropLast(), answer + [0], answer.map { $0 == 0 ? 1 : $0 }] {
        #expect(PatchInfo.taken(from: Array(wrong)) == nil)
      }
    }
    for count in 0...40 {
      #expect((PatchInfo.taken(from: [UInt8](repeating: 1, count: count)) != nil) == [6, 24].contains(count))
      #expect((PatchInfo.taken(from: [UInt8](repeating: 0xA5, count: count)) != nil) == [6, 24].contains(count))
    }
    for bytes in [Array(info), Array(info.prefix(6))] {
      let known = try #require(PatchInfo(bytes))
      #expect(PatchInfo.taken(from: known.answer) == known && known.description == HexText.string(of: bytes))
    }
  }

  @Test("the cipher of US 14 day and Libre 2 is public, and that of later generations is not")
  func encryption() {
    #expect(Set(SensorFamily.allCases.filter(\.isEncrypted)) == [.libreUS14Day, .libre2])
    #expect(
      Set(SensorFamily.allCases.filter { !$0.isReadable }) == [.libre2Generation2, .libre3, .libreSense, .lingo])
  }
}
