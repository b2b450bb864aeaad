// SPDX-License-Identifier: Apache-2.0

/// Number and duration of episodes beyond a limit. A value of the 15-minute grid counts for 15 minutes: one value
/// beyond the limit is the shortest episode of the consensus; one value within it ends the episode, and so does a gap
/// (Battelino 2023; `episode_calculation` of iglu-python 0.4.3, verified by running it).
package struct EpisodeCount: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case low
    case veryLow = "very_low"
    /// Values under 70 mg/dL for more than 120 minutes.
    case prolongedLow = "prolonged_low"
    case high
    case veryHigh = "very_high"

    package var words: String {
      switch self {
      case .low: "low"
      case .veryLow: "very low"
      case .prolongedLow: "long low"
      case .high: "high"
      case .veryHigh: "very high"
      }
    }

    fileprivate func isBeyond(_ value: Double) -> Bool {
      switch self {
      case .low, .prolongedLow: value < GlucoseRange.lowLimit
      case .veryLow: value < GlucoseRange.veryLowLimit
      case .high: value > GlucoseRange.highLimit
      case .veryHigh: value > GlucoseRange.veryHighLimit
      }
    }

    fileprivate var minimumMinutes: Int { self == .prolongedLow ? 121 : 1 }
  }

  package let kind: Kind
  package let count: Int
  /// Episodes per day of the time that has values; nil without values.
  package let perDay: Double?
  package let meanMinutes: Double?

  init(_ kind: Kind, in grid: UniformGrid) {
    self.kind = kind
    var count = 0
    var minutes = MeanAccumulator()
    var run = 0
    func end() {
      if run * grid.minutes >= kind.minimumMinutes {
        count += 1
        minutes.add(Double(run * grid.minutes))
      }
      run = 0
    }
    var next: Int64?
    var steps = 0
    for point in grid {
      steps += 1
      if point.index != next { end() }
      if kind.isBeyond(point.value) { run += 1 } else { end() }
      next = point.index + 1
    }
    end()
    self.count = count
    meanMinutes = minutes.mean
    perDay = steps == 0 ? nil : Double(count) * 1_440 / Double(steps * grid.minutes)
  }
}
