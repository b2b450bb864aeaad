// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct SensorDescriptionTests {
  @Test("only failure codes with a known meaning have a description")
  func failureCodes() {
    let described = (UInt8.min...UInt8.max).filter { SensorFailure(code: $0, minute: SensorMinute(1)).text != nil }
    #expect(described == [0x01, 0x05, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x13, 0x28, 0x34])
  }

  @Test(
    "the description of a checksum failure names the region",
    arguments: [(0x0C, "header"), (0x0D, "body"), (0x0E, "footer"), (0x0F, "code")] as [(UInt8, String)])
  func checksumFailures(code: UInt8, word: String) {
    let text = SensorFailure(code: code, minute: SensorMinute(4_000)).text
    #expect(text?.contains(word) == true)
    #expect(text?.contains("CRC") == true)
  }
}
