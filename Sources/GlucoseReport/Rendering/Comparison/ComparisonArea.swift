// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The area of a chart with a concentration on each axis: maps pairs to coordinates, and draws axes and labels.
struct ComparisonArea {
  let across: GlucoseAxis
  let up: GlucoseAxis
  /// Position and size of the area within the axes.
  let left: Double
  let top: Double
  let side: Double

  var right: Double { left + side }
  var bottom: Double { top + side }

  /// Coordinate of a value in mg/dL; values beyond the axis are drawn at its end.
  func x(_ value: Double) -> Double { left + side * across.share(value) }

  func y(_ value: Double) -> Double { top + side * (1 - up.share(value)) }

  /// True if a pair lies beyond an axis.
  func isBeyond(_ x: Double, _ y: Double) -> Bool { across.isBeyond(x) || up.isBeyond(y) }

  /// Returns the coordinates of a pair: `12.5 70`
  func point(_ x: Double, _ y: Double) -> String { "\(Self.text(self.x(x))) \(Self.text(self.y(y)))" }

  static func text(_ coordinate: Double) -> String { DecimalText.shortest(coordinate, places: 1) }

  /// Draws grid lines at round numbers, the numbers, and the axes' titles.
  func frame(across acrossName: String, up upName: String) -> String {
    var grid = ""
    var words = ""
    for (share, label) in across.ticks {
      let x = Self.text(left + side * share)
      grid += "M\(x) \(Self.text(top))v\(Self.text(side))"
      words += #"<text class="foot" x="\#(x)" y="\#(Self.text(bottom))" dy="1.4em">\#(label)</text>"#
    }
    for (share, label) in up.ticks {
      let y = Self.text(top + side * (1 - share))
      grid += "M\(Self.text(left)) \(y)h\(Self.text(side))"
      words += #"<text class="side" x="\#(Self.text(left - 6))" y="\#(y)" dy=".35em">\#(label)</text>"#
    }
    let middle = (x: Self.text(left + side / 2), y: Self.text(top + side / 2), side: Self.text(left - 44))
    words += #"<text class="foot" x="\#(middle.x)" y="\#(Self.text(bottom + 36))">\#(Markup.text(acrossName))</text>"#
    words += #"<text class="foot" x="\#(middle.side)" y="\#(middle.y)" transform="rotate(-90 \#(middle.side) "#
    words += #"\#(middle.y))">\#(Markup.text(upName))</text>"#
    return #"<path class="grid" d="\#(grid)"/>"# + words
  }

  /// Draws a dot for each pair; empty without pairs.
  func dots(_ pairs: [(x: Double, y: Double)], kind: String) -> String {
    guard !pairs.isEmpty else { return "" }
    return #"<path class="dots \#(kind)" d="\#(pairs.map { "M\(point($0.x, $0.y))h0" }.joined())"/>"#
  }

  /// Returns the number of pairs beyond an axis, as a line of text below the chart.
  func beyond(_ pairs: [(x: Double, y: Double)]) -> String {
    let count = pairs.count { isBeyond($0.x, $0.y) }
    guard count > 0 else { return "" }
    let words = count == 1 ? "1 pair lies beyond the axes and stands" : "\(count) pairs lie beyond the axes and stand"
    return #"<text x="\#(Self.text(left))" y="\#(Self.text(bottom + 56))">\#(words) at the edge.</text>"#
  }
}
