// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The content of one memory, dated in sensor minutes. Times and ids need a clock and a UID, and are added outside.
package struct DecodedMemory: Sendable {
  package let memory: ValidatedFRAM
  package let timeline: Timeline
  package let trend: DecodedRing<16>
  package let history: DecodedRing<32>
  package let current: CurrentGlucose?

  /// The model that gave the concentrations, with its parameters; nil if it lacked parameters.
  package var calibration: CalibrationDescription? { model.description(for: memory.calibrationParameters) }

  /// The problems that a user should know, most serious first.
  package var problems: [ReadingProblem] {
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
