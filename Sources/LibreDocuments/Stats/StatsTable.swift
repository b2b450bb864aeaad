// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import GlucoseReport
package import LibreKit
import TextFormats

/// Statistics as text: a line per group, and one for all values.
package struct StatsTable: Sendable {
  private let unit: GlucoseUnit
  private let style: Style

  package init(unit: GlucoseUnit, style: Style) {
    self.unit = unit
    self.style = style
  }

  /// Lines, each with its line end. `metrics` is nil without values.
  package func text(
    of statistics: StatisticsByDay, groups: GroupedStatistics, metrics: GlucoseMetrics?, provenance: HistoryProvenance
  ) -> String {
    let range = GlucoseRange.target.words(unit)
    let head = [
      groups.grouping.rawValue, "values", "of all", "mean", "SD", "CV", "min", "max", "below", range, "above", "",
    ]
    let rows = groups.groups.map { row($0.key.label(groups.clock), $0.part) }
    let alignments: [Columns.Alignment] = [.left] + Array(repeating: .right, count: 10) + [.left]
    var table = Columns.table(head, rows + [row("all", statistics.total)], alignments, style: style)
    table.append(style.bold(table.removeLast()))
    let numbers = metrics.map { [""] + MetricsTable(unit: unit).lines($0) } ?? []
    let notes = [notes(statistics, groups)] + Self.notes(provenance.files)
    return (table + numbers + [""] + notes + [Program.disclaimer]).joined(separator: "\n") + "\n"
  }

  /// Sentences about the zone that files lack, and about their values that do not count.
  private static func notes(_ files: HistoryProvenance.FileFacts) -> [String] {
    var notes = files.localZone.map { ["Times without a zone are in \(SafeText.line($0)) (--time-zone)."] } ?? []
    let reasons = files.leftOut.sorted { $0.key < $1.key }.map { "\($0.value) \(SafeText.line($0.key))" }
    if !reasons.isEmpty { notes.append("Left out: \(reasons.joined(separator: "; ")).") }
    return notes
  }

  private func row(_ name: String, _ part: StatisticsByDay.Part) -> [String] {
    let all = PercentText.whole(part.percentOfExpected)
    guard let statistics = part.statistics else { return [name, "0", all] }
    return [
      name, String(part.count), all, shown(statistics.mean), statistics.standardDeviation.map(shown) ?? "–",
      statistics.coefficientOfVariation.map(PercentText.whole) ?? "–", shown(statistics.lowest),
      shown(statistics.highest),
      PercentText.whole(statistics.percentBelow), PercentText.whole(statistics.percentInRange),
      PercentText.whole(statistics.percentAbove), part.isEnough ? "" : "few values",
    ]
  }

  private func notes(_ statistics: StatisticsByDay, _ groups: GroupedStatistics) -> String {
    let isUndated = groups.clock.kind == .sensorAge && groups.grouping == .day
    let isShared = groups.hasSuperseded && groups.grouping == .sensor
    let groupName =
      isUndated
      ? "days since the sensor was started"
      : isShared
        ? "each sensor from its first to its last value, of which some do not count" : groups.grouping.words
    var words = "\(unit.rawValue), one value per quarter of an hour, \(groupName)."
    if statistics.daysWithoutValues > 0 {
      words +=
        " \(statistics.daysWithoutValues) \(statistics.daysWithoutValues == 1 ? "day has" : "days have") no values."
    }
    if !statistics.isEnoughForReport {
      words +=
        " \(style.warning("Not enough data for a report")): it needs \(StatisticsByDay.minimumDays) days with \(StatisticsByDay.enough)."
    }
    return words
  }

  private func shown(_ value: Double) -> String { unit.shown(GlucoseConcentration(milligramsPerDecilitre: value)) }
}

extension StatisticsGrouping {
  /// The kind of group in each line.
  fileprivate var words: String {
    switch self {
    case .hour: "local hours over all days"
    case .day: "local days"
    case .week: "local weeks from Monday"
    case .month: "local months"
    case .sensor: "each sensor from its first to its last counted value"
    }
  }
}
