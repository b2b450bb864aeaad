// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct MeasurementErrorTests {
  @Test(
    "each of the nine bits has the name in the contract",
    arguments: [
      (0x001, "fifo_overflow"), (0x002, "filter_delta"), (0x004, "work_voltage"), (0x008, "peak_delta"),
      (0x010, "average_delta"), (0x020, "rf_interference"), (0x040, "reference_resistance"),
      (0x080, "signal_saturated"), (0x100, "signal_low"),
    ] as [(UInt16, String)])
  func bit(raw: UInt16, name: String) {
    #expect(MeasurementError(rawValue: raw).names == [name])
  }

  @Test("names are ordered from the lowest bit, and the two flag bits above have no name")
  func several() {
    #expect(MeasurementError(rawValue: 0x122).names == ["filter_delta", "rf_interference", "signal_low"])
    #expect(MeasurementError(rawValue: 0x600).names.isEmpty)
    #expect(MeasurementError(rawValue: 0x1FF).names.count == 9)
    #expect(MeasurementError([]).names.isEmpty)
  }

  @Test("RF interference is this bit")
  func interference() {
    #expect(MeasurementError.rfInterference.rawValue == 0x020)
  }
}
