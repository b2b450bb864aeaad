// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The report as one HTML file without external resources: it contains style and script, and its policy forbids all
/// else.
package struct ReportPage: Sendable {
  private let content: ReportContent

  /// The text of the page's only script element.
  package static let script = PageScript.javascript

  package init(_ content: ReportContent) { self.content = content }

  package var html: String {
    let isAge = content.clock.kind == .sensorAge
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
      script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="robots" content="noindex">
      \(DocumentMark.page)\(Markup.text(stretch))</title>
      <style>
      \(PageStyle.css)\(personStyle)
      </style>
      </head>
      <body data-unit="\(content.unit.rawValue)" data-places="\(content.unit.places)"\
      \(isAge ? " data-age=\"true\"" : "")>
      \(person.isEmpty ? "" : "<p class=\"person\">\(Markup.text(person))</p>\n")<header><h1>Glucose report</h1>
      <p>\(Markup.text(stretch))\(isAge ? Self.noDates : "")</p></header>
      <main>
      \(SummarySection(content: content).html)
      \(ProfileSection(content: content).html)
      \(DaysSection(content: content).html)
      \(FingerSticksSection(content: content).html)\
      \(SensorsSection(content: content).html)
      \(GapsSection(content: content).html)
      \(NotesSection(content: content).html)
      </main>
      <div id="tip" hidden></div>
      <div id="live" class="hidden" aria-live="polite"></div>
      <script>\(Self.script)</script>
      </body>
      </html>

      """
  }

  /// The person, above the title; empty without a name and a date.
  private var person: String {
    [content.person, content.born.map { "born \($0)" }].compactMap(\.self).joined(separator: ", ")
  }

  /// The style of the person, who on paper is also at the head of each further page; empty without a person.
  private var personStyle: String {
    if person.isEmpty { return "" }
    let text = person.unicodeScalars.map { scalar in
      // A text may not end the string, nor the element.
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == " "
        ? String(scalar) : "\\\(String(scalar.value, radix: 16)) "
    }.joined()
    return """

      .person{max-width:1120px;margin:0 auto;padding:24px 24px 0;font-weight:600}
      .person+header{padding-top:8px}
      @media print{.person{max-width:none;padding:0}}
      @page{@top-right{content:"\(text)";font:9pt sans-serif}}
      @page:first{@top-right{content:none}}
      """
  }

  private static let noDates = ". Dates are not shown, because the start of the sensor is unknown."

  private var stretch: String {
    let clock = content.clock
    let days = (from: clock.name(ofDay: clock.day(content.from)), to: clock.name(ofDay: clock.day(content.to)))
    return days.from == days.to ? days.from : "\(days.from) to \(days.to)"
  }
}

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

/// Words and legends for the finger-sticks in a chart.
enum FingerStickText {
  /// Returns `3 finger-sticks`; nil for none.
  static func count(_ sticks: [FingerStick]) -> String? {
    sticks.isEmpty ? nil : CountText.of(sticks.count, "finger-stick")
  }

  /// Describes the diamonds of a chart in a sentence; nil for none.
  static func drawn(_ sticks: [FingerStick], unit: GlucoseUnit) -> String? {
    let values = sticks.map { GlucosePoint($0).value }.filter(\.isFinite)
    guard let lowest = values.min(), let highest = values.max() else { return nil }
    return values.count == 1
      ? "1 finger-stick, \(unit.text(lowest)) \(unit.rawValue), is drawn as a diamond."
      : "\(values.count) finger-sticks, from \(unit.text(lowest)) to \(unit.text(highest)) \(unit.rawValue), are drawn as"
        + " diamonds."
  }

  /// Returns an entry of a page's legend.
  static func key(_ words: String) -> String {
    #"<span><i class="k-stick"></i>\#(words)</span>"#
  }

  /// Returns the mark in a legend of a picture.
  static func legendMark(x: Double, y: Double) -> String {
    let start = "M\(DecimalText.shortest(x, places: 1)) \(DecimalText.shortest(y, places: 1))h0"
    return #"<path class="sticks" d="\#(start)\#(PlotArea.diamond(radius: 5))"/>"# + "\n"
  }
}

/// Section about the sources of the values.
struct SensorsSection {
  let content: ReportContent

  var html: String {
    """
    <section id="sensors"><h2>Sensors</h2>
    \(content.sensors.isEmpty ? "<p>No sensors.</p>" : table)
    </section>
    """
  }

  private var table: String {
    HTMLTable(
      caption: "Sensors", head: ["Sensor", "First value", "Last value", "Values read"],
      rows: content.sensors.map { sensor in
        [
          "<bdi>\(Markup.text(sensor.name))</bdi>", sensor.from.map(content.clock.moment) ?? ReportNumbers.missing,
          sensor.to.map(content.clock.moment) ?? ReportNumbers.missing, String(sensor.count),
        ]
      }, words: [1, 2]
    ).html
  }
}

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
