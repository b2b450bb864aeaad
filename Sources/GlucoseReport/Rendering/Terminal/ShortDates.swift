// SPDX-License-Identifier: Apache-2.0
public import CGMModel

extension WallClock {
  /// `2 May`, or `day 3` of the sensor.
  func shortName(ofDay day: Int) -> String {
    switch kind {
    case .local:
      let civil = CivilTime(Instant(daysSince1970: day))
      return "\(civil.day) \(Self.month(civil.month))"
    case .sensorAge: return name(ofDay: day)
    }
  }

  /// `May`.
  static func month(_ number: Int) -> String {
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return names[number - 1]
  }

  /// The moments in a stretch from which the clock shows another offset. Offsets are looked at once a day.
  public func changes(from: Instant, to: Instant) -> [Instant] {
    var changes: [Instant] = []
    var (low, high) = (from, from)
    while high < to {
      (low, high) = (high, min(to, high.adding(days: 1)))
      let offset = offsetSeconds(low)
      guard offsetSeconds(high) != offset else { continue }
      var (before, after) = (low.secondsSince1970, high.secondsSince1970)
      while after - before > 1 {
        let middle = before + (after - before) / 2
        if offsetSeconds(Instant(secondsSince1970: middle)) == offset { before = middle } else { after = middle }
      }
      changes.append(Instant(secondsSince1970: after))
    }
    return changes
  }
}
