// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport
import Testing

@testable import Libre1Core

/// Decoding any bytes never traps and never gives an impossible sample.
struct RobustnessTests {
  /// An impossible fact in the samples of one ring; nil if there is none.
  private func fault(in samples: [GlucoseSample], age: Int, step: Int, slots: Int) -> String? {
    if samples.count > slots { return "\(samples.count) samples" }
    for (index, sample) in samples.enumerated() {
      let minute = sample.minute.value
      if minute <= 0 || minute > age { return "minute \(minute) at age \(age)" }
      if step == 15, !minute.isMultiple(of: 15) { return "history minute \(minute)" }
      if index > 0 {
        let before = samples[index - 1].minute.value - minute
        if before <= 0 || !before.isMultiple(of: step) { return "\(before) minutes between samples" }
      }
      if let value = sample.concentration?.milligramsPerDecilitre {
        if !value.isFinite { return "value \(value)" }
        if sample.raw.hasError || sample.raw.glucose == 0 { return "a value for \(sample.raw)" }
      }
      if let celsius = sample.temperatureCelsius, !celsius.isFinite { return "\(celsius) °C" }
      if sample.quality == .ok, sample.raw.hasError || sample.raw.isNeverWritten || minute < 60 {
        return "ok for \(sample.raw)"
      }
    }
    return nil
  }

  private func fault(in decoded: DecodedMemory) -> String? {
    let age = decoded.memory.ageMinutes
    if let fault = fault(in: decoded.trend.samples, age: age, step: 1, slots: 16) { return "trend: \(fault)" }
    if let fault = fault(in: decoded.history.samples, age: age, step: 15, slots: 32) { return "history: \(fault)" }
    if let current = decoded.current {
      if !current.concentration.milligramsPerDecilitre.isFinite { return "current \(current)" }
      if let rate = current.ratePerMinute, !rate.isFinite { return "rate \(rate)" }
      guard let newest = decoded.timeline.newestTrendMinute else { return "current without a trend" }
      if newest.value - current.minute.value > 5 { return "current is old" }
    }
    for entry in decoded.memory.endOfLife where entry.minute.value < 0 { return "log entry \(entry)" }
    return nil
  }

  /// Decodes a memory with and without salvaging, and with both kinds of calibration.
  ///
  /// Returns how many of these ways gave samples.
  private func exercise(_ fixture: MemoryBuilder, faults: inout [String]) -> Int {
    _ = MemoryKind(of: fixture.bytes, missingBlocks: fixture.missingBlocks)
    var decodings = 0
    for salvaging in [false, true] {
      guard let memory = try? fixture.validated(salvaging: salvaging) else { continue }
      _ = (memory.region, memory.footerFamily, memory.failure, memory.initializations, memory.state.name)
      for model in [FactoryCalibration(), LinearCalibration(slope: 0.1, offset: 0)] as [any CalibrationModel] {
        let decoded = Libre1Decoder.decode(memory, calibration: model)
        _ = (decoded.problems, decoded.calibration)
        if let fault = fault(in: decoded) {
          faults.append("\(model.name) \(fault) — \(HexText.string(of: fixture.bytes))")
        }
      }
      decodings += 1
    }
    return decodings
  }

  @Test("random bytes never trap, also when they are salvaged")
  func randomBytes() {
    var random = SplitMix64(seed: 0xBADB17E5)
    var faults: [String] = []
    var decodings = 0
    var fixture = MemoryBuilder()
    let rounds = TestTier.rounds(1_000, full: 7_000)
    for number in 0..<rounds {
      fixture.bytes = random.bytes(344)
      if number.isMultiple(of: 2) {
        fixture.bytes[26] &= 15
        fixture.bytes[27] &= 31
      }
      decodings += exercise(fixture, faults: &faults)
    }
    #expect(faults.isEmpty, "\(faults.prefix(3))")
    #expect(decodings >= rounds / 2)
  }

  @Test("random contents with three valid checksums never trap and never give an impossible sample")
  func randomContents() {
    var random = SplitMix64(seed: 0xC0FFEE)
    var faults: [String] = []
    var decodings = 0
    var values = 0
    var currents = 0
    var fixture = MemoryBuilder()
    let rounds = TestTier.rounds(500, full: 8_000)
    for number in 0..<rounds {
      fixture.bytes = random.bytes(344)
      if !number.isMultiple(of: 8) {
        fixture.bytes[26] &= 15
        fixture.bytes[27] &= 31
      }
      if number.isMultiple(of: 2) {
        // Half of them with ages and states of real sensors, so that the rules for young and ended ones are met.
        fixture.age = Int.random(in: 0...22_000, using: &random)
        fixture.maxLife = Int.random(in: 0...22_000, using: &random)
        fixture.state = UInt8.random(in: 0...7, using: &random)
      }
      fixture.seal()
      decodings += exercise(fixture, faults: &faults)
      if let decoded = try? fixture.decoded() {
        values += decoded.trend.samples.count { $0.concentration != nil }
        currents += decoded.current == nil ? 0 : 1
      }
    }
    #expect(faults.isEmpty, "\(faults.prefix(3))")
    #expect(decodings >= rounds / 8 * 14)
    #expect(values > rounds / 8)
    #expect(currents > 0)
  }

  @Test("a good memory with random damage never traps and never gives an impossible sample")
  func mutations() {
    var random = SplitMix64(seed: 0x5EED)
    var faults: [String] = []
    var decodings = 0
    let rounds = TestTier.rounds(500, full: 7_000)
    for _ in 0..<rounds {
      let age = Int.random(in: 0...21_600, using: &random)
      var fixture = MemoryBuilder(
        state: .random(in: 1...6, using: &random), age: age, trendIndex: age % 16, historyIndex: age / 15 % 32,
        maxLife: .random(in: 0...21_600, using: &random))
      for minute in stride(from: age, to: max(0, age - 16), by: -1) {
        fixture.setTrend(minute: minute, MemoryBuilder.record(glucose: .random(in: 0...4_000, using: &random)))
      }
      for quarter in stride(from: age / 15, to: max(0, age / 15 - 32), by: -1) {
        fixture.setHistory(minute: 15 * quarter, MemoryBuilder.record(glucose: .random(in: 0...4_000, using: &random)))
      }
      fixture.seal()
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        fixture.bytes[.random(in: 0..<344, using: &random)] = UInt8(truncatingIfNeeded: random.next())
      }
      if Bool.random(using: &random) { fixture.seal() }
      if Int.random(in: 0..<4, using: &random) == 0 {
        fixture.missingBlocks = (0..<3).map { _ in Int.random(in: 0..<43, using: &random) }
      }
      decodings += exercise(fixture, faults: &faults)
    }
    #expect(faults.isEmpty, "\(faults.prefix(3))")
    #expect(decodings >= rounds * 9 / 7)
  }

  @Test("every length of input gives an error or a memory")
  func lengths() {
    var random = SplitMix64(seed: 0x1E46)
    for count in 0...360 {
      let bytes = random.bytes(count)
      _ = MemoryKind(of: bytes)
      #expect(throws: MemoryError.self) { try Libre1Decoder.decode(bytes) }
    }
  }
}
