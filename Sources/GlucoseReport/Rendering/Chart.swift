// SPDX-License-Identifier: Apache-2.0

/// A chart with axes, drawn the same way in a page and alone.
struct Chart {
  /// Identifier, unique in a page: `agp`, `time`, `day-1`.
  let id: String
  let title: String
  /// Description for people who cannot see the chart.
  let description: String
  let area: PlotArea
  /// Start in minutes since 1970 on the clock; nil for a time of day.
  let startMinute: Int?
  let marks: String

  /// SVG element for a page.
  var html: String {
    """
    <svg class="\(id.prefix { $0 != "-" })" role="img" tabindex="0" aria-labelledby="\(id)-t" \
    aria-describedby="\(id)-d" viewBox="0 0 \(area.text(area.fullWidth)) \(area.text(area.fullHeight))" \
    \(area.attributes)\(startMinute.map { " data-start=\"\($0)\"" } ?? "")>\
    <title id="\(id)-t">\(Markup.text(title))</title><desc id="\(id)-d">\(Markup.text(description))</desc>\
    \(marks)</svg>
    """
  }
}
