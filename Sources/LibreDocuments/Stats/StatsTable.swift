// SPDX-License-Identifier: Apache-2.0
package import GlucoseReport
package import SensorHistory
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
    let alignments: [Columns.Alignment] = [.left] + Array(repeating: .right, count: 10)
    var table = Columns.table(head, rows + [row("all", statistics.total)], alignments, style: style)
    table.append(style.bold(table.removeLast()))
    let numbers = metrics.map { [""] + MetricsTable(unit: unit).lines($0) } ?? []
    let notes = [notes(statistics, groups)] + Self.notes(provenance.files)
    return (table + numbers + [""] + notes + [Program.disclaimer]).joined(separator: "\n") + "\n"
  }

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
      name, String(part.count), all, unit.shown(figure: statistics.mean),
      unit.shown(figure: statistics.standardDeviation), statistics.coefficientOfVariation.map(PercentText.whole) ?? "–",
      unit.shown(figure: statistics.lowest), unit.shown(figure: statistics.highest),
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
}

extension StatisticsGrouping {
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

/// The numbers that clinics use, as text in two columns.
struct MetricsTable {
  let unit: GlucoseUnit

  /// Lines without line ends.
  func lines(_ metrics: GlucoseMetrics) -> [String] {
    let one = ranges(metrics.ranges) + metrics.episodes.map { ("episodes, \($0.kind.words)", String($0.count)) }
    let other = indices(metrics)
    let rows = (0..<max(one.count, other.count)).map { row in
      (row < one.count ? [one[row].0, one[row].1] : ["", ""])
        + (row < other.count ? ["   " + other[row].0, other[row].1] : [])
    }
    return Columns.lines(rows, [.left, .right, .left, .right])
  }

  private func ranges(_ ranges: TimeInRanges) -> [(String, String)] {
    let rows: [(String, GlucoseRange, Double)] = [
      ("very low", .veryLow, ranges.veryLow), ("low", .low, ranges.low), ("in range", .target, ranges.target),
      ("high", .high, ranges.high), ("very high", .veryHigh, ranges.veryHigh), ("tight range", .tight, ranges.tight),
      ("pregnancy range", .pregnancy, ranges.pregnancy),
    ]
    return rows.map { name, range, percent in ("\(name), \(range.words(unit))", PercentText.whole(percent)) }
  }

  private func indices(_ metrics: GlucoseMetrics) -> [(String, String)] {
    func number(_ value: Double?, _ places: Int = 1) -> String {
      value.map { DecimalText.fixed($0, places: places) } ?? "–"
    }
    return [
      ("GMI", "\(number(metrics.gmi)) %"), ("eA1C", "\(number(metrics.estimatedA1C)) %"), ("GRI", number(metrics.gri)),
      ("J-index", number(metrics.jIndex)), ("LBGI", number(metrics.lbgi)), ("HBGI", number(metrics.hbgi)),
      ("ADRR", number(metrics.adrr)), ("GRADE", number(metrics.grade.score)), ("COGI", number(metrics.cogi)),
      ("MODD", unit.shown(figure: metrics.modd)), ("CONGA 24 h", unit.shown(figure: metrics.conga)),
      ("MAG per hour", unit.shown(figure: metrics.mag)),
      ("MAGE (\(GlucoseMetrics.mageAlgorithm))", unit.shown(figure: metrics.mage)),
    ]
  }
}
