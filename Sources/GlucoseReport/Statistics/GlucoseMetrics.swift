// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Clinical statistics of a span of time. Each is computed from the values themselves, or, if marked `grid`, from a
/// `UniformGrid` of 15 minutes, in which gaps of up to 45 minutes are bridged and longer ones stay empty. nil if there
/// are too few values.
package struct GlucoseMetrics: Hashable, Sendable {
  package let basics: DailyStatistics
  /// Days from the first to the last value.
  package let days: Double
  /// Share of the expected values that exist, in %.
  package let percentActive: Double
  package let ranges: TimeInRanges
  /// Glucose management indicator, %: 3.31 + 0.02392 × mean (Bergenstal 2018).
  package let gmi: Double
  /// Estimated A1C, %: (46.7 + mean) / 28.7 (ADAG, Nathan 2008).
  package let estimatedA1C: Double
  /// Glycemia risk index, 0 to 100 (Klonoff 2022).
  package let gri: Double
  /// 0.001 × (mean + SD)² (Wójcicki 1995).
  package let jIndex: Double?
  /// Low blood glucose index (Kovatchev 1998).
  package let lbgi: Double
  /// High blood glucose index (Kovatchev 2006).
  package let hbgi: Double
  package let grade: GRADE
  /// Continuous glucose monitoring index, 0 to 100 (Leelarathna 2020).
  package let cogi: Double?
  /// Mean of daily differences; grid, mg/dL
  package let modd: Double?
  /// Continuous overall net glycaemic action over 24 h; grid, mg/dL
  package let conga: Double?
  /// Mean absolute glucose change; grid, mg/dL per hour
  package let mag: Double?
  /// Average daily risk range, by days of the clock (Kovatchev 2006).
  package let adrr: Double?
  /// MAGE by `mageAlgorithm`, on a grid of its own; mg/dL
  package let mage: Double?
  /// Episodes, one of each kind in the order of the kinds; grid
  package let episodes: [EpisodeCount]

  /// Name of the algorithm: there is no consensus on MAGE, so each result names it.
  package static let mageAlgorithm = MAGE.algorithm

  /// Computes the statistics; nil without values. `points` must be in the order of time.
  package init?(_ points: [GlucosePoint], percentActive: Double, clock: WallClock) {
    let values = points.lazy.map(\.value)
    guard let basics = DailyStatistics(values), let first = points.first, let last = points.last,
      let grade = GRADE(values)
    else { return nil }
    (self.basics, self.percentActive, self.grade) = (basics, percentActive, grade)
    days = Double(last.time.secondsSince1970 - first.time.secondsSince1970) / Double(Instant.secondsPerDay)
    ranges = TimeInRanges(values)
    gmi = 3.31 + 0.02392 * basics.mean
    estimatedA1C = (46.7 + basics.mean) / 28.7
    gri = ranges.glycemiaRiskIndex
    jIndex = basics.standardDeviation.map { 0.001 * (basics.mean + $0) * (basics.mean + $0) }
    (lbgi, hbgi) = BloodGlucoseRisk.indices(values)
    cogi = basics.standardDeviation.map {
      Self.monitoringIndex(inRange: basics.percentInRange, below: basics.percentBelow, deviation: $0)
    }
    adrr = BloodGlucoseRisk.averageDailyRange(points, clock: clock)
    let grid = UniformGrid(points, minutes: 15, clock: clock)
    modd = grid.meanOfDailyDifferences(clock: clock)
    conga = grid.continuousOverallNetAction(hours: 24)
    mag = grid.meanAbsoluteChange
    episodes = EpisodeCount.Kind.allCases.map { EpisodeCount($0, in: grid) }
    mage = MAGE.value(UniformGrid(points, minutes: 5, clock: clock))
  }

  /// 50 % is time in range, 35 % the distance of time below range from 15 %, and 15 % the position of the SD between
  /// 108 and 18 mg/dL (read: iglu-python 0.4.3).
  private static func monitoringIndex(inRange: Double, below: Double, deviation: Double) -> Double {
    func share(_ value: Double) -> Double { min(1, max(0, value)) }
    return 50 * share(inRange / 100) + 35 * share(1 - below / 15) + 15 * share((108 - deviation) / 90)
  }
}
