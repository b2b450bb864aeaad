// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// What holds for any memory that decodes, and what the slow reading of it says.
enum DecodedMemoryOracle {
  /// Holds a decoded memory against the slow one.
  static func check(_ decoded: DecodedMemory, against slow: SlowMemory) throws(OracleFailure) {
    let memory = decoded.memory
    try check(memory.integrity.header, slow.header, "header")
    try check(memory.integrity.body, slow.body, "body")
    try check(memory.integrity.footer, slow.footer, "footer")
    try require(memory.isSalvaged == ![.ok, .torn].contains(slow.body), "salvaged: a body that does not hold")
    try require(memory.state.raw.map(Int.init) == slow.state, "state")
    try require(memory.ageMinutes == slow.age, "age \(memory.ageMinutes), not \(slow.age)")
    try require(memory.trendIndex == slow.trendIndex && memory.historyIndex == slow.historyIndex, "indices")
    try require(memory.maxLifeMinutes == slow.maxLife && memory.minimumRawGlucose == slow.minimumRaw, "footer")
    try check(memory.calibrationParameters, slow)
    try require(memory.endOfLife.map(\.minute.value) == slow.log.map(\.minute), "minutes of the log")
    try require(memory.endOfLife.map { Int($0.leftState.raw ?? 0) } == slow.log.map(\.code), "states of the log")
    let failure = slow.state == 6 ? (Int(slow.bytes[6]), slow.number(at: 7)) : nil
    try require(
      memory.failure.map { Int($0.code) } == failure?.0 && memory.failure?.minute.value == failure?.1, "failure")
    for (samples, records) in [(decoded.trend.samples, slow.trend), (decoded.history.samples, slow.history)] {
      try check(samples, records)
      try life(samples, age: memory.ageMinutes)
    }
    if let current = decoded.current { try check(current, slow) }
    for problem in decoded.problems {
      guard case .historyUnlikeTrend(_, let stored, let expected) = problem else { continue }
      try require(stored != expected && (0..<16_384).contains(expected), "a mean of counts")
    }
    // It makes hundreds of texts: of one memory in 64 that is enough.
    if slow.bytes[0] & 63 == 0 { for entry in Datasheet.entries { _ = entry.value(in: memory.fram) } }
  }

  /// No sample outside the sensor's life, each older than the one before, and no number that is none.
  static func life(_ samples: [GlucoseSample], age: Int) throws(OracleFailure) {
    var last = Int.max
    for sample in samples {
      try require(sample.minute.value >= 1 && sample.minute.value <= age, "minute \(sample.minute) of \(age)")
      try require(sample.minute.value < last, "the newest comes first")
      last = sample.minute.value
      try require(sample.concentration?.milligramsPerDecilitre.isFinite ?? true, "no concentration is NaN or infinite")
      try require(sample.temperatureCelsius?.isFinite ?? true, "no temperature is NaN or infinite")
      try require(sample.concentration == nil || !sample.raw.hasError, "a flagged record has no concentration")
    }
  }

  private static func check(
    _ verdict: RegionVerdict, _ slow: SlowMemory.Verdict, _ name: String
  ) throws(OracleFailure) {
    let same: Bool =
      switch verdict {
      case .ok: slow == .ok
      case .torn: slow == .torn
      case .bad(let stored, let computed): slow == .bad && stored != computed
      case .absent: slow == .absent
      }
    try require(same, "\(name): \(verdict), not \(slow)")
  }

  private static func check(_ parameters: CalibrationParameters?, _ slow: SlowMemory) throws(OracleFailure) {
    let expected = CalibrationParameters(i1: slow.i1, i2: slow.i2, i3: slow.i3, i4: slow.i4, i5: slow.i5, i6: slow.i6)
    let isKnown = slow.header == .ok && slow.isFooterKnown
    try require(parameters == (isKnown ? expected : nil), "calibration numbers")
  }

  private static func check(_ samples: [GlucoseSample], _ records: [SlowRecord]) throws(OracleFailure) {
    try require(samples.count == records.count, "\(samples.count) samples, not \(records.count)")
    for (sample, record) in zip(samples, records) {
      let raw = sample.raw
      try require(
        raw.minute.value == record.minute && Int(raw.glucose) == record.glucose && raw.hasError == record.hasError
          && Int(raw.temperature) == record.temperature && Int(raw.temperatureAdjustment) == record.adjustment
          && raw.errorField.map(Int.init) == record.errorField && raw.isNeverWritten == record.isNeverWritten,
        "\(raw), not \(record)")
    }
  }

  /// A value of now is one of the newest minutes of a sensor that measures.
  private static func check(_ current: CurrentGlucose, _ slow: SlowMemory) throws(OracleFailure) {
    try require(slow.state == 3 || slow.state == 4, "a current value of a sensor that has none")
    let newest = try require(slow.newestTrend, "a current value without a trend")
    try require(newest - current.minute.value <= 5, "a current value that is too old")
    try require(current.concentration.milligramsPerDecilitre.isFinite, "no concentration is NaN or infinite")
    try require(current.ratePerMinute?.isFinite ?? true, "no rate is NaN or infinite")
  }
}
