// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct SensorFamilyTests {
  @Test("the words in JSON are those of the contract")
  func words() {
    #expect(SensorFamily.libre1.rawValue == "libre1")
    #expect(SensorFamily.libreUS14Day.rawValue == "libre_us14day")
    #expect(SensorFamily.librePro.rawValue == "libre_pro")
    #expect(SensorFamily.libre2.rawValue == "libre2")
    #expect(SensorFamily.unknown.rawValue == "unknown")
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
