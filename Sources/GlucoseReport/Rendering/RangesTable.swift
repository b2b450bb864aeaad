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
    let target: String
    let isMet: Bool?
  }

  var html: String {
    let rows = rows.map { row in
      [
        (row.kind.map { #"<span class="swatch \#($0)"></span>"# } ?? #"<span class="swatch"></span>"#) + row.name
          + #" <span class="soft">\#(row.limits)</span>"#,
        Markup.percent(row.percent),
        Markup.duration(minutes: row.percent * 14.4), row.target,
        row.isMet.map(SummarySection.verdict) ?? "",
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
        target: "under 5 %", isMet: ranges.veryHigh < 5),
      Row(
        kind: "high", name: "High", limits: GlucoseRange.high.words(unit), percent: ranges.high, target: "",
        isMet: nil),
      Row(
        kind: nil, name: "Above range", limits: "over \(unit.text(GlucoseRange.highLimit))", percent: above,
        target: "under 25 %",
        isMet: above < 25),
      Row(
        kind: "within", name: "In range", limits: GlucoseRange.target.words(unit), percent: ranges.target,
        target: "over 70 %", isMet: ranges.target > 70),
      Row(
        kind: nil, name: "Below range", limits: "under \(unit.text(GlucoseRange.lowLimit))", percent: below,
        target: "under 4 %",
        isMet: below < 4),
      Row(
        kind: "low", name: "Low", limits: GlucoseRange.low.words(unit), percent: ranges.low, target: "", isMet: nil),
      Row(
        kind: "veryLow", name: "Very low", limits: GlucoseRange.veryLow.words(unit), percent: ranges.veryLow,
        target: "under 1 %",
        isMet: ranges.veryLow < 1),
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
