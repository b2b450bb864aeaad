// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct SensorProductTests {
  /// The table of Libre1Core/MemoryFormat, "Patch info", with each prefix extended: bytes made by hand, of no sensor.
  private static let table: [(String, SensorProduct?, SensorFamily)] = [
    ("DF0000010000", .libre, .libre1), ("A20800010000", .libre, .libre1),
    ("E50003020000", .libreUS14Day, .libreUS14Day), ("E60003020000", .libreUS14Day, .libreUS14Day),
    ("700010010000", .librePro, .librePro),
    ("9D0830010000", .libre2, .libre2), ("C50930010000", .libre2, .libre2), ("7F0E30010000", .libre2, .libre2),
    ("C60931010000", .libre2Plus, .libre2), ("7F0E31010000", .libre2Plus, .libre2),
    ("760939020000", .libre2US, .libre2Generation2), ("760939040000", .libre2Canada, .libre2Generation2),
    ("2B0A39080000", .libre2Russia, .libre2Generation2),
    ("2B0A3A080000", .libre2PlusLatinAmerica, .libre2Generation2),
    ("2C0A3A020000", .libre2PlusUS, .libre2Generation2), ("760979010000", .libreSense, .libreSense),
    (long(type: 4), .libre3, .libre3), (long(type: 4, generation: 1), .libre3Plus, .libre3),
    (long(type: 4, subregion: "C0"), .libreSelect, .libre3), (long(type: 5), .libreX, .libre3),
    (long(type: 9), .lingo, .lingo), (long(type: 10), .instinct, .libre3),
    // The family is known, and which product of it is not.
    ("9D0831010000", nil, .libre2), ("2B0A3A010000", nil, .libre2Generation2),
    ("2C0A39020000", nil, .libre2Generation2),
    (long(type: 4, generation: 2), nil, .libre3), (long(type: 4, subregion: "80"), nil, .libre3),
    (long(type: 1), nil, .unknown), (long(type: 0), nil, .unknown), ("000000000000", nil, .unknown),
    ("FFFFFFFFFFFF", nil, .unknown),
  ]

  private static func long(type: UInt8, subregion: String = "00", generation: UInt8 = 0) -> String {
    "010001\(subregion)\(HexText.string(of: generation))00605401000002\(HexText.string(of: type))0C04"
      + "303132333435363738"
  }

  @Test("a patch info names the product on the box, or none", arguments: table)
  func product(text: String, product: SensorProduct?, family: SensorFamily) throws {
    let bytes = try #require(HexText.bytes(of: text))
    let info = try #require(PatchInfo(bytes))
    #expect(SensorProduct(info) == product)
    #expect(info.family == family)
    #expect(SensorProduct(info, of: family) == product)
    // A memory of another family is better evidence.
    for other in SensorFamily.allCases where other != family {
      let isDecrypted = family == .libre2Generation2 && other == .libre2
      #expect(SensorProduct(info, of: other) == (isDecrypted ? product : nil))
    }
  }

  @Test("each product has a row in the table, and products and families have names of their own")
  func names() {
    #expect(Set(Self.table.compactMap(\.1)) == Set(SensorProduct.allCases))
    #expect(Set(SensorProduct.allCases.map(\.name)).count == SensorProduct.allCases.count)
    #expect(Set(SensorFamily.allCases.map(\.productName)).count == SensorFamily.allCases.count)
    #expect(SensorProduct(nil, of: .libre1) == nil)
  }
}
