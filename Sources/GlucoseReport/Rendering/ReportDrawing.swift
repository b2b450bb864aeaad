// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The report's main chart as an SVG file: the profile, or all values without a profile.
package struct ReportDrawing: Sendable {
  private let content: ReportContent
  package init(_ content: ReportContent) { self.content = content }

  package var svg: String {
    let chart =
      content.profile.map { ProfileDrawing(profile: $0, content: content).chart }
      ?? TimelineDrawing(content: content).chart
    guard let chart else {
      return SVGDocument(
        width: 640, height: 120, title: "No values", description: "No values to draw.",
        marks: #"<text class="title" x="24" y="64">No values to draw.</text>"#
      ).text
    }
    let (width, height) = (chart.area.fullWidth, chart.area.fullHeight)
    let words = content.profile == nil ? chart.title : "\(chart.title), \(days)"
    let left = chart.area.left.coordinate
    var lines = (content.calibrationNotes + [content.disclaimer]).map { Markup.text($0) }
    var sticks = ""
    // A profile has neither a smoothed line nor finger-sticks.
    if content.profile == nil {
      if let smoothing = content.smoothing { lines.append(Markup.text(smoothing.note)) }
      if let count = FingerStickText.count(content.fingerSticks) {
        lines.insert(count, at: 0)
        sticks = FingerStickText.legendMark(x: chart.area.left + 5, y: height + 54)
      }
    }
    let foot = lines.enumerated().map { index, line in
      let y = (height + 58 + 18 * Double(index)).coordinate
      let x = index == 0 && !sticks.isEmpty ? (chart.area.left + 16).coordinate : left
      return #"<text class="last" x="\#(x)" y="\#(y)">\#(line)</text>"#
    }
    let marks = """
      <text class="title" x="\(left)" y="30">\(Markup.text(words)), \
      \(content.unit.rawValue)</text>
      <g transform="translate(0 40)">\(chart.marks)</g>
      \(sticks)\(foot.joined(separator: "\n"))
      """
    return SVGDocument(
      width: width, height: height + 54 + 18 * Double(lines.count), title: words, description: chart.description,
      marks: marks
    ).text
  }

  private var days: String {
    let clock = content.clock
    return "\(clock.name(ofDay: clock.day(content.from))) to \(clock.name(ofDay: clock.day(content.to)))"
  }
}

struct SVGDocument {
  let width: Double
  let height: Double
  let title: String
  let description: String
  var style = ChartStyle.css(\.light) + SVGDocument.titleStyle(\.light)
  let marks: String

  static func titleStyle(_ colour: (Palette) -> String) -> String {
    "svg .title{font-size:15px;font-weight:600;fill:\(colour(.text))}"
  }

  var text: String {
    let size = (width.coordinate, height.coordinate)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      \(DocumentMark.picture)width="\(size.0)" height="\(size.1)" \
      viewBox="0 0 \(size.0) \(size.1)">
      <title id="t">\(Markup.text(title))</title>
      <desc id="d">\(Markup.text(description))</desc>
      <style>
      \(style)
      </style>
      <rect width="100%" height="100%" fill="\(Palette.card.light)"/>
      \(marks)
      </svg>

      """
  }
}
