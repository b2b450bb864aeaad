// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct SampleQualityTests {
  @Test("the words in JSON are those of the contract")
  func words() {
    #expect(
      Set(SampleQuality.allCases.map(\.rawValue))
        == ["ok", "error", "never_written", "low_signal", "temperature", "warm_up"])
    #expect(Set(SampleRing.allCases.map(\.rawValue)) == ["history", "trend"])
    #expect(
      Set(ReadTimeSource.allCases.map(\.rawValue)) == ["clock", "option", "file", "modification_time", "unknown"])
  }
}
