// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

/// The words that a reading has in JSON (CONTRACT, "libre.reading/1").
struct ContractWordsTests {
  @Test("of the verdicts on a region only ok and torn can be trusted")
  func verdicts() {
    let verdicts: [RegionVerdict] = [
      .ok, .torn, .bad(stored: 0xC262, computed: 0x1F3A), .absent(BlockSet([42])),
    ]
    #expect(verdicts.filter(\.isTrusted).map(\.name) == ["ok", "torn"])
  }

  @Test("the region byte has the words of the contract; an undocumented one is kept")
  func regions() {
    #expect(
      ([0, 1, 2, 3, 4, 8, 255] as [UInt8]).map { SensorRegion($0).name } == [
        "unknown", "european", "usa", "unknown", "australia_canada", "east_row", "unknown",
      ])
    #expect(SensorRegion(16) == .unknown(16) && SensorRegion(0) == .unspecified)
  }

  @Test("the state byte has the words of the contract; every byte is kept, and an untrusted state has none")
  func states() {
    let words = ["unknown", "not_activated", "warming_up", "active", "expired", "shutdown", "failure"]
    for raw in UInt8.min...UInt8.max {
      #expect(SensorState(raw).raw == raw && SensorState(raw).name == (raw < 7 ? words[Int(raw)] : "unknown"))
    }
    let untrusted = SensorState.unknown(nil)
    #expect(untrusted.raw == nil && untrusted.name == "unknown" && untrusted != SensorState(9))
  }

  @Test("each of the nine bits of an error has its name, in order from the lowest, and the two flags above have none")
  func errors() {
    let names = [
      "fifo_overflow", "filter_delta", "work_voltage", "peak_delta", "average_delta", "rf_interference",
      "reference_resistance", "signal_saturated", "signal_low",
    ]
    for (bit, name) in names.enumerated() { #expect(MeasurementError(rawValue: 1 << bit).names == [name]) }
    #expect(MeasurementError(rawValue: 0x7FF).names == names)
  }
}
