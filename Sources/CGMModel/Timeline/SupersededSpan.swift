// SPDX-License-Identifier: Apache-2.0

/// Minutes of a wear whose values do not count, because a sensor that was started later counts.
///
/// **Of two sensors that one person wears at the same time, the one that was started last counts: from the end of its
/// warm-up on, until it has ended or has given no value for eight hours.** Eight hours are what its memory holds: no
/// later scan can fill that time. So values of two sensors never alternate.
///
/// | question | answer |
/// |---|---|
/// | which samples can be superseded? | those of every wear of another sensor that was started earlier; of equal starts, the one with the smaller UID |
/// | which starts count? | firm ones: a provisional start supersedes nothing |
/// | what is a value? | a usable sample of either ring |
/// | when has it ended? | after its last value, if its latest scan does not say that it is warming up or active |
///
/// This follows from what the store holds, not from the order of its scans and not from the time now. Nothing of it is
/// stored: a change of the store marks the samples whose standing it changed as changed (`settleStandings`), by which
/// sinks and programs that follow the history learn of it.
package struct SupersededSpan: Hashable, Sendable {
  /// The numbers of a wear, and of a later one of another sensor.
  package struct Pair: Hashable, Sendable {
    package let wear: Int
    package let later: Int

    package init(wear: Int, later: Int) { (self.wear, self.later) = (wear, later) }
  }

  package let pair: Pair
  /// The number of the sensor that counts.
  package let sensor: Int
  package let minutes: ClosedRange<Int>

  /// Minutes without a value after which a sensor no longer counts: the length of its memory.
  package static let maximumGapMinutes = 480

  /// Returns the minutes, up to the newest one, of a wear that began at `start` in a time in which the later one counts;
  /// nil without any. Times are in seconds since 1970.
  package init?(_ pair: Pair, by sensor: Int, counting time: Range<Int64>, from start: Int64, newest: Int) {
    // The first minute at or after a moment.
    func minute(at moment: Int64) -> Int { Int((moment - start + 59) / 60) }
    let (first, last) = (max(1, minute(at: time.lowerBound)), min(newest, minute(at: time.upperBound) - 1))
    guard first <= last else { return nil }
    (self.pair, self.sensor, minutes) = (pair, sensor, first...last)
  }

  /// Returns the times in which a wear that began at `start` counts. `oldest` finds its oldest minute with a value after
  /// another one, and `newest` its newest one up to another.
  package static func countingTimes<Failure>(
    start: Int64, lastState: SensorState?, oldest: (_ after: Int) throws(Failure) -> Int?,
    newest: (_ until: Int) throws(Failure) -> Int?
  ) throws(Failure) -> [Range<Int64>] {
    let isRunning: Bool =
      switch lastState {
      case .active, .warmingUp: true
      case .notActivated, .expired, .shutdown, .failure, .unknown, nil: false
      }
    var times: [Range<Int64>] = []
    var next = try oldest(0)
    while let first = next {
      // In steps of a whole gap, so that the cost does not grow with the number of samples.
      var last = first
      while let further = try newest(last + maximumGapMinutes), further > last { last = further }
      next = try oldest(last)
      let end = next == nil && !isRunning ? Int64(last) * 60 + 1 : Int64(last + maximumGapMinutes) * 60
      times.append(start + Int64(first) * 60..<start + end)
    }
    return times
  }

  /// Returns the minutes of each wear that count after a change and did not before, or the other way round.
  package static func changes(from before: Set<Self>, to after: Set<Self>) -> [(wear: Int, minutes: ClosedRange<Int>)] {
    var changes: [(wear: Int, minutes: ClosedRange<Int>)] = []
    for pair in Set(before.symmetricDifference(after).map { $0.pair }) {
      func minutes(_ spans: Set<Self>) -> [ClosedRange<Int>] { spans.filter { $0.pair == pair }.map { $0.minutes } }
      let (old, new) = (minutes(before), minutes(after))
      let ends = Set((old + new).map { $0.lowerBound } + (old + new).map { $0.upperBound + 1 }).sorted()
      for (first, next) in zip(ends, ends.dropFirst())
      where old.contains(where: { $0.contains(first) }) != new.contains(where: { $0.contains(first) }) {
        changes.append((pair.wear, first...next - 1))
      }
    }
    return changes
  }
}
