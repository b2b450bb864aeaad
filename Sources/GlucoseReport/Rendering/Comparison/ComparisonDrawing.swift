// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import TextFormats

package struct ComparisonDrawing: Sendable {
  private let pairs: [GlucosePair]
  private let model: String
  private let reference: String
  private let errorGrid: ErrorGridDrawing
  private let blandAltman: BlandAltmanDrawing
  private let disclaimer: String

  /// `model` names the source of the sensor's values, `reader`; `reference` those that they are compared with.
  package init(
    _ pairs: [GlucosePair], grid: ErrorGrid, unit: GlucoseUnit, model: String, reference: String, disclaimer: String
  ) {
    self.pairs = pairs
    self.model = Self.short(model)
    self.reference = Self.short(reference)
    self.disclaimer = disclaimer
    errorGrid = ErrorGridDrawing(pairs: pairs, grid: grid, unit: unit)
    blandAltman = BlandAltmanDrawing(pairs: pairs, unit: unit)
  }

  package var svg: String {
    let (side, left, top) = (400.0, 76.0, 128.0)
    let second = left + side + 84
    let title = "\(model) compared with \(reference)"
    let marks = """
      <text class="title" x="76" y="34">\(Markup.text(title))</text>
      <text x="76" y="54">\(count)</text>
      \(errorGrid.marks(left: left, top: top, side: side))
      \(blandAltman.marks(left: second, top: top, side: side))
      <text x="76" y="610">\(Markup.text(disclaimer))</text>
      """
    return SVGDocument(
      width: second + side + 116, height: 630, title: title,
      description: "\(count). \(errorGrid.description) \(blandAltman.description)", style: Self.style, marks: marks
    ).text
  }

  private var count: String { "n = \(CountText.of(pairs.count, "pair"))" }

  /// Shortens a name, so that both names fit above the charts.
  private static func short(_ name: String) -> String { name.count > 50 ? "\(name.prefix(49))…" : name }

  /// Light on paper and by default, otherwise like the screen.
  private static let style = """
    \(css(\.light))
    @media screen and (prefers-color-scheme:dark){
    svg>rect{fill:\(Palette.card.dark)}
    \(css(\.dark))
    }
    """

  private static func css(_ colour: (Palette) -> String) -> String {
    ChartStyle.css(colour) + """
      .zones{fill:none;stroke:\(colour(.soft));stroke-linejoin:round}
      .same{fill:none;stroke:\(colour(.soft));stroke-dasharray:2 4}
      .bias{fill:none;stroke:\(colour(.text));stroke-width:1.5}
      .dots{stroke-opacity:.7}
      .mark{stroke-width:9;stroke-opacity:1}
      .zone-A,.pair{stroke:\(colour(.withinLine))}
      .zone-B{stroke:\(colour(.inner))}
      .zone-C{stroke:\(colour(.highLine))}
      .zone-D{stroke:\(colour(.lowLine))}
      .zone-E{stroke:\(colour(.text))}
      svg .letter{font-size:15px;font-weight:600;text-anchor:middle}
      svg .panel{font-size:13px;font-weight:600;fill:\(colour(.text))}
      svg .name{font-weight:600;fill:\(colour(.text))}
      \(SVGDocument.titleStyle(colour))
      """
  }
}

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

struct BlandAltmanDrawing {
  let pairs: [GlucosePair]
  let unit: GlucoseUnit

  /// `left` and `top` refer to the area within the axes; the title is above it, the lines' names are to the right.
  func marks(left: Double, top: Double, side: Double) -> String {
    let area = area(left: left, top: top, side: side)
    let places = pairs.map { (x: $0.mean, y: $0.difference) }
    let name = unit.rawValue
    var marks = area.frame(across: "Mean of sensor and reference, \(name)", up: "Sensor − reference, \(name)")
    marks += #"<path class="same" d="M\#(ComparisonArea.text(left)) \#(ComparisonArea.text(area.y(0)))h"#
    marks += #"\#(ComparisonArea.text(side))"/>"#
    marks += area.dots(places, kind: "pair")
    marks += lines(area)
    marks += #"<text class="panel" x="\#(ComparisonArea.text(left))" y="\#(ComparisonArea.text(top - 44))">"#
    marks += #"Bland-Altman plot</text><text x="\#(ComparisonArea.text(left))" y="\#(ComparisonArea.text(top - 24))">"#
    return marks + "\(note)</text>" + area.beyond(places)
  }

