// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

@Suite("A decoded Libre Pro")
struct DecodedLibreProTests {
  @Test("the trend is dated by the index, the history by the count: record k is of minute 15 (k + 1)")
  func minutes() throws {
    let decoded = try MemoryBuilder.pro().validatedPro()
    // Slot 14 is the newest: minute 3999 ≡ 15 (mod 16), one behind the age.
    #expect(decoded.trend.map(\.minute.value) == Array((3_984...3_999).reversed()))
    #expect(decoded.trend.map { Int($0.raw.glucose) } == Array((1_000...1_014).reversed()) + [1_015])
    #expect(decoded.history.map(\.minute.value) == (1...266).reversed().map { 15 * $0 })
    #expect(decoded.history.map { Int($0.raw.glucose) } == (0..<266).reversed().map { 2_000 + $0 })
    #expect(decoded.trend.allSatisfy { $0.ring == .trend } && decoded.history.allSatisfy { $0.ring == .history })
    // Neither minutes before the first nor bytes after the last history record are samples.
    let young = try MemoryBuilder.pro(age: 5, trendIndex: 5, historyCount: 0).validatedPro()
    #expect(young.trend.map(\.minute.value) == [5, 4, 3, 2, 1] && young.history.isEmpty)
    #expect(try MemoryBuilder.pro(age: 0, trendIndex: 0, historyCount: 0).validatedPro().trend.isEmpty)
    #expect(try MemoryBuilder.pro(historyCount: 3).validatedPro().history.map(\.minute.value) == [45, 30, 15])
  }

  @Test("samples have counts, temperature and quality, but no concentration")
  func withheld() throws {
    let decoded = try MemoryBuilder.pro().validatedPro()
    #expect(decoded.problems == [.concentrationWithheld])
    for sample in decoded.trend + decoded.history {
      #expect(sample.concentration == nil)
      #expect(sample.quality == (sample.minute.value < 60 ? .warmUp : .ok))
      // 6664 counts with i6 6892 and no adjustment, by Libre1Core/Calibration, "Factory formula" in an independent
      // program.
      #expect(abs(try #require(sample.temperatureCelsius) - 32.85) < 0.02)
    }
  }

  @Test("only complete history records are decoded", arguments: [0, 1, 5, 6, 7, 11, 12, 1_595])
  func shortImages(extra: Int) throws {
    var fixture = MemoryBuilder.pro()
    fixture.bytes.removeLast(fixture.bytes.count - 176 - extra)
    let decoded = try fixture.validatedPro()
    #expect(decoded.trend.count == 16)
    #expect(decoded.history.count == extra / 6)
    #expect(decoded.history.first?.minute.value == (extra < 6 ? nil : extra / 6 * 15))
    #expect(decoded.problems == [.concentrationWithheld, .historyIncomplete(records: extra / 6, of: 266)])
  }

  @Test("samples that overlap a missing block are left out")
  func missingBlocks() throws {
    var fixture = MemoryBuilder.pro()
    // Block 22 holds record 0 and the beginning of record 1; block 221, bytes 1768 to 1775, the last record, 265.
    fixture.missingBlocks = [22, 221]
    let decoded = try fixture.validatedPro()
    #expect(decoded.history.count == 263)
    #expect(decoded.history.last?.minute.value == 45)
    #expect(decoded.history.first?.minute.value == 265 * 15)
  }

  @Test("the simulator's output is decoded and gives the same records", arguments: UInt64(1)...5)
  func simulated(seed: UInt64) throws {
    let image = try #require(Scenario.named("pro-history")).image(seed: seed)
    let decoded = try ValidatedLibrePro(CheckedMemory(image))
    let sensor = SimulatedSensor(seed: seed)
    #expect(decoded.problems == [.concentrationWithheld])
    #expect(decoded.history.count > 320)
    for sample in decoded.history {
      let written = sensor.historyRecord(minute: sample.minute.value)
      #expect(Int(sample.raw.glucose) == written.glucose)
      #expect(abs(try #require(sample.temperatureCelsius) - 32) < 2)
    }
    for sample in decoded.trend {
      #expect(Int(sample.raw.glucose) == sensor.trendRecord(minute: sample.minute.value).glucose)
    }
  }

  @Test(
    "real memories decode to the results of an independent decoder",
    .enabled(if: ReferenceDumps.arePresent, "\(ReferenceDumps.absence)"),
    arguments: [
      // State, age, newest trend minute, history count, records in the file, text, °C of the whole trend.
      ("xdrip-librepro1.bin", SensorState.active, 14_845, 14_845, 989, 28, "JFGV151-T0682J", 32.5...33.7),
      ("xdrip-librepro3.bin", .active, 15_145, 15_144, 1_009, 28, "JFGV151-T0682J", 32.6...39.3),
      ("idx-librepro-trend.bin", .shutdown, 20_160, 20_159, 1_343, 0, "JEMW168-T02683", 32.8...33.0),
    ])
  func reference(
    file: String, state: SensorState, age: Int, newest: Int, count: Int, records: Int, text: String,
    celsius: ClosedRange<Double>
  ) throws {
    let image = MemoryImage(bytes: try ReferenceDumps.bytes(of: file))
    let decoded = try ValidatedLibrePro(CheckedMemory(image))
    #expect((decoded.state, decoded.ageMinutes, decoded.historyCount, decoded.text) == (state, age, count, text))
    #expect((decoded.maxLifeMinutes, decoded.minimumRawGlucose, decoded.region) == (20_160, 150, .unspecified))
    #expect(decoded.integrity == MemoryIntegrity(header: .ok, body: .ok, footer: .ok))
    #expect(decoded.trend.map(\.minute.value) == (0..<16).map { newest - $0 })
    #expect(decoded.history.map(\.minute.value) == (0..<records).reversed().map { 15 * ($0 + 1) })
    for sample in decoded.trend { #expect(celsius.contains(try #require(sample.temperatureCelsius))) }
    for sample in decoded.history { #expect((31.9...34.9).contains(try #require(sample.temperatureCelsius))) }
    #expect(decoded.problems == [.concentrationWithheld, .historyIncomplete(records: records, of: count)])
  }
}
