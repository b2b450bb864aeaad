// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The report's main chart as an SVG file: the profile, or all values without a profile.
public struct ReportDrawing: Sendable {
  private let content: ReportContent

  public init(_ content: ReportContent) { self.content = content }

  public var svg: String {
    let chart =
      content.profile.map { ProfileDrawing(profile: $0, content: content).chart }
      ?? TimelineDrawing(content: content).chart
    guard let chart else {
      return document(
        width: 640, height: 120, title: "No values", description: "No values to draw.",
        marks: #"<text class="title" x="24" y="64">No values to draw.</text>"#)
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
    // Smoothing does not apply to a profile.
    guard content.profile == nil, let smoothing = content.smoothing else {
      return document(
        width: width, height: height + 72, title: words, description: chart.description, marks: marks)
    }
    let note = """
      <text class="last" x="\(DecimalText.shortest(chart.area.left, places: 1))" y="\
      \(DecimalText.shortest(height + 76, places: 1))">\(Markup.text(smoothing.note))</text>
      """
    return document(
      width: width, height: height + 90, title: words, description: chart.description, marks: "\(marks)\n\(note)")
  }

  private var days: String {
    let clock = content.clock
    return "\(clock.name(ofDay: clock.day(content.from))) to \(clock.name(ofDay: clock.day(content.to)))"
  }

  private func document(width: Double, height: Double, title: String, description: String, marks: String) -> String {
    SVGDocument(
      width: width, height: height, title: title, description: description,
      style: ChartStyle.css(\.light) + SVGDocument.titleStyle(\.light), marks: marks
    ).text
  }
}
