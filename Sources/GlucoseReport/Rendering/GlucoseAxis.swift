// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The vertical axis of a chart: from 0 to 350 mg/dL or 20 mmol/L, extended for values beyond.
///
/// Its maximum is 1000 mg/dL or 55 mmol/L, its minimum −100 or −5: values beyond are drawn at the end.
struct GlucoseAxis {
  let unit: GlucoseUnit
  /// Ends, in `unit`.
  let bottom: Double
  let top: Double
  /// True if values lie beyond the ends.
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

  /// Creates an axis with the given ends, in `unit`.
  init(bottom: Double, top: Double, unit: GlucoseUnit, isCut: Bool = false) {
    self.unit = unit
    self.bottom = bottom
    self.top = top
    self.isCut = isCut
  }

  /// True if a value in mg/dL lies beyond the ends.
  func isBeyond(_ value: Double) -> Bool { !(bottom...top).contains(unit.value(value)) }

  /// Returns the height of a value in mg/dL, 0 to 1.
  func share(_ value: Double) -> Double { (min(max(unit.value(value), bottom), top) - bottom) / (top - bottom) }

  /// Rounds a value in mg/dL to its displayed precision, so that the script can read it back.
  func rounded(_ value: Double) -> Double {
    let step =
      unit == .milligramsPerDecilitre ? 1 : GlucoseConcentration(millimolesPerLitre: 0.1).milligramsPerDecilitre
    return (value / step).rounded(.toNearestOrAwayFromZero) * step
  }

  /// Labels: height, and text.
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
