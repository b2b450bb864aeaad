// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Notes for the reader, and facts about the making of the report.
struct NotesSection {
  let content: ReportContent

  var html: String {
    let items = (content.notes + content.calibrationNotes).map { "<li>\(Markup.text($0))</li>" }
    let notes = items.isEmpty ? "" : "<ul>\(items.joined())</ul>\n"
    let facts = facts.map { "<div><dt>\($0.name)</dt><dd>\(Markup.text($0.value))</dd></div>" }
    return """
      <section id="notes"><h2>Notes</h2>
      \(notes)<p><strong>\(Markup.text(content.disclaimer))</strong></p>
      <h3>How this report was made</h3>
      <dl class="facts">\(facts.joined())</dl>
      </section>
      """
  }

  private var facts: [(name: String, value: String)] {
    let clock = content.clock
    let made = content.madeAt.map {
      [(name: "Made at", value: $0.rfc3339(offsetSeconds: clock.offsetSeconds($0)))]
    }
    return [
      ("Made by", content.tool), ("Stretch", "\(clock.moment(content.from)) to \(clock.moment(content.to))"),
      ("Times", clock.words), ("Calibration", content.calibration),
      (
        "Values",
        "one for each quarter of an hour, of history only; gaps over \(DataGap.bridgedMinutes) min are left empty"
      ),
    ] + (made ?? [])
  }
}
