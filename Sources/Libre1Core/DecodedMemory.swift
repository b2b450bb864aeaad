// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// The content of one memory, dated in sensor minutes. Times and ids need a clock and a UID: a sample was measured
/// `ageMinutes` minus its minute before the memory was read.
public struct DecodedMemory: Sendable {
  package let memory: ValidatedFRAM
  package let timeline: Timeline
  package let trend: DecodedRing<16>
  package let history: DecodedRing<32>
  /// The value of the newest minute, smoothed as the official reader smooths it, with its rate; nil without one.
  public let current: CurrentGlucose?

  /// The state of the sensor.
  public var state: SensorState { memory.state }

  /// Minutes since the sensor was started.
  public var ageMinutes: Int { memory.ageMinutes }

  /// The results of the three checksums.
  public var integrity: MemoryIntegrity { memory.integrity }

  /// The samples of a ring, newest first: up to 16 of the trend, one a minute, or 32 of the history, one each 15 minutes.
  public func samples(of ring: SampleRing) -> [GlucoseSample] {
    switch ring {
    case .trend: trend.samples
    case .history: history.samples
    }
  }

  /// The model that gave the concentrations, with its parameters; nil if it lacked parameters.
  public var calibration: CalibrationDescription? { model.description(for: memory.calibrationParameters) }

  /// Reservations that a user of the values should know.
  public var problems: [ReadingProblem] {
    var problems: [ReadingProblem] = []
    if memory.isSalvaged { problems.append(.salvaged) }
    if !memory.integrity.header.isTrusted { problems.append(.headerNotTrusted(memory.integrity.header)) }
    let footer = memory.integrity.footer
    if !footer.isTrusted {
      problems.append(memory.isFooterRemembered ? .footerRemembered(footer) : .footerNotTrusted(footer))
    }
    if timeline.isHistoryEstimated { problems.append(.indicesMissing) }
    if let fault = memory.calibrationParameters.flatMap(model.fault) { problems.append(.calibrationImpossible(fault)) }
    if timeline.newestHistoryMinute == nil { problems.append(.historyUndated) }
    if case .unknown(let raw?) = memory.state { problems.append(.unknownState(raw)) }
    problems += HistoryCrossCheck.problems(history: history, trend: trend)
    if memory.integrity.body == .torn { problems.append(.bodyTorn(storedAge: memory.storedAgeMinutes)) }
    return problems
  }

  private var model: AnyCalibrationModel { trend.model }
}

/// A check of a memory against itself: the counts of each history record are the floor of the mean of five trend
/// records without errors, while those are still there (Libre1Core/MemoryFormat, "History from the trend").
enum HistoryCrossCheck {
  /// The number of minutes before and after a history value's own that enter it.
  private static let reach = 2

  /// A window that lacks a record, or has only errors, and a history record with an error cannot be checked.
  static func problems(history: DecodedRing<32>, trend: DecodedRing<16>) -> [ReadingProblem] {
    guard history.count > 0, trend.count > 0 else { return [] }
    var records: [Int: RawSample] = [:]
    for index in 0..<trend.count {
      guard let raw = trend[index]?.raw, !raw.isNeverWritten else { continue }
      records[raw.minute.value] = raw
    }
    var problems: [ReadingProblem] = []
    // A trend of sixteen minutes covers at most the windows of the newest two records.
    for index in 0..<min(2, history.count) {
      guard let raw = history[index]?.raw, !raw.hasError, !raw.isNeverWritten else { continue }
      let window = (raw.minute.value - reach...raw.minute.value + reach).compactMap { records[$0] }
      let counts = window.filter { !$0.hasError }.map { Int($0.glucose) }
      guard window.count == 2 * reach + 1, !counts.isEmpty else { continue }
      let expected = counts.reduce(0, +) / counts.count
      if expected != Int(raw.glucose) {
        problems.append(.historyUnlikeTrend(minute: raw.minute, stored: Int(raw.glucose), expected: expected))
      }
    }
    return problems
  }
}
