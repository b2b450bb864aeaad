// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct SensorRegionTests {
  @Test(
    "the region byte has the words of the contract",
    arguments: [
      (0, "unknown"), (1, "european"), (2, "usa"), (4, "australia_canada"), (8, "east_row"), (3, "unknown"),
      (255, "unknown"),
    ] as [(UInt8, String)])
  func words(raw: UInt8, word: String) {
    #expect(SensorRegion(raw).name == word)
  }

  @Test("an undocumented byte is kept")
  func undescribed() {
    #expect(SensorRegion(16) == .unknown(16))
    #expect(SensorRegion(0) == .unspecified)
  }
}
