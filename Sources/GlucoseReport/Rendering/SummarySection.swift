// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The most important numbers for a clinic, with their targets.
struct SummarySection {
  let content: ReportContent

  var html: String {
    guard let metrics = content.metrics else {
      return #"<section id="summary"><h2>Summary</h2><p>No values in this period.</p></section>"#
    }
    let ranges = RangesTable(ranges: metrics.ranges, unit: content.unit)
    let details = DetailsTable(metrics: metrics, unit: content.unit)
    return """
      <section id="summary"><h2>Summary</h2>
      \(warning)<dl class="numbers">\(numbers(metrics))</dl>
      <h3>Time in ranges</h3>
      \(ranges.bar)
      <div class="columns"><div>
      \(ranges.html)
      </div><div>
      \(details.episodes)
      </div></div>
      \(details.html)
      </section>
      """
  }

  private var warning: String {
    guard !content.byDay.isEnoughForReport else { return "" }
    return """
      <p class="warning" role="note"><strong>Not enough data for a report.</strong> A report needs \(StatisticsByDay.minimumDays) days with \
      \(StatisticsByDay.enough); a longer period may give very different numbers.</p>

      """
  }

  private func numbers(_ metrics: GlucoseMetrics) -> String {
    let unit = content.unit
    let basics = metrics.basics
    let variation = basics.coefficientOfVariation
    func glucose(_ value: Double?) -> String { Self.withUnit(unit.text(value), unit.rawValue) }
    func percent(_ value: Double, places: Int) -> String {
      Self.withUnit(ReportNumbers.number(value, places: places), "%")
    }
    let numbers: [(name: String, value: String, note: String)] = [
      (
        "Mean glucose", glucose(basics.mean), "lowest \(unit.text(basics.lowest)), highest \(unit.text(basics.highest))"
      ),
      ("GMI", percent(metrics.gmi, places: 1), "glucose management indicator"),
      (
        "Variation (CV)", variation.map { percent($0, places: 1) } ?? ReportNumbers.missing,
        "target ≤ 36 %" + (variation.map { ": " + Self.verdict($0 <= 36) } ?? "")
      ),
      ("Standard deviation", glucose(basics.standardDeviation), "of all values"),
      ("Estimated A1C", percent(metrics.estimatedA1C, places: 1), "from the mean"),
      ("GRI", ReportNumbers.number(metrics.gri, places: 0), "glycemia risk index, 0 to 100"),
      (
        "Sensor active", Self.withUnit(String(Markup.percent(metrics.percentActive).dropLast(2)), "%"),
        "target ≥ \(PercentText.whole(StatisticsByDay.minimumPercent)): " + Self.verdict(content.byDay.total.isEnough)
      ),
      (
        "Period", Self.withUnit(ReportNumbers.number(metrics.days, places: 1), "days"),
        "from the first to the last of \(CountText.of(basics.count, "value"))"
      ),
    ]
    return numbers.map { "<div><dt>\($0.name)</dt><dd>\($0.value)</dd><dd>\($0.note)</dd></div>" }.joined()
  }

  private static func withUnit(_ number: String, _ unit: String) -> String {
    #"\#(number)\#(number == ReportNumbers.missing ? "" : #" <span class="unit">\#(unit)</span>"#)"#
  }

  /// Returns a word and a symbol for a target that is met or not.
  static func verdict(_ isMet: Bool) -> String {
    isMet ? #"<span class="met">met</span>"# : #"<span class="missed">not met</span>"#
  }
}
