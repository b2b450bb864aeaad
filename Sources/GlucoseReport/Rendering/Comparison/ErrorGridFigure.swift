// SPDX-License-Identifier: Apache-2.0

/// The drawn lines of an error grid, in mg/dL: the reference is horizontal, the sensor's value vertical.
struct ErrorGridFigure {
  typealias Place = (x: Double, y: Double)

  /// Length of both axes: 400 in Clarke's figure, 550 in Parkes's.
  let side: Double
  /// Outline of zone A.
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

  private init(side: Double, accurate: [Place], lines: [[Place]], letters: [(ErrorGridZone, Place)]) {
    self.side = side
    self.accurate = accurate
    self.lines = lines
    self.letters = letters.map { (zone: $0.0, place: $0.1) }
  }

  private init(_ grid: ParkesErrorGrid, letters: [(ErrorGridZone, Place)]) {
    func line(_ border: ParkesErrorGrid.Border) -> [Place] { border.corners.map { ($0.reference, $0.sensor) } }
    let ends = grid.borders.filter { $0.zone == .b }.map(line)
    // Along B's upper line, around the corner with both maximum values, back along the lower line, around the origin.
    let accurate = (ends.first ?? []) + [(550, 550)] + (ends.last ?? []).reversed() + [(0, 0)]
    self.init(side: 550, accurate: accurate, lines: grid.borders.map(line), letters: letters)
  }

  /// The lines given by the inequalities of `ClarkeErrorGrid`.
  private static let clarke = ErrorGridFigure(
    side: 400,
    accurate: [
      (0, 0), (0, 70), (70 / 1.2, 70), (400 / 1.2, 400), (400, 400), (400, 320), (70, 56), (70, 0),
    ],
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
