// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// The area of a chart: maps minutes and values to coordinates, and draws axes and labels.
struct PlotArea {
  let axis: GlucoseAxis
  /// Length of the horizontal axis in minutes on the clock.
  let minutes: Double
  /// Size of the area within the axes.
  let width: Double
  let height: Double
  /// Margins for labels.
  let left: Double
  let right: Double
  let top: Double
  let bottom: Double
  /// Decimal places of coordinates.
  let places: Int

  var fullWidth: Double { left + width + right }
  var fullHeight: Double { top + height + bottom }

  func x(_ minute: Double) -> Double { left + width * minute / minutes }

  func y(_ value: Double) -> Double { top + height * (1 - axis.share(value)) }

  /// Returns the coordinates of a minute and a value in mg/dL: `12.5 70`.
  func point(_ minute: Double, _ value: Double) -> String { "\(text(x(minute))) \(text(y(value)))" }

  func text(_ coordinate: Double) -> String { DecimalText.shortest(coordinate, places: places) }

  /// Attributes with which the script converts coordinates back to minutes and values.
  var attributes: String {
    """
    data-top="\(text(top))" \(axis.isCut ? "data-cut=\"\" " : "")\
    data-x="\(text(left)) \(DecimalText.shortest(minutes / width, places: 6))" data-y="\(text(top + height)) \
    \(DecimalText.shortest((axis.top - axis.bottom) / height, places: 6)) \(text(axis.bottom))"
    """
  }

  /// Bands under 70 and once more under 54 mg/dL, and over 250 mg/dL.
  var outerBands: String {
    func band(_ kind: String, from high: Double, to low: Double) -> String {
      #"<rect class="\#(kind)" x="\#(text(left))" y="\#(text(high))" width="\#(text(width))" "#
        + #"height="\#(text(low - high))"/>"#
    }
    return band("below", from: y(GlucoseRange.lowLimit), to: top + height)
      + band("below", from: y(GlucoseRange.veryLowLimit), to: top + height)
      + band("above", from: top, to: y(GlucoseRange.veryHighLimit))
  }

  /// Draws the band from 70 to 180 mg/dL, grid lines and labels. `ticks`: minutes and labels.
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

  /// Returns a gradient by height for a line: low, in range, high.
  func gradient(id: String) -> String {
    let (low, high) = (100 * (1 - axis.share(GlucoseRange.lowLimit)), 100 * (1 - axis.share(GlucoseRange.highLimit)))
    let stops = [(0, "high"), (high, "high"), (high, "within"), (low, "within"), (low, "low"), (100, "low")]
    let marks = stops.map { #"<stop class="\#($0.1)" offset="\#(DecimalText.shortest($0.0, places: 2))%"/>"# }
    return """
      <defs><linearGradient id="\(id)" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="\(text(top))" \
      y2="\(text(top + height))">\(marks.joined())</linearGradient></defs>
      """
  }

  /// Draws a diamond at each finger-stick, with a dot at its value. Each piece begins there, so that the script can read
  /// it.
  func fingerSticks(_ sticks: [(minute: Double, value: Double)], radius: Double) -> String {
    guard !sticks.isEmpty else { return "" }
    let data = sticks.map { "M\(point($0.minute, axis.rounded($0.value)))h0\(Self.diamond(radius: radius))" }
    return #"<path class="sticks" data-name="finger-stick" d="\#(data.joined())"/>"#
  }

  /// Returns path data of a diamond around the current point.
  static func diamond(radius: Double) -> String {
    let r = DecimalText.shortest(radius, places: 1)
    return "m0-\(r)l\(r) \(r)-\(r) \(r)-\(r)-\(r) \(r)-\(r)"
  }

  /// Draws a line through values, broken between `pieces`, and a dot for each piece with one value. If another line is
  /// `drawn` instead, the values' own line is invisible, so that the script still reads the values.
  func line(
    _ pieces: [[(minute: Double, value: Double)]], drawn: [[(minute: Double, value: Double)]]? = nil, gradientID: String
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
    let paint = #"stroke="url(#\#(gradientID))""# + (drawn == nil ? #" data-name="""# : "")
    return path("line", shown.filter { $0.count > 1 }, paint) + path("dots", shown.filter { $0.count == 1 }, paint)
      + (drawn == nil ? "" : path("measured", pieces, #"fill="none" data-name="""#))
  }
}
