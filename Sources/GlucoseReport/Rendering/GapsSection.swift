// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// Stretches without values.
struct GapsSection {
  let content: ReportContent

  /// More are folded away.
  private static let mostShown = 10

  var html: String {
    """
    <section id="gaps"><h2>Data gaps</h2>
    <p class="soft">\(summary)</p>
    \(list)
    </section>
    """
  }

  private var summary: String {
    let gaps = content.gaps
    guard !gaps.isEmpty else {
      return "No gap of more than \(DataGap.bridgedMinutes) minutes between values, nor at the ends."
    }
    let all = gaps.reduce(0.0) { $0 + Double($1.minutes) }
    return "\(CountText.of(gaps.count, "gap")) of more than \(DataGap.bridgedMinutes) minutes,"
      + " \(Markup.duration(minutes: all)) in all."
  }

  private var list: String {
    let gaps = content.gaps
    guard !gaps.isEmpty else { return "" }
    let table = HTMLTable(
      caption: "Data gaps", head: ["From", "To", "Length"],
      rows: gaps.map { gap in
        [
          content.clock.moment(gap.from), content.clock.moment(gap.to),
          Markup.duration(minutes: Double(gap.minutes)),
        ]
      }, words: [1])
    return gaps.count > Self.mostShown ? "<details><summary>All gaps</summary>\n\(table.html)</details>" : table.html
  }
}
