// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// Section about spans without values.
struct GapsSection {
  let content: ReportContent

  /// Maximum number of visible gaps; with more, the table is folded.
  private static let maximumShown = 10

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
      return "No gaps of more than \(DataGap.bridgedMinutes) minutes, neither between values nor at the ends."
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
    return gaps.count > Self.maximumShown ? "<details><summary>All gaps</summary>\n\(table.html)</details>" : table.html
  }
}
