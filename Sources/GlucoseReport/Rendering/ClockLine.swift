// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Values along the clock's time, split into pieces that a line may join.
///
/// A piece ends at a gap and at a clock change, where an hour is missing or repeated.
enum ClockLine {
  /// Returns the pieces; minutes count from the midnight at which `day` begins.
  static func pieces(_ points: [GlucosePoint], clock: WallClock, day: Int) -> [[(minute: Double, value: Double)]] {
    var pieces: [[(minute: Double, value: Double)]] = []
    var last: (time: Instant, local: Int64)?
    for point in points where point.value.isFinite {
      let local = seconds(point.time, clock: clock, day: day)
      let next = (minute: Double(local) / 60, value: point.value)
      if let last, DataGap.isBridged(last.time, point.time),
        local - last.local == point.time.secondsSince1970 - last.time.secondsSince1970
      {
        pieces[pieces.count - 1].append(next)
      } else {
        pieces.append([next])
      }
      last = (point.time, local)
    }
    return pieces
  }

  /// Returns values that no line joins, each at the minute that texts name; minutes count as for `pieces`.
  static func places(_ sticks: [FingerStick], clock: WallClock, day: Int) -> [(minute: Double, value: Double)] {
    sticks.map(GlucosePoint.init).filter(\.value.isFinite).map { point in
      (minute: (Double(seconds(point.time, clock: clock, day: day)) / 60).rounded(.down), value: point.value)
    }
  }

  private static func seconds(_ time: Instant, clock: WallClock, day: Int) -> Int64 {
    time.secondsSince1970 + Int64(clock.offsetSeconds(time)) - Int64(day) * Instant.secondsPerDay
  }
}
