// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

/// The words that a reading has in JSON (CONTRACT, "libre.reading/1").
struct ContractWordsTests {
  @Test("qualities, rings and sources of the read time")
  func samples() {
    #expect(
      Set(SampleQuality.allCases.map(\.rawValue))
        == ["ok", "error", "never_written", "low_signal", "temperature", "warm_up"])
    #expect(Set(SampleRing.allCases.map(\.rawValue)) == ["history", "trend"])
    #expect(
      Set(ReadTimeSource.allCases.map(\.rawValue)) == ["clock", "option", "file", "modification_time", "unknown"])
  }

  @Test("verdicts on a region, of which only ok and torn can be trusted")
  func verdicts() {
    let bad = RegionVerdict.bad(stored: 0xC262, computed: 0x1F3A)
    let absent = RegionVerdict.absent(BlockSet([42]))
    #expect([RegionVerdict.ok, .torn, bad, absent].map(\.name) == ["ok", "torn", "bad", "absent"])
    #expect([RegionVerdict.ok, .torn, bad, absent].map(\.isTrusted) == [true, true, false, false])
  }

  @Test("families")
  func families() {
    let families = [SensorFamily.libre1, .libreUS14Day, .librePro, .libre2, .unknown]
    #expect(families.map(\.rawValue) == ["libre1", "libre_us14day", "libre_pro", "libre2", "unknown"])
  }

  @Test(
    "the region byte; an undocumented one is kept",
    arguments: [
      (0, "unknown"), (1, "european"), (2, "usa"), (4, "australia_canada"), (8, "east_row"), (3, "unknown"),
      (255, "unknown"),
    ] as [(UInt8, String)])
  func regions(raw: UInt8, word: String) {
    #expect(SensorRegion(raw).name == word)
    #expect(SensorRegion(16) == .unknown(16) && SensorRegion(0) == .unspecified)
  }

  @Test(
    "the state byte",
    arguments: [
      (1, "not_activated"), (2, "warming_up"), (3, "active"), (4, "expired"), (5, "shutdown"), (6, "failure"),
      (0, "unknown"), (7, "unknown"), (255, "unknown"),
    ] as [(UInt8, String)])
  func states(raw: UInt8, word: String) {
    #expect(SensorState(raw).name == word)
  }

  @Test("every byte of a state is kept, and an untrusted state has none and differs from an undocumented one")
  func stateBytes() {
    for raw in UInt8.min...UInt8.max { #expect(SensorState(raw).raw == raw) }
    #expect(SensorState.unknown(nil).raw == nil)
    #expect(SensorState.unknown(nil).name == "unknown")
    #expect(SensorState.unknown(nil) != SensorState(9))
  }

  @Test(
    "each of the nine bits of an error",
    arguments: [
      (0x001, "fifo_overflow"), (0x002, "filter_delta"), (0x004, "work_voltage"), (0x008, "peak_delta"),
      (0x010, "average_delta"), (0x020, "rf_interference"), (0x040, "reference_resistance"),
      (0x080, "signal_saturated"), (0x100, "signal_low"),
    ] as [(UInt16, String)])
  func error(raw: UInt16, name: String) {
    #expect(MeasurementError(rawValue: raw).names == [name])
  }

  @Test("the names of several errors are ordered from the lowest bit, and the two flag bits above have no name")
  func errors() {
    #expect(MeasurementError(rawValue: 0x122).names == ["filter_delta", "rf_interference", "signal_low"])
    #expect(MeasurementError(rawValue: 0x600).names.isEmpty)
  }
}
