// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Pairs over the zones of an error grid, and each zone's share.
struct ErrorGridDrawing {
  let pairs: [GlucosePair]
  let grid: ErrorGrid
  let unit: GlucoseUnit

  /// Draws the chart. `left` and `top` refer to the area within the axes; title and key are above it.
  func marks(left: Double, top: Double, side: Double) -> String {
    let figure = ErrorGridFigure(grid)
    let axis = GlucoseAxis(
      bottom: 0, top: unit.value(figure.side), unit: unit)
    let area = ComparisonArea(across: axis, up: axis, left: left, top: top, side: side)
    func path(_ places: [ErrorGridFigure.Place]) -> String {
      "M" + places.map { area.point($0.x, $0.y) }.joined(separator: " ")
    }
    let name = unit.rawValue
    var marks = #"<path class="target" d="\#(path(figure.accurate))z"/>"#
    marks += area.frame(across: "Reference, \(name)", up: "Sensor, \(name)")
    marks += #"<path class="same" d="\#(path([(0, 0), (figure.side, figure.side)]))"/>"#
    marks += #"<path class="zones" d="\#(figure.lines.map(path).joined())"/>"#
    let places = Dictionary(grouping: pairs) { grid.zone(of: $0) }.mapValues { $0.map(Self.place) }
    for zone in ErrorGridZone.allCases {
      marks += area.dots(places[zone] ?? [], kind: "zone-\(zone.rawValue)")
    }
    for (zone, place) in figure.letters {
      marks += #"<text class="letter" x="\#(ComparisonArea.text(area.x(place.x)))" "#
      marks += #"y="\#(ComparisonArea.text(area.y(place.y)))" dy=".35em">\#(zone.rawValue)</text>"#
    }
    return marks + key(left: left, top: top, side: side) + area.beyond(pairs.map(Self.place))
  }

  /// Description for people who cannot see the chart: `Clarke error grid: A 90.0 %, …`
  var description: String {
    let counts = ErrorGridCounts(pairs, grid: grid)
    let shares = ErrorGridZone.allCases.map { "\($0.rawValue) \(Self.share(counts.percent($0)))" }
    return "\(grid.title): \(shares.joined(separator: ", "))."
  }

  private static func place(_ pair: GlucosePair) -> ErrorGridFigure.Place {
    (pair.reference.milligramsPerDecilitre, pair.sensor.milligramsPerDecilitre)
  }

  private static func share(_ percent: Double?) -> String {
    guard let percent else { return ReportNumbers.missing }
    // A small share is not shown as zero.
    return percent > 0 && percent < 0.05 ? "<0.1 %" : "\(ReportNumbers.number(percent, places: 1)) %"
  }

  private func key(left: Double, top: Double, side: Double) -> String {
    let counts = ErrorGridCounts(pairs, grid: grid)
    var marks = #"<text class="panel" x="\#(ComparisonArea.text(left))" y="\#(ComparisonArea.text(top - 44))">"#
    marks += "\(grid.title)</text>"
    for (index, zone) in ErrorGridZone.allCases.enumerated() {
      let x = left + side * Double(index) / Double(ErrorGridZone.allCases.count)
      let (dot, text) = (ComparisonArea.text(x + 4), ComparisonArea.text(x + 13))
      marks += #"<path class="dots mark zone-\#(zone.rawValue)" d="M\#(dot) \#(ComparisonArea.text(top - 28))h0"/>"#
      marks +=
        #"<text x="\#(text)" y="\#(ComparisonArea.text(top - 24))"><tspan class="name">\#(zone.rawValue)</tspan> "#
      marks += "\(Markup.text(Self.share(counts.percent(zone))))</text>"
      marks += #"<text x="\#(text)" y="\#(ComparisonArea.text(top - 10))">\#(counts.count(zone))</text>"#
    }
    return marks
  }
}
