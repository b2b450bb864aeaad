// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct SensorDescriptionTests {
  @Test("only failure codes with a known meaning have a description; that of a checksum failure names the region")
  func failureCodes() {
    let texts = (UInt8.min...UInt8.max).map { SensorFailure(code: $0, minute: SensorMinute(4_000)).text }
    #expect(
      texts.indices.filter { texts[$0] != nil }
        == [0x01, 0x05, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x13, 0x28, 0x34])
    for (code, word) in [(0x0C, "header"), (0x0D, "body"), (0x0E, "footer"), (0x0F, "code")] {
      #expect(texts[code]?.contains(word) == true && texts[code]?.contains("CRC") == true)
    }
  }
}
