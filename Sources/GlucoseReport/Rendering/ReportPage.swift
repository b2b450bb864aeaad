// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The report as one HTML file without external resources, which its policy forbids.
package struct ReportPage: Sendable {
  private let content: ReportContent

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
      \(content.fingerSticksSection)\
      \(content.sensorsSection)
      \(content.gapsSection)
      \(content.notesSection)
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

extension ReportContent {
  /// The table is for those who cannot see the charts, and has the finger-sticks of days without a chart.
  fileprivate var fingerSticksSection: String {
    guard let count = FingerStickText.count(fingerSticks) else { return "" }
    let table = HTMLTable(
      caption: "Finger-sticks, \(unit.rawValue)", head: ["Time", unit.rawValue, "From"],
      rows: fingerSticks.map { stick in
        let source = stick.source.map { "<bdi>\(Markup.text($0))</bdi>" } ?? "typed"
        return [clock.moment(stick.time), unit.text(GlucosePoint(stick).value), source]
      }, words: [2])
    return """
      <section id="sticks"><h2>Finger-sticks</h2>
      <p class="soft">\(count), drawn as diamonds among the sensor's values. No number of this report counts them.</p>
      <details><summary>The finger-sticks as a table</summary>
      \(table.html)
      </details></section>

      """
  }

  fileprivate var sensorsSection: String {
    let table = HTMLTable(
      caption: "Sensors", head: ["Sensor", "First value", "Last value", "Values read"],
      rows: sensors.map { sensor in
        let ends = [sensor.from, sensor.to].map { $0.map(clock.moment) ?? ReportNumbers.missing }
        return ["<bdi>\(Markup.text(sensor.name))</bdi>"] + ends + [String(sensor.count)]
      }, words: [1, 2])
    return """
      <section id="sensors"><h2>Sensors</h2>
      \(sensors.isEmpty ? "<p>No sensors.</p>" : table.html)
      </section>
      """
  }

  fileprivate var gapsSection: String {
    var summary = "No gaps of more than \(DataGap.bridgedMinutes) minutes, neither between values nor at the ends."
    var list = ""
    if !gaps.isEmpty {
      let all = gaps.reduce(0.0) { $0 + Double($1.minutes) }
      summary = "\(CountText.of(gaps.count, "gap")) of more than \(DataGap.bridgedMinutes) minutes,"
      summary += " \(Markup.duration(minutes: all)) in all."
      let table = HTMLTable(
        caption: "Data gaps", head: ["From", "To", "Length"],
        rows: gaps.map {
          [clock.moment($0.from), clock.moment($0.to), Markup.duration(minutes: Double($0.minutes))]
        }, words: [1])
      // A long table is folded.
      list = gaps.count > 10 ? "<details><summary>All gaps</summary>\n\(table.html)</details>" : table.html
    }
    return """
      <section id="gaps"><h2>Data gaps</h2>
      <p class="soft">\(summary)</p>
      \(list)
      </section>
      """
  }

  fileprivate var notesSection: String {
    let items = (notes + calibrationNotes).map { "<li>\(Markup.text($0))</li>" }
    let list = items.isEmpty ? "" : "<ul>\(items.joined())</ul>\n"
    let made = madeAt.map { [("Made at", $0.rfc3339(offsetSeconds: clock.offsetSeconds($0)))] } ?? []
    let values =
      "one for each quarter of an hour, of history only; gaps over \(DataGap.bridgedMinutes) min are left empty"
    let facts: [(name: String, value: String)] =
      [
        ("Made by", tool), ("Stretch", "\(clock.moment(from)) to \(clock.moment(to))"), ("Times", clock.words),
        ("Calibration", calibration), ("Values", values),
      ] + made
    let rows = facts.map { "<div><dt>\($0.name)</dt><dd>\(Markup.text($0.value))</dd></div>" }
    return """
      <section id="notes"><h2>Notes</h2>
      \(list)<p><strong>\(Markup.text(disclaimer))</strong></p>
      <h3>How this report was made</h3>
      <dl class="facts">\(rows.joined())</dl>
      </section>
      """
  }
}

enum FingerStickText {
  static func count(_ sticks: [FingerStick]) -> String? {
    sticks.isEmpty ? nil : CountText.of(sticks.count, "finger-stick")
  }

  static func drawn(_ sticks: [FingerStick], unit: GlucoseUnit) -> String? {
    let values = sticks.map { GlucosePoint($0).value }.filter(\.isFinite)
    guard let lowest = values.min(), let highest = values.max() else { return nil }
    return values.count == 1
      ? "1 finger-stick, \(unit.text(lowest)) \(unit.rawValue), is drawn as a diamond."
      : "\(values.count) finger-sticks, from \(unit.text(lowest)) to \(unit.text(highest)) \(unit.rawValue), are drawn as"
        + " diamonds."
  }

  static func key(_ words: String) -> String { #"<span><i class="k-stick"></i>\#(words)</span>"# }

  static func legendMark(x: Double, y: Double) -> String {
    let start = "M\(x.coordinate) \(y.coordinate)h0"
    return #"<path class="sticks" d="\#(start)\#(PlotArea.diamond(radius: 5))"/>"# + "\n"
  }
}