  /// Description for people who cannot see the plot: `Bland-Altman plot: bias +2.0 mg/dL, …`
  var description: String {
    let metrics = AgreementMetrics(pairs)
    guard let bias = metrics.bias else { return "Bland-Altman plot: no pairs." }
    var text = "Bland-Altman plot: bias \(signed(bias))"
    if let limits = metrics.limitsOfAgreement {
      text += ", limits of agreement \(signed(limits.lowerBound)) and \(signed(limits.upperBound))"
    }
    return text + " \(unit.rawValue)."
  }

  private var note: String {
    switch pairs.count {
    case 0: "No pairs."
    case 1: "Limits of agreement need at least two pairs."
    default: "Dashed: limits of agreement, bias ± 1.96 SD"
    }
  }

  /// Area with equal extent up and down, so that zero is in the middle.
  private func area(left: Double, top: Double, side: Double) -> ComparisonArea {
    let metrics = AgreementMetrics(pairs)
    let limits = metrics.limitsOfAgreement.map { [$0.lowerBound, $0.upperBound] } ?? []
    let farthest = unit.value((limits + [metrics.worst ?? 0]).map(abs).max() ?? 0)
    let ends: [Double] =
      switch unit {
      case .milligramsPerDecilitre: [20, 40, 60, 100, 150, 200, 300, 600]
      case .millimolesPerLitre: [1, 2, 3, 5, 8, 10, 15, 30]
      }
    let end = ends.first { $0 >= farthest } ?? ends[ends.count - 1]
    let means = pairs.map {
      GlucosePoint(time: $0.time, concentration: GlucoseConcentration(milligramsPerDecilitre: $0.mean))
    }
    return ComparisonArea(
      across: GlucoseAxis(means, unit: unit), up: GlucoseAxis(bottom: -end, top: end, unit: unit), left: left, top: top,
      side: side)
  }

  private func lines(_ area: ComparisonArea) -> String {
    let metrics = AgreementMetrics(pairs)
    guard let bias = metrics.bias else { return "" }
    let middle = area.y(bias)
    var marks = line(bias, "bias \(signed(bias))", kind: "bias", at: middle, area)
    if let limits = metrics.limitsOfAgreement {
      // Names of close lines are placed below each other.
      let (upper, lower) = (area.y(limits.upperBound), area.y(limits.lowerBound))
      marks += line(
        limits.upperBound, "+1.96 SD \(signed(limits.upperBound))", kind: "limit", at: min(upper, middle - 14), area)
      marks += line(
        limits.lowerBound, "−1.96 SD \(signed(limits.lowerBound))", kind: "limit", at: max(lower, middle + 14), area)
    }
    return marks
  }

  private func line(_ value: Double, _ name: String, kind: String, at height: Double, _ area: ComparisonArea) -> String
  {
    let y = ComparisonArea.text(area.y(value))
    return #"<path class="\#(kind)" d="M\#(ComparisonArea.text(area.left)) \#(y)h\#(ComparisonArea.text(area.side))"/>"#
      + #"<text x="\#(ComparisonArea.text(area.right + 6))" y="\#(ComparisonArea.text(height))" dy=".35em">"#
      + "\(name)</text>"
  }

  /// Formats a difference in the unit, with one decimal more than a value: `+2.1`, `−0.12`, `0.0`.
  private func signed(_ difference: Double) -> String {
    let text = ReportNumbers.number(unit.value(abs(difference)), places: unit.places + 1)
    let isNought = !text.contains { ("1"..."9").contains($0) }
    return (isNought ? "" : difference > 0 ? "+" : "−") + text
  }
}
