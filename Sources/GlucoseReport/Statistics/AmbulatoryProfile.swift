// SPDX-License-Identifier: Apache-2.0

/// The ambulatory glucose profile: all days combined, in percentiles for each quarter of an hour of local time (Johnson
/// 2019). On a day with a clock change a repeated hour counts twice, and a skipped hour has no values.
package struct AmbulatoryProfile: Hashable, Sendable {
  package static let percentages = [5.0, 25, 50, 75, 95]
  /// Minimum number of days with values; fewer days are better shown one by one.
  package static let minimumDays = 5
  /// Minimum number of values in a quarter; percentiles of fewer would describe single days.
  private static let minimumValues = 3

  package struct Quarter: Hashable, Sendable {
    package let count: Int
    /// Percentiles in mg/dL, by linear interpolation between the closest ranks (type 7 of Hyndman and Fan); nil for few
    /// values.
    package let percentiles: [Double]?
  }

  /// 96 quarters, from midnight.
  package let quarters: [Quarter]
  package let days: Int

  package init?(_ points: [GlucosePoint], clock: WallClock) {
    var values = [[Double]](repeating: [], count: 96)
    var days: Set<Int> = []
    for point in points {
      let (day, second) = clock.place(point.time)
      values[second / 900].append(point.value)
      days.insert(day)
    }
    guard days.count >= Self.minimumDays else { return nil }
    self.days = days.count
    quarters = values.map { values in
      guard values.count >= Self.minimumValues else { return Quarter(count: values.count, percentiles: nil) }
      let sorted = values.sorted()
      return Quarter(count: values.count, percentiles: Self.percentages.map { Self.percentile($0, of: sorted) })
    }
  }

  static func percentile(_ percent: Double, of sorted: [Double]) -> Double {
    let rank = percent / 100 * Double(sorted.count - 1)
    let below = Int(rank)
    guard below + 1 < sorted.count else { return sorted[sorted.count - 1] }
    return sorted[below] + (rank - Double(below)) * (sorted[below + 1] - sorted[below])
  }

  /// Percentiles for drawing: each is the mean of its own and the two quarters on either side, weighted 1 2 3 2 1,
  /// around the clock; nil for a quarter without percentiles.
  package var smoothed: [[Double]?] {
    quarters.indices.map { index in
      guard quarters[index].percentiles != nil else { return nil }
      var sums = [Double](repeating: 0, count: Self.percentages.count)
      var weights = 0.0
      for step in -2...2 {
        guard let percentiles = quarters[(index + step + quarters.count) % quarters.count].percentiles else { continue }
        let weight = Double(3 - abs(step))
        weights += weight
        for (position, value) in percentiles.enumerated() { sums[position] += weight * value }
      }
      return sums.map { $0 / weights }
    }
  }
}
