// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Share of time in each range: a bar, and a table with the targets of the consensus (Battelino 2019, for type 1 and
/// type 2 diabetes).
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

  private enum Target {
    case under(Double), over(Double)

    var percent: Double {
      switch self {
      case .under(let percent), .over(let percent): percent
      }
    }

    var words: String {
      switch self {
      case .under(let percent): "under \(ReportNumbers.percent(percent))"
      case .over(let percent): "over \(ReportNumbers.percent(percent))"
      }
    }

    func isMet(by share: Double) -> Bool {
      switch self {
      case .under(let percent): share < percent
      case .over(let percent): share > percent
      }
    }
  }

  var html: String {
    let rows = rows.map { row in
      [
        (row.kind.map { #"<span class="swatch \#($0)"></span>"# } ?? #"<span class="swatch"></span>"#) + row.name
          + #" <span class="soft">\#(row.limits)</span>"#,
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
    return [
      Row(
        kind: "veryHigh", name: "Very high", limits: GlucoseRange.veryHigh.words(unit), percent: ranges.veryHigh,
        target: .under(5)),
      Row(kind: "high", name: "High", limits: GlucoseRange.high.words(unit), percent: ranges.high),
      Row(
        kind: nil, name: "Above range", limits: "over \(unit.text(GlucoseRange.highLimit))", percent: above,
        target: .under(25)),
      Row(
        kind: "within", name: "In range", limits: GlucoseRange.target.words(unit), percent: ranges.target,
        target: .over(70)),
      Row(
        kind: nil, name: "Below range", limits: "under \(unit.text(GlucoseRange.lowLimit))", percent: below,
        target: .under(4)),
      Row(kind: "low", name: "Low", limits: GlucoseRange.low.words(unit), percent: ranges.low),
      Row(
        kind: "veryLow", name: "Very low", limits: GlucoseRange.veryLow.words(unit), percent: ranges.veryLow,
        target: .under(1)),
    ]
  }

  /// Bar with the shares, described in words for screen readers.
  var bar: String {
    let parts = [
      ("veryLow", "very low", "LL", ranges.veryLow), ("low", "low", "L", ranges.low),
      ("within", "in range", "In range", ranges.target), ("high", "high", "H", ranges.high),
      ("veryHigh", "very high", "HH", ranges.veryHigh),
    ].filter { $0.3 > 0 }
    let words = parts.map { "\(ReportNumbers.percent($0.3)) \($0.1)" }.joined(separator: ", ")
    let spans = parts.map { kind, _, letter, percent in
      // A narrow part has no space for text: its pattern identifies it.
      let text = percent >= 14 ? "<b>\(letter) \(Markup.percent(percent))</b>" : percent >= 5 ? "<b>\(letter)</b>" : ""
      let share = ReportNumbers.number(percent, places: 2)
      return #"<span class="\#(kind)" style="flex:\#(share)">\#(text)</span>"#
    }
    return #"<div class="bar" role="img" aria-label="\#(Markup.text(words))">\#(spans.joined())</div>"#
  }
}
