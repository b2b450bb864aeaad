// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct SensorFamilyTests {
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
