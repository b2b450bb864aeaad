// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

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
    func percent(_ value: Double) -> String { Self.withUnit(ReportNumbers.number(value, places: 1), "%") }
    let numbers: [(name: String, value: String, note: String)] = [
      (
        "Mean glucose", glucose(basics.mean), "lowest \(unit.text(basics.lowest)), highest \(unit.text(basics.highest))"
      ),
      ("GMI", percent(metrics.gmi), "glucose management indicator"),
      (
        "Variation (CV)", variation.map(percent) ?? ReportNumbers.missing,
        "target ≤ 36 %" + (variation.map { ": " + Self.verdict($0 <= 36) } ?? "")
      ),
      ("Standard deviation", glucose(basics.standardDeviation), "of all values"),
      ("Estimated A1C", percent(metrics.estimatedA1C), "from the mean"),
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

  static func verdict(_ isMet: Bool) -> String {
    isMet ? #"<span class="met">met</span>"# : #"<span class="missed">not met</span>"#
  }
}

/// Time in each range, with the targets of the consensus (Battelino 2019, for type 1 and type 2 diabetes).
struct RangesTable {
  let ranges: TimeInRanges
  let unit: GlucoseUnit

  private struct Row {
    /// Pattern and colour; nil for a sum.
    let kind: String?
    let name: String
    let limits: String
    let percent: Double
    var target: Target?
  }

  private struct Target {
    let percent: Double
    let isMaximum: Bool

    static func under(_ percent: Double) -> Target { Target(percent: percent, isMaximum: true) }
    static func over(_ percent: Double) -> Target { Target(percent: percent, isMaximum: false) }
    var words: String { "\(isMaximum ? "under" : "over") \(ReportNumbers.percent(percent))" }
    func isMet(by share: Double) -> Bool { isMaximum ? share < percent : share > percent }
  }

  var html: String {
    let rows = rows.map { row in
      [
        #"<span class="swatch\#(row.kind.map { " \($0)" } ?? "")"></span>\#(row.name) "#
          + #"<span class="soft">\#(row.limits)</span>"#,
        row.target.map { Markup.text(ReportNumbers.percent(row.percent, besides: $0.percent)) }
          ?? Markup.percent(row.percent),
        Markup.duration(minutes: row.percent * 14.4), row.target?.words ?? "",
        row.target.map { SummarySection.verdict($0.isMet(by: row.percent)) } ?? "",
      ]
    }
    let table = HTMLTable(
      caption: "Time in ranges", head: ["Range, \(unit.rawValue)", "Share", "A day", "Target", ""], rows: rows,
      words: [4], optional: [2])
    return """
      \(table.html)
      <p class="soft">Targets for adults with type 1 or type 2 diabetes (consensus of 2019); others hold in pregnancy \
      and for older people.</p>
      """
  }

  private var rows: [Row] {
    let above = ranges.high + ranges.veryHigh
    let below = ranges.low + ranges.veryLow
    func row(_ range: GlucoseRange, _ percent: Double, target: Target? = nil) -> Row {
      Row(kind: range.kind, name: range.name, limits: range.words(unit), percent: percent, target: target)
    }
    func sum(_ name: String, _ limits: String, _ percent: Double, target: Target) -> Row {
      Row(kind: nil, name: name, limits: limits, percent: percent, target: target)
    }
    return [
      row(.veryHigh, ranges.veryHigh, target: .under(5)),
      row(.high, ranges.high),
      sum("Above range", "over \(unit.text(GlucoseRange.highLimit))", above, target: .under(25)),
      row(.target, ranges.target, target: .over(70)),
      sum("Below range", "under \(unit.text(GlucoseRange.lowLimit))", below, target: .under(4)),
      row(.low, ranges.low),
      row(.veryLow, ranges.veryLow, target: .under(1)),
    ]
  }

  var bar: String {
    let parts: [(range: GlucoseRange, letter: String, percent: Double)] = [
      (.veryLow, "LL", ranges.veryLow), (.low, "L", ranges.low), (.target, "In range", ranges.target),
      (.high, "H", ranges.high), (.veryHigh, "HH", ranges.veryHigh),
    ].filter { $0.percent > 0 }
    let words = parts.map { "\(ReportNumbers.percent($0.percent)) \($0.range.name.lowercased())" }
    let spans = parts.map { range, letter, percent in
      // A narrow part has no space for text: its pattern identifies it.
      let text = percent >= 14 ? "<b>\(letter) \(Markup.percent(percent))</b>" : percent >= 5 ? "<b>\(letter)</b>" : ""
      let share = ReportNumbers.number(percent, places: 2)
      return #"<span class="\#(range.kind)" style="flex:\#(share)">\#(text)</span>"#
    }
    let label = Markup.text(words.joined(separator: ", "))
    return #"<div class="bar" role="img" aria-label="\#(label)">\#(spans.joined())</div>"#
  }
}

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
