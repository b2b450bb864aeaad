// SPDX-License-Identifier: Apache-2.0

/// Smallest times, taken turn about: what slows the machine down for a while slows every contender, and can only add to a time.
struct Stopwatch {
  let runs: Int
  private let clock = ContinuousClock()

  init(runs: Int) { self.runs = runs }

  struct Contender {
    let name: String
    /// How often a run repeats it, so that a run lasts some milliseconds.
    let repetitions: Int
    /// Items handled by one call, by which the time is divided.
    let items: Int
    let work: () -> Double
  }

  /// Smallest nanoseconds an item for each contender, and the sum of what they returned, which keeps them from being
  /// optimised away.
  func smallest(of contenders: [Contender]) -> (nanoseconds: [Double], sink: Double) {
    var sink = 0.0
    var times = contenders.map { _ in Double.infinity }
    for _ in 0..<runs {
      for (index, contender) in contenders.enumerated() {
        let duration = clock.measure {
          for _ in 0..<contender.repetitions { sink += contender.work() }
        }
        times[index] = min(
          times[index], duration / .nanoseconds(1) / Double(contender.repetitions * contender.items))
      }
    }
    return (times, sink)
  }
}
