// SPDX-License-Identifier: Apache-2.0
import GlucoseReport
package import SensorHistory
import TextFormats

/// A cohort as text: a line for each member with its usual figures.
package enum CohortTable {
  package static func text(of cohort: Cohort, unit: GlucoseUnit, style: Style) -> String {
    let range = GlucoseRange.target.words(unit)
    let head = [
      cohort.grouping.rawValue, "values", "of all", "days", "mean", "SD", "CV", "GMI", "below", range, "above", "MAGE",
      "",
    ]
    let alignments: [Columns.Alignment] = [.left] + Array(repeating: .right, count: 11)
    let table = Columns.table(head, cohort.members.map { row($0, unit) }, alignments, style: style)
    let words =
      "\(unit.rawValue), one value per quarter of an hour. --csv and --json have all figures, and the profiles."
    return (table + ["", words, Program.disclaimer]).joined(separator: "\n") + "\n"
  }

  private static func row(_ member: Cohort.Member, _ unit: GlucoseUnit) -> [String] {
    let total = member.statistics.total
    let name = SafeText.line(member.name)
    let all = PercentText.whole(total.percentOfExpected)
    guard let statistics = total.statistics, let metrics = member.metrics else { return [name, "0", all] }
    return [
      name, String(total.count), all, DecimalText.fixed(metrics.days, places: 1),
      unit.shown(figure: statistics.mean), unit.shown(figure: statistics.standardDeviation),
      statistics.coefficientOfVariation.map(PercentText.whole) ?? "–",
      "\(DecimalText.fixed(metrics.gmi, places: 1)) %",
      PercentText.whole(statistics.percentBelow), PercentText.whole(statistics.percentInRange),
      PercentText.whole(statistics.percentAbove), unit.shown(figure: metrics.mage),
      member.statistics.isEnoughForReport ? "" : "few values",
    ]
  }
}
