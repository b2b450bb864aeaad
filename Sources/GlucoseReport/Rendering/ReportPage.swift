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
