// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct PatchInfoTests {
  /// The table of Libre1Core/MemoryFormat, "Patch info", with each prefix extended to six bytes.
  static let table: [(String, SensorFamily)] = [
    ("DF0000010000", .libre1), ("A20800010000", .libre1),
    ("E50003020000", .libreUS14Day), ("E60003020000", .libreUS14Day),
    ("700010010000", .librePro),
    ("9D0830010000", .libre2), ("C50930010000", .libre2), ("7F0E30010000", .libre2),
    ("C60931010000", .libre2), ("7F0E31010000", .libre2),
    ("760939020000", .libre2Generation2), ("760939040000", .libre2Generation2),
    ("2B0A39080000", .libre2Generation2), ("2B0A3A080000", .libre2Generation2), ("2C0A3A020000", .libre2Generation2),
    ("760979010000", .libreSense),
    ("000000000000", .unknown), ("FFFFFFFFFFFF", .unknown),
  ]

  @Test("the first bytes determine the family", arguments: table)
  func family(text: String, family: SensorFamily) throws {
    let bytes = try #require(HexText.bytes(of: text))
    #expect(try #require(PatchInfo(bytes)).family == family)
  }

  @Test(
    "in the long response byte 12 determines the family",
    arguments: [(4, .libre3), (5, .libre3), (10, .libre3), (9, .lingo), (0, .unknown)] as [(UInt8, SensorFamily)])
  func longAnswer(code: UInt8, family: SensorFamily) throws {
    var bytes = [UInt8](repeating: 0, count: 24)
    bytes[0] = 0xDF
    bytes[12] = code
    #expect(try #require(PatchInfo(bytes)).family == family)
  }

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
      #expect(PatchInfo.taken(from: known.answer) == known)
    }
  }

  @Test("patch info prints as upper-case digits without separators")
  func text() throws {
    #expect(try #require(PatchInfo([0xDF, 0x00, 0x00, 0x01, 0x0a, 0x9c])).description == "DF0000010A9C")
  }

  @Test("the cipher of US 14 day and Libre 2 is public, and that of later generations is not")
  func encryption() {
    #expect(Set(SensorFamily.allCases.filter(\.isEncrypted)) == [.libreUS14Day, .libre2])
    #expect(
      Set(SensorFamily.allCases.filter { !$0.isReadable }) == [.libre2Generation2, .libre3, .libreSense, .lingo])
  }

  @Test("every family has its own display name")
  func names() {
    #expect(Set(SensorFamily.allCases.map(\.productName)).count == SensorFamily.allCases.count)
  }
}
