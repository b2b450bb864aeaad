// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import TextFormats

/// A sensor's values compared with a reference as an SVG file: an error grid, with a Bland-Altman plot next to it.
package struct ComparisonDrawing: Sendable {
  private let pairs: [GlucosePair]
  private let model: String
  private let reference: String
  private let errorGrid: ErrorGridDrawing
  private let blandAltman: BlandAltmanDrawing
  private let disclaimer: String

  /// Creates a drawing. `model` names the source of the sensor's values, `reader`; `reference` names the values that
  /// they are compared with, `finger-sticks`.
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
