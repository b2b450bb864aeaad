// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import LibreKit
import TextFormats

/// The numbers that clinics use, as text in two columns.
struct MetricsTable {
  let unit: GlucoseUnit

  /// Lines without line ends.
  func lines(_ metrics: GlucoseMetrics) -> [String] {
    let one = ranges(metrics.ranges) + episodes(metrics.episodes)
    let other = indices(metrics)
    let rows = (0..<max(one.count, other.count)).map { row in
      (row < one.count ? [one[row].0, one[row].1] : ["", ""])
        + (row < other.count ? ["   " + other[row].0, other[row].1] : [])
    }
    return Columns.lines(rows, [.left, .right, .left, .right])
  }

  private func ranges(_ ranges: TimeInRanges) -> [(String, String)] {
    let percent = PercentText.whole
    return [
      ("very low, \(GlucoseRange.veryLow.words(unit))", percent(ranges.veryLow)),
      ("low, \(GlucoseRange.low.words(unit))", percent(ranges.low)),
      ("in range, \(GlucoseRange.target.words(unit))", percent(ranges.target)),
      ("high, \(GlucoseRange.high.words(unit))", percent(ranges.high)),
      ("very high, \(GlucoseRange.veryHigh.words(unit))", percent(ranges.veryHigh)),
      ("tight range, \(GlucoseRange.tight.words(unit))", percent(ranges.tight)),
      ("pregnancy range, \(GlucoseRange.pregnancy.words(unit))", percent(ranges.pregnancy)),
    ]
  }

  private func episodes(_ episodes: [EpisodeCount]) -> [(String, String)] {
    episodes.map { ("episodes, \($0.kind.words)", String($0.count)) }
  }

  private func indices(_ metrics: GlucoseMetrics) -> [(String, String)] {
    func number(_ value: Double?, _ places: Int = 1) -> String {
      value.map { DecimalText.fixed($0, places: places) } ?? "–"
    }
    func glucose(_ value: Double?) -> String { value.map(shown) ?? "–" }
    return [
      ("GMI", "\(number(metrics.gmi)) %"), ("eA1C", "\(number(metrics.estimatedA1C)) %"), ("GRI", number(metrics.gri)),
      ("J-index", number(metrics.jIndex)), ("LBGI", number(metrics.lbgi)), ("HBGI", number(metrics.hbgi)),
      ("ADRR", number(metrics.adrr)), ("GRADE", number(metrics.grade.score)), ("COGI", number(metrics.cogi)),
      ("MODD", glucose(metrics.modd)), ("CONGA 24 h", glucose(metrics.conga)), ("MAG per hour", glucose(metrics.mag)),
      ("MAGE (\(GlucoseMetrics.mageAlgorithm))", glucose(metrics.mage)),
    ]
  }

  private func shown(_ value: Double) -> String { unit.shown(GlucoseConcentration(milligramsPerDecilitre: value)) }
}
