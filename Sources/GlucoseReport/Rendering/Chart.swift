// SPDX-License-Identifier: Apache-2.0

/// A picture with axes, the same in a page and alone.
struct Chart {
  /// `agp`, `time`, `day-1`: no two in a page are alike.
  let id: String
  let title: String
  /// What there is to see, in words.
  let description: String
  let area: PlotArea
  /// Of its left end, on the clock from 1970 on; nil for a time of day.
  let startMinute: Int?
  let marks: String

  /// For a page.
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
