// SPDX-License-Identifier: Apache-2.0

/// Median times, taken turn about: what slows the machine down for a while slows every contender.
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

  /// Median nanoseconds an item for each contender, and the sum of what they returned, which keeps them from being
  /// optimised away.
  func medians(of contenders: [Contender]) -> (nanoseconds: [Double], sink: Double) {
    var sink = 0.0
    var times = contenders.map { _ in [Double]() }
    for run in 0...runs {
      for (index, contender) in contenders.enumerated() {
        let duration = clock.measure {
          for _ in 0..<contender.repetitions { sink += contender.work() }
        }
        // The first run warms caches and tables.
        if run > 0 {
          times[index].append(duration / .nanoseconds(1) / Double(contender.repetitions * contender.items))
        }
      }
    }
    return (times.map { $0.sorted()[runs / 2] }, sink)
  }
}
