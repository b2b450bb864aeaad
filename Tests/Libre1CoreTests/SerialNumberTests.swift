// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Libre1Core

struct SerialNumberTests {
  @Test("the first digit is that of the family, and families without a known digit have no serial number")
  func familyDigits() throws {
    let uid = try SensorUID(printed: "E007A0000025905E")
    #expect(SerialNumber.text(for: uid, family: .libre1) == "0M00009DHCR")
    #expect(SerialNumber.text(for: uid, family: .libreUS14Day) == "0M00009DHCR")
    #expect(SerialNumber.text(for: uid, family: .librePro) == "1M00009DHCR")
    #expect(SerialNumber.text(for: uid, family: .libre2) == "3M00009DHCR")
    #expect(SerialNumber.text(for: uid, family: .libre2Generation2) == "3M00009DHCR")
    #expect(SerialNumber.text(for: uid, family: .libreSense) == "7M00009DHCR")
    for family in [SensorFamily.libre3, .lingo, .unknown] {
      #expect(SerialNumber.text(for: uid, family: family) == nil)
    }
  }

  @Test("the alphabet omits B, I, O and S, and two zero bits fill the tenth group")
  func alphabet() throws {
    var seen: Set<Character> = []
    for group in 0..<32 {
      // Group 0 is the top five of the 48 bits.
      let uid = try #require(SensorUID(bits: 0xE007_0000_0000_0000 | UInt64(group) << 43))
      let text = try #require(SerialNumber.text(for: uid, family: .libre1))
      #expect(text.dropFirst(2) == "000000000")
      seen.insert(text[text.index(after: text.startIndex)])
    }
    #expect(seen == Set("0123456789ACDEFGHJKLMNPQRTUVWXYZ"))
    let lowest = try #require(SensorUID(bits: 0xE007_0000_0000_0001))
    #expect(SerialNumber.text(for: lowest, family: .libre1) == "00000000004")
  }

  @Test("the maker's byte does not affect the serial number")
  func maker() throws {
    let newer = try SensorUID(printed: "E07AA0000025905E")
    #expect(SerialNumber.text(for: newer, family: .libre1) == "0M00009DHCR")
  }
}
