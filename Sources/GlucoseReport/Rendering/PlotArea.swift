// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The area of a chart: maps minutes and values to coordinates, and draws axes and labels.
struct PlotArea {
  let axis: GlucoseAxis
  /// Length of the horizontal axis in minutes on the clock.
  let minutes: Double
  let width: Double
  let height: Double
  let left: Double
  let right: Double
  let top: Double
  let bottom: Double
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
    band("below", from: y(GlucoseRange.lowLimit), to: top + height)
      + band("below", from: y(GlucoseRange.veryLowLimit), to: top + height)
      + band("above", from: top, to: y(GlucoseRange.veryHighLimit))
  }

  private func band(_ kind: String, from high: Double, to low: Double) -> String {
    let place = #"x="\#(text(left))" y="\#(text(high))""#
    return #"<rect class="\#(kind)" \#(place) width="\#(text(width))" height="\#(text(low - high))"/>"#
  }

  /// Draws the band from 70 to 180 mg/dL, grid lines and labels. `ticks`: minutes and labels.
  func frame(ticks: [(minute: Double, text: String)]) -> String {
    let (high, low) = (y(GlucoseRange.highLimit), y(GlucoseRange.lowLimit))
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
    return band("target", from: high, to: low)
      + #"<path class="grid" d="\#(grid)"/><path class="limit" d="\#(limits)"/>"# + words
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

  /// Draws a diamond at each finger-stick. Each piece begins with a dot at its value, so that the script can read it.
  func fingerSticks(_ sticks: [(minute: Double, value: Double)], radius: Double) -> String {
    guard !sticks.isEmpty else { return "" }
    let data = sticks.map { "M\(point($0.minute, axis.rounded($0.value)))h0\(Self.diamond(radius: radius))" }
    return #"<path class="sticks" data-name="finger-stick" d="\#(data.joined())"/>"#
  }

  static func diamond(radius: Double) -> String {
    let r = radius.coordinate
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

/// The vertical axis of a chart: from 0 to 350 mg/dL or 20 mmol/L, extended for values beyond up to 1000 mg/dL or 55
/// mmol/L, and down to −100 or −5; values beyond these are drawn at the end.
struct GlucoseAxis {
  let unit: GlucoseUnit
  /// Ends, in `unit`.
  let bottom: Double
  let top: Double
  let isCut: Bool

  init(_ points: [GlucosePoint], unit: GlucoseUnit) {
    self.unit = unit
    let values = points.map { unit.value($0.value) }.filter(\.isFinite)
    let (lowest, highest) = (values.min() ?? 0, values.max() ?? 0)
    switch unit {
    case .milligramsPerDecilitre:
      top = highest <= 350 ? 350 : min(1_000, (highest / 100).rounded(.up) * 100)
      bottom = lowest < 0 ? -100 : 0
    case .millimolesPerLitre:
      top = highest <= 20 ? 20 : min(55, (highest / 5).rounded(.up) * 5)
      bottom = lowest < 0 ? -5 : 0
    }
    isCut = lowest < bottom || highest > top
  }

  init(bottom: Double, top: Double, unit: GlucoseUnit, isCut: Bool = false) {
    (self.unit, self.bottom, self.top, self.isCut) = (unit, bottom, top, isCut)
  }

  func isBeyond(_ value: Double) -> Bool { !(bottom...top).contains(unit.value(value)) }

  /// Returns the height of a value in mg/dL, 0 to 1.
  func share(_ value: Double) -> Double { (min(max(unit.value(value), bottom), top) - bottom) / (top - bottom) }

  /// Rounds a value in mg/dL to its displayed precision, so that the script can read it back.
  func rounded(_ value: Double) -> Double {
    let step =
      unit == .milligramsPerDecilitre ? 1 : GlucoseConcentration(millimolesPerLitre: 0.1).milligramsPerDecilitre
    return (value / step).rounded(.toNearestOrAwayFromZero) * step
  }

  var labels: [(share: Double, text: String)] {
    let limits =
      [GlucoseRange.lowLimit, GlucoseRange.highLimit] + (unit.value(700) > top ? [GlucoseRange.veryHighLimit] : [])
    let ends = [bottom, top].map { (share: ($0 - bottom) / (top - bottom), text: DecimalText.shortest($0, places: 0)) }
    return limits.map { (share: share($0), text: unit.text($0)) } + ends
  }

  /// Round numbers, at most twelve: height, and text.
  var ticks: [(share: Double, text: String)] {
    let steps = [0.5, 1, 2, 5, 10, 20, 50, 100, 200]
    let step = steps.first { (top - bottom) / $0 <= 11 } ?? 500
    return stride(from: (bottom / step).rounded(.up), through: (top / step).rounded(.down), by: 1).map {
      (share: ($0 * step - bottom) / (top - bottom), text: DecimalText.shortest($0 * step, places: 1))
    }
  }
}

struct Chart {
  let id: String
  let title: String
  let description: String
  let area: PlotArea
  /// Start in minutes since 1970 on the clock; nil for a time of day.
  let startMinute: Int?
  let marks: String

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

package enum ChartStyle {
  package static func css(_ colour: (Palette) -> String) -> String {
    """
    .target{fill:\(colour(.target))}
    .grid{stroke:\(colour(.grid));fill:none}
    .limit{stroke:\(colour(.limit));fill:none;stroke-dasharray:5 3}
    .outer{fill:\(colour(.outer));fill-opacity:.75}
    .inner{fill:\(colour(.inner));fill-opacity:.85}
    .median{fill:none;stroke:\(colour(.text));stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}
    .line{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}
    .dots{fill:none;stroke-width:4;stroke-linecap:round}
    .sticks{fill:\(colour(.card));stroke:\(colour(.text));stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}
    stop.low{stop-color:\(colour(.lowLine))}
    stop.within{stop-color:\(colour(.withinLine))}
    stop.high{stop-color:\(colour(.highLine))}
    svg text{font:11px system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans","DejaVu Sans",sans-serif;
    fill:\(colour(.soft))}
    svg .side{text-anchor:end}
    svg .foot{text-anchor:middle}

    """
  }
}
