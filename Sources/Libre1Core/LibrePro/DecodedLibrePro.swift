// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The content of one Libre Pro memory, dated in sensor minutes. Times and ids need a clock and a UID, and are added
/// outside.
///
/// Samples have counts, temperature and quality, but no concentration, because the calibration's i2 is not known
/// (`LibreProMap`).
package struct DecodedLibrePro: Sendable {
  package let memory: ValidatedLibreProFRAM
  /// The trend: at most 16 samples, one a minute, newest first.
  package let trend: [GlucoseSample]
  /// The history: at most 1344 samples, one every 15 minutes, newest first. No checksum covers them.
  package let history: [GlucoseSample]

  /// Takes a memory with a correct body. It cannot fail: facts from a bad header or footer are nil in the result.
  package init(_ memory: ValidatedLibreProFRAM) {
    self.memory = memory
    let newest = memory.newestTrendMinute.value
    let trend = (0..<LibreProMap.trend.slots).compactMap { index in
      let minute = SensorMinute(newest - index)
      return minute.value < 1
        ? nil : memory.trendRecord(newest: index)?.sample(ring: .trend, minute: minute)
    }
    let history = (0..<memory.historyCount).reversed().compactMap { index in
      memory.historyRecord(index)?
        .sample(ring: .history, minute: ValidatedLibreProFRAM.minute(ofHistoryRecord: index))
    }
    self.trend = Self.samples(of: trend, memory)
    self.history = Self.samples(of: history, memory)
  }

  /// The problems that a user should know, most serious first.
  package var problems: [ReadingProblem] {
    var problems: [ReadingProblem] = []
    if memory.isSalvaged { problems.append(.salvaged) }
    problems.append(.concentrationWithheld)
    if !memory.integrity.header.isTrusted { problems.append(.headerNotTrusted(memory.integrity.header)) }
    if !memory.integrity.footer.isTrusted { problems.append(.footerNotTrusted(memory.integrity.footer)) }
    if history.count < memory.historyCount {
      problems.append(.historyIncomplete(records: history.count, of: memory.historyCount))
    }
    if case .unknown(let raw?) = memory.state { problems.append(.unknownState(raw)) }
    return problems
  }

  private static func samples(of raws: [RawSample], _ memory: ValidatedLibreProFRAM) -> [GlucoseSample] {
    var celsius = [Double](repeating: .nan, count: raws.count)
    if let thermistor = memory.thermistor {
      let counts = raws.map { Double($0.temperature) }
      let adjustments = raws.map { Double($0.temperatureAdjustment) }
      var output = celsius.mutableSpan
      thermistor.celsius(of: counts.span, adjustments: adjustments.span, into: &output)
    }
    let rules = SampleRules(minimumRawGlucose: memory.minimumRawGlucose, hasThermistor: memory.thermistor != nil)
    return zip(raws, celsius).map { rules.sample($0, celsius: $1, milligramsPerDecilitre: .nan) }
  }
}
