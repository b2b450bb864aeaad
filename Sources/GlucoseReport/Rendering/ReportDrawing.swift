// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The report's main picture as an SVG file of its own: the profile where there is one, else all values along the time.
public struct ReportDrawing: Sendable {
  private let content: ReportContent

  public init(_ content: ReportContent) { self.content = content }

  public var svg: String {
    let chart =
      content.profile.map { ProfileDrawing(profile: $0, content: content).chart }
      ?? TimelineDrawing(content: content).chart
    guard let chart else {
      return document(
        width: 640, height: 120, title: "No values", description: "There are no values to draw.",
        marks: #"<text class="title" x="24" y="64">There are no values to draw.</text>"#)
    }
    let (width, height) = (chart.area.fullWidth, chart.area.fullHeight)
    let words = content.profile == nil ? chart.title : "\(chart.title), \(days)"
    let marks = """
      <text class="title" x="\(DecimalText.shortest(chart.area.left, places: 1))" y="30">\(Markup.text(words)), \
      \(content.unit.rawValue)</text>
      <g transform="translate(0 40)">\(chart.marks)</g>
      <text class="last" x="\(DecimalText.shortest(chart.area.left, places: 1))" y="\
      \(DecimalText.shortest(height + 58, places: 1))">\(Markup.text(content.disclaimer))</text>
      """
    return document(
      width: width, height: height + 72, title: words, description: chart.description, marks: marks)
  }

  private var days: String {
    let clock = content.clock
    return "\(clock.name(ofDay: clock.day(content.from))) to \(clock.name(ofDay: clock.day(content.to)))"
  }

  private func document(width: Double, height: Double, title: String, description: String, marks: String) -> String {
    let size = (DecimalText.shortest(width, places: 1), DecimalText.shortest(height, places: 1))
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t d" width="\(size.0)" height="\(size.1)" \
      viewBox="0 0 \(size.0) \(size.1)">
      <title id="t">\(Markup.text(title))</title>
      <desc id="d">\(Markup.text(description))</desc>
      <style>
      \(ChartStyle.css(\.light))svg .title{font-size:15px;font-weight:600;fill:\(Palette.text.light)}
      </style>
      <rect width="100%" height="100%" fill="\(Palette.card.light)"/>
      \(marks)
      </svg>

      """
  }
}
