// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// Where on a picture a minute and a value stand, and the lines and words round it.
struct PlotArea {
  let axis: GlucoseAxis
  /// Length of the level axis in minutes on the clock.
  let minutes: Double
  /// Size of what is within the axes.
  let width: Double
  let height: Double
  /// Room for words.
  let left: Double
  let right: Double
  let top: Double
  let bottom: Double
  /// Decimals of coordinates.
  let places: Int

  var fullWidth: Double { left + width + right }
  var fullHeight: Double { top + height + bottom }

  func x(_ minute: Double) -> Double { left + width * minute / minutes }

  func y(_ value: Double) -> Double { top + height * (1 - axis.share(value)) }

  /// `12.5 70`, of a minute and a value in mg/dL.
  func point(_ minute: Double, _ value: Double) -> String { "\(text(x(minute))) \(text(y(value)))" }

  func text(_ coordinate: Double) -> String { DecimalText.shortest(coordinate, places: places) }

  /// How to get from coordinates back to minutes and values, for the script.
  var attributes: String {
    """
    data-top="\(text(top))" \(axis.isCut ? "data-cut=\"\" " : "")\
    data-x="\(text(left)) \(DecimalText.shortest(minutes / width, places: 6))" data-y="\(text(top + height)) \
    \(DecimalText.shortest((axis.top - axis.bottom) / height, places: 6)) \(text(axis.bottom))"
    """
  }

  /// The band from 70 to 180 mg/dL, a line for each label, and labels. `ticks` are minutes and words.
  func frame(ticks: [(minute: Double, text: String)]) -> String {
    let (high, low) = (y(GlucoseRange.highLimit), y(GlucoseRange.lowLimit))
    var marks = #"<rect class="target" x="\#(text(left))" y="\#(text(high))" width="\#(text(width))" "#
    marks += #"height="\#(text(low - high))"/>"#
    var grid = ""
    var words = ""
    for (share, label) in axis.labels {
      let y = top + height * (1 - share)
      grid += "M\(text(left)) \(text(y))h\(text(width))"
      words += #"<text class="side" x="\#(text(left - 6))" y="\#(text(y))" dy=".35em">\#(label)</text>"#
    }
    for (index, tick) in ticks.enumerated() {
      grid += "M\(text(x(tick.minute))) \(text(top))v\(text(height))"
      let kind = index.isMultiple(of: 2) ? "foot" : "foot odd"
      words += #"<text class="\#(kind)" x="\#(text(x(tick.minute)))" y="\#(text(top + height))" dy="1.4em">"#
      words += "\(Markup.text(tick.text))</text>"
    }
    let limits = "M\(text(left)) \(text(high))h\(text(width))M\(text(left)) \(text(low))h\(text(width))"
    return marks + #"<path class="grid" d="\#(grid)"/><path class="limit" d="\#(limits)"/>"# + words
  }

  /// Colours by height, for a line: low, in range, high.
  func ink(id: String) -> String {
    let (low, high) = (100 * (1 - axis.share(GlucoseRange.lowLimit)), 100 * (1 - axis.share(GlucoseRange.highLimit)))
    let stops = [(0, "high"), (high, "high"), (high, "within"), (low, "within"), (low, "low"), (100, "low")]
    let marks = stops.map { #"<stop class="\#($0.1)" offset="\#(DecimalText.shortest($0.0, places: 2))%"/>"# }
    return """
      <defs><linearGradient id="\(id)" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="\(text(top))" \
      y2="\(text(top + height))">\(marks.joined())</linearGradient></defs>
      """
  }

  /// A line through values, broken where `pieces` are, and a dot for each piece of one value. Where another line is
  /// `drawn` for them, theirs is there unseen, so that what is read back is still the values.
  func line(
    _ pieces: [[(minute: Double, value: Double)]], drawn: [[(minute: Double, value: Double)]]? = nil, ink: String
  ) -> String {
    func path(_ kind: String, _ pieces: [[(minute: Double, value: Double)]], _ paint: String) -> String {
      guard !pieces.isEmpty else { return "" }
      let data = pieces.map { piece in
        "M" + piece.map { point($0.minute, axis.rounded($0.value)) }.joined(separator: " ")
          + (piece.count == 1 ? "h0" : "")
      }
      return #"<path class="\#(kind)" \#(paint) d="\#(data.joined())"/>"#
    }
    let shown = drawn ?? pieces
    let paint = #"stroke="url(#\#(ink))""# + (drawn == nil ? #" data-name="""# : "")
    return path("line", shown.filter { $0.count > 1 }, paint) + path("dots", shown.filter { $0.count == 1 }, paint)
      + (drawn == nil ? "" : path("measured", pieces, #"fill="none" data-name="""#))
  }
}
