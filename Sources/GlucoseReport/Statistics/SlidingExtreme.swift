// SPDX-License-Identifier: Apache-2.0

/// The maximum or minimum of a window whose ends only move forward, with its position; the first one of equal values.
///
/// It stores the values that can still become the extreme, so each value is checked a fixed number of times.
struct SlidingExtreme {
  let isHighest: Bool
  private var candidates: [(position: Int, value: Double)] = []
  private var start = 0

  init(isHighest: Bool) { self.isHighest = isHighest }

  mutating func add(_ value: Double, at position: Int) {
    while candidates.count > start {
      let last = candidates[candidates.count - 1].value
      guard isHighest ? last < value : last > value else { break }
      candidates.removeLast()
    }
    candidates.append((position, value))
  }

  mutating func forget(before position: Int) {
    while start < candidates.count, candidates[start].position < position { start += 1 }
    if start > 256 {
      candidates.removeFirst(start)
      start = 0
    }
  }

  /// First one of the extremes; nil without values.
  var first: (position: Int, value: Double)? { start < candidates.count ? candidates[start] : nil }
}
