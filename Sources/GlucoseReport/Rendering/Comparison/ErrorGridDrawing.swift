// SPDX-License-Identifier: Apache-2.0
import CGMModel

struct ErrorGridDrawing {
  let pairs: [GlucosePair]
  let grid: ErrorGrid
  let unit: GlucoseUnit

  /// Draws the chart. `left` and `top` refer to the area within the axes; title and key are above it.
  func marks(left: Double, top: Double, side: Double) -> String {
    let figure = ErrorGridFigure(grid)
    let axis = GlucoseAxis(bottom: 0, top: unit.value(figure.side), unit: unit)
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
    for zone in ErrorGridZone.allCases { marks += area.dots(places[zone] ?? [], kind: "zone-\(zone.rawValue)") }
    for (zone, place) in figure.letters {
      let (x, y) = (area.x(place.x).coordinate, area.y(place.y).coordinate)
      marks += #"<text class="letter" x="\#(x)" y="\#(y)" dy=".35em">\#(zone.rawValue)</text>"#
    }
    return marks + key(left: left, top: top, side: side) + area.beyond(pairs.map(Self.place))
  }

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
    var marks = #"<text class="panel" x="\#(left.coordinate)" y="\#((top - 44).coordinate)">\#(grid.title)</text>"#
    for (index, zone) in ErrorGridZone.allCases.enumerated() {
      let x = left + side * Double(index) / Double(ErrorGridZone.allCases.count)
      let (dot, text) = ((x + 4).coordinate, (x + 13).coordinate)
      marks += #"<path class="dots mark zone-\#(zone.rawValue)" d="M\#(dot) \#((top - 28).coordinate)h0"/>"#
      marks += #"<text x="\#(text)" y="\#((top - 24).coordinate)"><tspan class="name">\#(zone.rawValue)</tspan> "#
      marks += "\(Markup.text(Self.share(counts.percent(zone))))</text>"
      marks += #"<text x="\#(text)" y="\#((top - 10).coordinate)">\#(counts.count(zone))</text>"#
    }
    return marks
  }
}

/// The drawn lines of an error grid, in mg/dL: the reference is horizontal, the sensor's value vertical.
struct ErrorGridFigure {
  typealias Place = (x: Double, y: Double)

  /// Length of both axes: 400 in Clarke's figure, 550 in Parkes's.
  let side: Double
  let accurate: [Place]
  let lines: [[Place]]
  let letters: [(zone: ErrorGridZone, place: Place)]

  init(_ grid: ErrorGrid) {
    switch grid {
    case .clarke: self = Self.clarke
    case .parkesType1:
      self.init(
        .type1,
        letters: [
          (.a, (440, 440)), (.b, (330, 480)), (.b, (480, 330)), (.c, (180, 480)), (.c, (480, 190)), (.d, (80, 480)),
          (.d, (480, 60)), (.e, (14, 480)),
        ])
    case .parkesType2:
      self.init(
        .type2,
        letters: [
          (.a, (440, 440)), (.b, (300, 480)), (.b, (480, 310)), (.c, (170, 480)), (.c, (480, 180)), (.d, (76, 480)),
          (.d, (480, 60)), (.e, (18, 480)),
        ])
    }
  }

  private init(side: Double, accurate: [Place], lines: [[Place]], letters: [(zone: ErrorGridZone, place: Place)]) {
    (self.side, self.accurate, self.lines) = (side, accurate, lines)
    self.letters = letters
  }

  private init(_ grid: ParkesErrorGrid, letters: [(zone: ErrorGridZone, place: Place)]) {
    func line(_ border: ParkesErrorGrid.Border) -> [Place] { border.corners.map { ($0.reference, $0.sensor) } }
    let ends = grid.borders.filter { $0.zone == .b }.map(line)
    // Along B's upper line, around the corner with both maximum values, back along the lower line, around the origin.
    let accurate = (ends.first ?? []) + [(550, 550)] + (ends.last ?? []).reversed() + [(0, 0)]
    self.init(side: 550, accurate: accurate, lines: grid.borders.map(line), letters: letters)
  }

  /// The lines given by the inequalities of `ErrorGrid.clarkeZone`.
  private static let clarke = ErrorGridFigure(
    side: 400,
    accurate: [(0, 0), (0, 70), (70 / 1.2, 70), (400 / 1.2, 400), (400, 400), (400, 320), (70, 56), (70, 0)],
    lines: [
      [(0, 70), (70 / 1.2, 70), (400 / 1.2, 400)], [(70, 0), (70, 56), (400, 320)], [(70, 84), (70, 400)],
      [(0, 180), (70, 180), (290, 400)], [(130, 0), (180, 70)], [(180, 0), (180, 70), (400, 70)],
      [(240, 70), (240, 180), (400, 180)],
    ],
    letters: [
      (.a, (30, 22)), (.b, (370, 260)), (.b, (270, 360)), (.c, (150, 370)), (.c, (160, 12)), (.d, (30, 130)),
      (.d, (370, 120)), (.e, (30, 370)), (.e, (370, 30)),
    ])
}
