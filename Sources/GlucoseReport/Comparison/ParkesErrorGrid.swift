// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The consensus error grid of Parkes and others (Diabetes Care 2000, 23, 1143 to 1148), for type 1 or type 2
/// diabetes. A pair lies in the worst zone whose line it is beyond; on a line it lies in the better zone. Each line
/// continues straight beyond its last corner. Lower lines begin at the bottom.
///
/// The corners are those of Pfützner and others (J Diabetes Sci Technol 2013, 7, 1275 to 1281), read in the R package
/// ega 2.0.0 and the Python package methcomp 1.0.0; the paper itself was not read. Both programs compute the last
/// corner of the type 1 grid's lower D from a wrong start, (410, 110) of type 2: their line from (250, 40) ends above
/// (550, 150), where the paper has it by their own slope, so they count a thin wedge as D that is C here. Both also
/// count a sensor value of 0 as A for any reference (methcomp verified, ega read); here it belongs to the zone above
/// it.
struct ParkesErrorGrid: Sendable {
  typealias Corner = (reference: Double, sensor: Double)

  struct Border: Sendable {
    let zone: ErrorGridZone
    let isUpper: Bool
    let corners: [Corner]

    func isPassed(reference: Double, sensor: Double) -> Bool {
      // A vertical first segment has no area beyond its start.
      guard let first = corners.first, isUpper || reference > first.reference else { return false }
      var end = 1
      while end < corners.count - 1, reference > corners[end].reference { end += 1 }
      let (from, to) = (corners[end - 1], corners[end])
      // Without a division, so that a pair on a line is exactly on it.
      let height = (sensor - from.sensor) * (to.reference - from.reference)
      let line = (reference - from.reference) * (to.sensor - from.sensor)
      return isUpper ? height > line : height < line
    }
  }

  /// Borders from B to E: the last one passed decides.
  let borders: [Border]

  static let type1 = ParkesErrorGrid(borders: [
    Border(zone: .b, isUpper: true, corners: [(0, 50), (30, 50), (140, 170), (280, 380), (430, 550)]),
    Border(zone: .b, isUpper: false, corners: [(50, 0), (50, 30), (170, 145), (385, 300), (550, 450)]),
    Border(zone: .c, isUpper: true, corners: [(0, 60), (30, 60), (50, 80), (70, 110), (260, 550)]),
    Border(zone: .c, isUpper: false, corners: [(120, 0), (120, 30), (260, 130), (550, 250)]),
    Border(zone: .d, isUpper: true, corners: [(0, 100), (25, 100), (50, 125), (80, 215), (125, 550)]),
    Border(zone: .d, isUpper: false, corners: [(250, 0), (250, 40), (550, 150)]),
    Border(zone: .e, isUpper: true, corners: [(0, 150), (35, 155), (50, 550)]),
  ])

  static let type2 = ParkesErrorGrid(borders: [
    Border(zone: .b, isUpper: true, corners: [(0, 50), (30, 50), (230, 330), (440, 550)]),
    Border(zone: .b, isUpper: false, corners: [(50, 0), (50, 30), (90, 80), (330, 230), (550, 450)]),
    Border(zone: .c, isUpper: true, corners: [(0, 60), (30, 60), (280, 550)]),
    Border(zone: .c, isUpper: false, corners: [(90, 0), (260, 130), (550, 250)]),
    Border(zone: .d, isUpper: true, corners: [(0, 80), (25, 80), (35, 90), (125, 550)]),
    Border(zone: .d, isUpper: false, corners: [(250, 0), (250, 40), (410, 110), (550, 160)]),
    Border(zone: .e, isUpper: true, corners: [(0, 200), (35, 200), (50, 550)]),
  ])

  func zone(of pair: GlucosePair) -> ErrorGridZone {
    let (reference, sensor) = (pair.reference.milligramsPerDecilitre, pair.sensor.milligramsPerDecilitre)
    return borders.last { $0.isPassed(reference: reference, sensor: sensor) }?.zone ?? .a
  }
}
