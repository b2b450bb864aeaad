// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Section with the finger-sticks as a table; empty without any.
///
/// A chart shows where they are, the table is for those who cannot see it, and has those of days without a chart.
struct FingerSticksSection {
  let content: ReportContent

  var html: String {
    guard let count = FingerStickText.count(content.fingerSticks) else { return "" }
    return """
      <section id="sticks"><h2>Finger-sticks</h2>
      <p class="soft">\(count), drawn as diamonds among the sensor's values. No number of this report counts them.</p>
      <details><summary>The finger-sticks as a table</summary>
      \(table)
      </details></section>

      """
  }

  private var table: String {
    HTMLTable(
      caption: "Finger-sticks, \(content.unit.rawValue)", head: ["Time", content.unit.rawValue, "From"],
      rows: content.fingerSticks.map { stick in
        [
          content.clock.moment(stick.time), content.unit.text(GlucosePoint(stick).value),
          stick.source.map { "<bdi>\(Markup.text($0))</bdi>" } ?? "typed",
        ]
      }, words: [2]
    ).html
  }
}
