// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The consensus error grid of Parkes and others (Diabetes Care 2000, 23, 1143 to 1148), for type 1 or type 2 diabetes.
///
/// A pair lies in the worst zone whose line it is beyond: above an upper line or below a lower one. On a line it
/// lies in the better zone. Each line continues straight beyond its last corner. Lower lines begin at the bottom.
///
/// The corners are those of Pfützner and others (J Diabetes Sci Technol 2013, 7, 1275 to 1281), read in the R package
/// ega 2.0.0 and the Python package methcomp 1.0.0; the paper itself was not read. Both programs compute the last
/// corner of the type 1 grid's lower D from a wrong start, (410, 110) of type 2: their line from (250, 40) ends above
/// (550, 150), where the paper has it by their own slope, so they count a thin wedge as D that is C here. Both also
/// count a sensor value of 0 as A for any reference (methcomp verified, ega read); here it belongs to the zone above
/// it.
package struct ParkesErrorGrid: Hashable, Sendable {
  /// A corner of a line: reference and sensor value, mg/dL.
  struct Corner: Hashable, Sendable {
    let reference: Double
    let sensor: Double

    init(_ reference: Double, _ sensor: Double) {
      self.reference = reference
      self.sensor = sensor
    }
  }

  /// The line at which a zone begins.
  struct Border: Hashable, Sendable {
    let zone: ErrorGridZone
    let isUpper: Bool
    let corners: [Corner]

    init(_ zone: ErrorGridZone, isUpper: Bool, _ corners: Corner...) {
      self.zone = zone
      self.isUpper = isUpper
      self.corners = corners
    }

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

  package static let type1 = ParkesErrorGrid(borders: [
    Border(.b, isUpper: true, Corner(0, 50), Corner(30, 50), Corner(140, 170), Corner(280, 380), Corner(430, 550)),
    Border(.b, isUpper: false, Corner(50, 0), Corner(50, 30), Corner(170, 145), Corner(385, 300), Corner(550, 450)),
    Border(.c, isUpper: true, Corner(0, 60), Corner(30, 60), Corner(50, 80), Corner(70, 110), Corner(260, 550)),
    Border(.c, isUpper: false, Corner(120, 0), Corner(120, 30), Corner(260, 130), Corner(550, 250)),
    Border(.d, isUpper: true, Corner(0, 100), Corner(25, 100), Corner(50, 125), Corner(80, 215), Corner(125, 550)),
    Border(.d, isUpper: false, Corner(250, 0), Corner(250, 40), Corner(550, 150)),
    Border(.e, isUpper: true, Corner(0, 150), Corner(35, 155), Corner(50, 550)),
  ])

  package static let type2 = ParkesErrorGrid(borders: [
    Border(.b, isUpper: true, Corner(0, 50), Corner(30, 50), Corner(230, 330), Corner(440, 550)),
    Border(.b, isUpper: false, Corner(50, 0), Corner(50, 30), Corner(90, 80), Corner(330, 230), Corner(550, 450)),
    Border(.c, isUpper: true, Corner(0, 60), Corner(30, 60), Corner(280, 550)),
    Border(.c, isUpper: false, Corner(90, 0), Corner(260, 130), Corner(550, 250)),
    Border(.d, isUpper: true, Corner(0, 80), Corner(25, 80), Corner(35, 90), Corner(125, 550)),
    Border(.d, isUpper: false, Corner(250, 0), Corner(250, 40), Corner(410, 110), Corner(550, 160)),
    Border(.e, isUpper: true, Corner(0, 200), Corner(35, 200), Corner(50, 550)),
  ])

  package func zone(of pair: GlucosePair) -> ErrorGridZone {
    let (reference, sensor) = (pair.reference.milligramsPerDecilitre, pair.sensor.milligramsPerDecilitre)
    return borders.last { $0.isPassed(reference: reference, sensor: sensor) }?.zone ?? .a
  }
}
