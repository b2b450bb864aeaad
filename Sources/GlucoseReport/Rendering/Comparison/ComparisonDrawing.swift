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
  let left: Double
  let top: Double
  let side: Double
  var right: Double { left + side }
  var bottom: Double { top + side }

  /// Coordinate of a value in mg/dL; values beyond the axis are drawn at its end.
  func x(_ value: Double) -> Double { left + side * across.share(value) }
  func y(_ value: Double) -> Double { top + side * (1 - up.share(value)) }
  func isBeyond(_ x: Double, _ y: Double) -> Bool { across.isBeyond(x) || up.isBeyond(y) }
  func point(_ x: Double, _ y: Double) -> String { "\(self.x(x).coordinate) \(self.y(y).coordinate)" }

  func frame(across acrossName: String, up upName: String) -> String {
    var grid = ""
    var words = ""
    for (share, label) in across.ticks {
      let x = (left + side * share).coordinate
      grid += "M\(x) \(top.coordinate)v\(side.coordinate)"
      words += #"<text class="foot" x="\#(x)" y="\#(bottom.coordinate)" dy="1.4em">\#(label)</text>"#
    }
    for (share, label) in up.ticks {
      let y = (top + side * (1 - share)).coordinate
      grid += "M\(left.coordinate) \(y)h\(side.coordinate)"
      words += #"<text class="side" x="\#((left - 6).coordinate)" y="\#(y)" dy=".35em">\#(label)</text>"#
    }
    let middle = (x: (left + side / 2).coordinate, y: (top + side / 2).coordinate, side: (left - 44).coordinate)
    words += #"<text class="foot" x="\#(middle.x)" y="\#((bottom + 36).coordinate)">\#(Markup.text(acrossName))</text>"#
    words += #"<text class="foot" x="\#(middle.side)" y="\#(middle.y)" transform="rotate(-90 \#(middle.side) "#
    words += #"\#(middle.y))">\#(Markup.text(upName))</text>"#
    return #"<path class="grid" d="\#(grid)"/>"# + words
  }

  func dots(_ pairs: [(x: Double, y: Double)], kind: String) -> String {
    guard !pairs.isEmpty else { return "" }
    return #"<path class="dots \#(kind)" d="\#(pairs.map { "M\(point($0.x, $0.y))h0" }.joined())"/>"#
  }

  func beyond(_ pairs: [(x: Double, y: Double)]) -> String {
    let count = pairs.count { isBeyond($0.x, $0.y) }
    guard count > 0 else { return "" }
    let words = count == 1 ? "1 pair lies beyond the axes and stands" : "\(count) pairs lie beyond the axes and stand"
    return #"<text x="\#(left.coordinate)" y="\#((bottom + 56).coordinate)">\#(words) at the edge.</text>"#
  }
}

struct BlandAltmanDrawing {
  let pairs: [GlucosePair]
  let unit: GlucoseUnit
  private var metrics: AgreementMetrics { AgreementMetrics(pairs) }

  /// `left` and `top` refer to the area within the axes; the title is above it, the lines' names are to the right.
  func marks(left: Double, top: Double, side: Double) -> String {
    let area = area(left: left, top: top, side: side)
    let places = pairs.map { (x: $0.mean, y: $0.difference) }
    let name = unit.rawValue
    var marks = area.frame(across: "Mean of sensor and reference, \(name)", up: "Sensor − reference, \(name)")
    marks += #"<path class="same" d="M\#(left.coordinate) \#(area.y(0).coordinate)h\#(side.coordinate)"/>"#
    marks += area.dots(places, kind: "pair")
    marks += lines(area)
    marks += #"<text class="panel" x="\#(left.coordinate)" y="\#((top - 44).coordinate)">Bland-Altman plot</text>"#
    marks += #"<text x="\#(left.coordinate)" y="\#((top - 24).coordinate)">\#(note)</text>"#
    return marks + area.beyond(places)
  }

  var description: String {
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
    guard let bias = metrics.bias else { return "" }
    let middle = area.y(bias)
    var marks = line(bias, "bias \(signed(bias))", kind: "bias", at: middle, area)
    if let limits = metrics.limitsOfAgreement {
      let (upper, lower) = (limits.upperBound, limits.lowerBound)
      // Names of close lines are placed below each other.
      let (above, below) = (min(area.y(upper), middle - 14), max(area.y(lower), middle + 14))
      marks += line(upper, "+1.96 SD \(signed(upper))", kind: "limit", at: above, area)
      marks += line(lower, "−1.96 SD \(signed(lower))", kind: "limit", at: below, area)
    }
    return marks
  }

  private func line(
    _ value: Double, _ name: String, kind: String, at height: Double, _ area: ComparisonArea
  ) -> String {
    let start = "M\(area.left.coordinate) \(area.y(value).coordinate)"
    return #"<path class="\#(kind)" d="\#(start)h\#(area.side.coordinate)"/>"#
      + #"<text x="\#((area.right + 6).coordinate)" y="\#(height.coordinate)" dy=".35em">\#(name)</text>"#
  }

  /// Formats a difference in the unit, with one decimal more than a value: `+2.1`, `−0.12`, `0.0`.
  private func signed(_ difference: Double) -> String {
    let text = ReportNumbers.number(unit.value(abs(difference)), places: unit.places + 1)
    let isNought = !text.contains { ("1"..."9").contains($0) }
    return (isNought ? "" : difference > 0 ? "+" : "−") + text
  }
}
