// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct RawSampleTests {
  private func sample(hasError: Bool, errorField: UInt16) -> RawSample {
    RawSample(
      ring: .trend, minute: SensorMinute(100), glucose: 1_000, temperature: 6_600, temperatureAdjustment: 0,
      hasError: hasError, errorField: errorField, isNeverWritten: false)
  }

  @Test("a good record has no errors although its error field is never zero on a Libre 1")
  func goodRecord() {
    #expect(sample(hasError: false, errorField: 0x320).errors.isEmpty)
    #expect(sample(hasError: false, errorField: 0x7FF).errors.isEmpty)
  }

  @Test("a flagged record has the low nine error bits, without the two above")
  func flaggedRecord() {
    #expect(sample(hasError: true, errorField: 0x220).errors == .rfInterference)
    #expect(sample(hasError: true, errorField: 0x204).errors.names == ["work_voltage"])
    #expect(sample(hasError: true, errorField: 0x300).errors.names == ["signal_low"])
    #expect(sample(hasError: true, errorField: 0x600).errors.isEmpty)
  }
}
