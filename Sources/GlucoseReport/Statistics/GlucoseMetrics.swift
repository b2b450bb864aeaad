// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A stretch of time in the numbers that clinics use.
///
/// Each is taken from the values as they are, unless it says `grid`: then from a `UniformGrid` of 15 minutes, in which
/// gaps of up to 45 minutes are bridged and longer ones stay empty. nil where the values do not suffice.
public struct GlucoseMetrics: Hashable, Sendable {
  public let basics: DailyStatistics
  /// From the first to the last value.
  public let days: Double
  /// Of the values that there should be, how many there are, in %.
  public let percentActive: Double
  public let ranges: TimeInRanges
  /// Glucose management indicator, %: 3.31 + 0.02392 × mean (Bergenstal 2018).
  public let gmi: Double
  /// Estimated A1C, %: (46.7 + mean) / 28.7 (ADAG, Nathan 2008).
  public let estimatedA1C: Double
  /// Glycemia risk index, 0 to 100 (Klonoff 2022).
  public let gri: Double
  /// 0.001 × (mean + SD)² (Wójcicki 1995).
  public let jIndex: Double?
  /// Low blood glucose index (Kovatchev 1998).
  public let lbgi: Double
  /// High blood glucose index (Kovatchev 2006).
  public let hbgi: Double
  public let grade: GRADE
  /// Continuous glucose monitoring index, 0 to 100 (Leelarathna 2020).
  public let cogi: Double?
  /// Mean of daily differences; grid, mg/dL
  public let modd: Double?
  /// grid, over 24 h, mg/dL
  public let conga: Double?
  /// Mean absolute glucose change; grid, mg/dL per hour
  public let mag: Double?
  /// Average daily risk range, by days of the clock (Kovatchev 2006).
  public let adrr: Double?
  /// By `mageAlgorithm`, on a grid of its own; mg/dL
  public let mage: Double?
  /// grid; one of each kind, in the order of the kinds
  public let episodes: [EpisodeCount]

  /// There is no consensus on MAGE, so it is named with its algorithm.
  public static let mageAlgorithm = MAGE.algorithm

  /// nil for no values. `points` are in the order of time.
  public init?(_ points: [GlucosePoint], percentActive: Double, clock: WallClock) {
    let values = points.map(\.value)
    guard let basics = DailyStatistics(values), let first = points.first, let last = points.last,
      let grade = GRADE(values)
    else { return nil }
    self.basics = basics
    self.percentActive = percentActive
    self.grade = grade
    days = Double(last.time.secondsSince1970 - first.time.secondsSince1970) / Double(Instant.secondsPerDay)
    ranges = TimeInRanges(values)
    gmi = 3.31 + 0.02392 * basics.mean
    estimatedA1C = (46.7 + basics.mean) / 28.7
    gri = ranges.glycemiaRiskIndex
    let mean = basics.mean
    jIndex = basics.standardDeviation.map { 0.001 * (mean + $0) * (mean + $0) }
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

  /// Half of it is time in range, 35 % how far time below range is from 15 %, and 15 % where the SD is between 108 and
  /// 18 mg/dL (read: iglu-python 0.4.3).
  private static func monitoringIndex(inRange: Double, below: Double, deviation: Double) -> Double {
    func share(_ value: Double) -> Double { min(1, max(0, value)) }
    return 50 * share(inRange / 100) + 35 * share(1 - below / 15) + 15 * share((108 - deviation) / 90)
  }
}
