// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Table of the less common numbers, and the episodes beyond limits.
struct DetailsTable {
  let metrics: GlucoseMetrics
  let unit: GlucoseUnit

  var html: String {
    let table = HTMLTable(
      caption: "More numbers", head: ["Number", "Value", "What it is"], rows: rows.map { [$0.0, $0.1, $0.2] },
      words: [2])
    return """
      <details><summary>More numbers</summary>
      \(table.html)
      </details>
      """
  }

  /// Table of the episodes: how often and how long values were beyond a limit.
  var episodes: String {
    guard metrics.episodes.contains(where: { $0.perDay != nil }) else {
      return "<p>There are too few values to find episodes.</p>"
    }
    let rows = metrics.episodes.map { episode in
      [
        #"\#(Self.name(episode.kind)) <span class="soft">\#(limit(episode.kind))</span>"#, "\(episode.count)",
        ReportNumbers.number(episode.perDay, places: 1), Markup.duration(minutes: episode.meanMinutes),
      ]
    }
    return HTMLTable(caption: "Episodes", head: ["Episodes", "Number", "A day", "Mean length"], rows: rows).html
      + #"<p class="soft">Each is 15 minutes or more beyond the limit, and ends with 15 minutes back.</p>"#
  }

  private var rows: [(String, String, String)] {
    let ranges = metrics.ranges
    let name = unit.rawValue
    func glucose(_ value: Double?, _ per: String = "") -> String {
      value == nil ? ReportNumbers.missing : "\(unit.text(value)) \(name)\(per)"
    }
    func number(_ value: Double?, _ places: Int = 1) -> String { ReportNumbers.number(value, places: places) }
    let percent = Markup.percent
    return [
      ("TITR", percent(ranges.tight), "time in tight range, \(GlucoseRange.tight.words(unit)) \(name)"),
      (
        "Pregnancy range", percent(ranges.pregnancy),
        "\(GlucoseRange.pregnancy.words(unit)) \(name); below it \(percent(ranges.belowPregnancy)), above it "
          + percent(ranges.abovePregnancy)
      ),
      ("J-index", number(metrics.jIndex), "of mean and standard deviation in mg/dL"),
      ("LBGI", number(metrics.lbgi), "low blood glucose index"),
      ("HBGI", number(metrics.hbgi), "high blood glucose index"),
      ("ADRR", number(metrics.adrr), "average daily risk range"),
      (
        "GRADE", number(metrics.grade.score),
        "of which low \(percent(metrics.grade.percentHypoglycaemia)), in range "
          + "\(percent(metrics.grade.percentEuglycaemia)), high \(percent(metrics.grade.percentHyperglycaemia))"
      ),
      ("COGI", number(metrics.cogi), "continuous glucose monitoring index, 0 to 100"),
      ("MODD", glucose(metrics.modd), "mean of daily differences: the same time on the next day"),
      ("CONGA", glucose(metrics.conga), "continuous overall net glycaemic action, over 24 h"),
      ("MAG", glucose(metrics.mag, " per h"), "mean absolute glucose change"),
      ("MAGE", glucose(metrics.mage), "mean amplitude of excursions, by \(GlucoseMetrics.mageAlgorithm)"),
    ]
  }

  private static func name(_ kind: EpisodeCount.Kind) -> String {
    kind.words.prefix(1).uppercased() + kind.words.dropFirst()
  }

  private func limit(_ kind: EpisodeCount.Kind) -> String {
    switch kind {
    case .low: "under \(unit.text(GlucoseRange.lowLimit))"
    case .prolongedLow: "over 2 h"
    case .veryLow: GlucoseRange.veryLow.words(unit)
    case .high: "over \(unit.text(GlucoseRange.highLimit))"
    case .veryHigh: GlucoseRange.veryHigh.words(unit)
    }
  }
}
