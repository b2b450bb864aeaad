// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import GlucoseReport
import Libre1Core

/// Three series of values that are the same on every run, for the programs of others to compute with.
///
/// Their clock is UTC: what a change of the clock does is other tests' matter.
enum SeededSeries: String, CaseIterable {
  /// Mean 140, amplitude 60, a period of 24 hours, 14 days from a midnight on.
  case sine
  /// 20 days with meals, lows and highs, every 15 minutes without a gap, not from a midnight on.
  case meals
  /// 30 such days as whole numbers, off the quarters and not always on time, with gaps of half an hour to a day.
  case gaps

  /// 2024-03-04T00:00:00Z
  private static let start: Int64 = 1_709_510_400

  var points: [GlucosePoint] {
    switch self {
    case .sine:
      return (0..<1_344).map { index in
        point(Int64(index) * 15, 140 + 60 * sin(2 * Double.pi * Double(index) / 96))
      }
    case .meals:
      var draws = SplitMix64(seed: 7)
      return Self.dayAfterDay(20, &draws).enumerated().map { point(495 + Int64($0.offset) * 15, $0.element) }
    case .gaps: return interrupted
    }
  }

  private func point(_ minutes: Int64, _ value: Double) -> GlucosePoint {
    GlucosePoint(Instant(secondsSince1970: Self.start + minutes * 60), value)
  }

  /// One value each quarter of an hour: a walk drawn to 120, pushed up every six hours or so, and down every eight.
  private static func dayAfterDay(_ days: Int, _ draws: inout SplitMix64) -> [Double] {
    func fraction() -> Double { Double(draws.next() >> 11) * 0x1p-53 }
    var value = 120.0
    var drive = 0.0
    return (0..<days * 96).map { _ in
      let chance = fraction()
      if chance < 0.04 {
        drive += 8 + 22 * fraction()
      } else if chance < 0.07 {
        drive -= 5 + 14 * fraction()
      }
      drive *= 0.8
      value += drive + (120 - value) * 0.06 + 8 * (fraction() - 0.5)
      value = min(400, max(41, value))
      return value
    }
  }

  /// Values 7 minutes after the quarter, after a day without any 11, some of them 10 minutes late.
  private var interrupted: [GlucosePoint] {
    var draws = SplitMix64(seed: 11)
    var points: [GlucosePoint] = []
    var missing = 0
    for (index, value) in Self.dayAfterDay(30, &draws).enumerated() {
      let chance = draws.next() % 400
      // With the step itself: 30 minutes, 45 (the limit), 1, 2, 3 and 4 hours; and one day in the middle.
      if chance < 8, missing == 0 { missing = [1, 1, 2, 3, 7, 11, 15, 2][Int(chance)] }
      if index == 1_400 { missing = 96 }
      let isLate = draws.next() % 25 == 0
      if missing > 0 {
        missing -= 1
        continue
      }
      points.append(point(Int64(index) * 15 + (index < 1_400 ? 7 : 11) + (isLate ? 10 : 0), value.rounded()))
    }
    return points
  }

  /// What metrics.py reads.
  var table: String {
    points.reduce(into: "time,glucose\n") { text, point in
      text += "\(point.time.rfc3339.dropLast()),\(point.concentration.milligramsPerDecilitre)\n"
    }
  }
}
