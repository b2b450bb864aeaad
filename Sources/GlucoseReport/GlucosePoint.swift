// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A usable value and its time.
package struct GlucosePoint: Hashable, Sendable {
  package let time: Instant
  package let concentration: GlucoseConcentration

  package init(time: Instant, concentration: GlucoseConcentration) {
    (self.time, self.concentration) = (time, concentration)
  }

  package init(_ stick: FingerStick) { self.init(time: stick.time, concentration: stick.concentration) }

  /// Concentration in mg/dL.
  var value: Double { concentration.milligramsPerDecilitre }
}

/// A span without values that is too long to be bridged.
package struct DataGap: Hashable, Sendable {
  /// Maximum distance of values that are joined, in charts and numbers (the `inter_gap` of iglu, in its documentation).
  package static let bridgedMinutes = 45

  /// Last value before the gap, or the start of the span.
  package let from: Instant
  /// First value after the gap, or the end of the span.
  package let to: Instant
  package var minutes: Int { Int(to.secondsSince1970 - from.secondsSince1970) / 60 }

  /// True if values at two moments are close enough to be joined; in any order.
  static func isBridged(_ one: Instant, _ other: Instant) -> Bool {
    abs(other.secondsSince1970 - one.secondsSince1970) <= Int64(bridgedMinutes) * 60
  }

  /// Returns the gaps among values in the order of time, and those before the first and after the last value if the
  /// span's ends are given. Empty without values.
  package static func among(
    _ points: some Collection<GlucosePoint>, from: Instant? = nil, to: Instant? = nil
  ) -> [DataGap] {
    guard let first = points.first else { return [] }
    var gaps: [DataGap] = []
    var previous = from ?? first.time
    func add(_ moment: Instant) {
      if previous < moment, !isBridged(previous, moment) { gaps.append(DataGap(from: previous, to: moment)) }
      previous = moment
    }
    for point in points { add(point.time) }
    if let to { add(to) }
    return gaps
  }
}
