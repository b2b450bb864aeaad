// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Libre1Core

struct SerialNumberTests {
  @Test("the first digit is that of the family, which not every one has; the maker's byte does not affect the number")
  func familyDigits() throws {
    for (family, digit) in [
      (.libre1, "0"), (.libreUS14Day, "0"), (.librePro, "1"), (.libre2, "3"), (.libre2Generation2, "3"),
      (.libreSense, "7"), (.libre3, nil), (.lingo, nil), (.unknown, nil),
    ] as [(SensorFamily, String?)] {
      for uid in ["E007A0000025905E", "E07AA0000025905E"] {
        #expect(SerialNumber.text(for: try SensorUID(printed: uid), family: family) == digit.map { $0 + "M00009DHCR" })
      }
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
}
