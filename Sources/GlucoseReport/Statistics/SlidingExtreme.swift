// SPDX-License-Identifier: Apache-2.0

/// Position of the maximum or minimum in a window whose ends only move forward; the first one of equal values.
///
/// It stores the positions that can still become the extreme, so each position is checked a fixed number of times.
struct SlidingExtreme {
  let isHighest: Bool
  private var candidates: [Int] = []
  private var start = 0

  init(isHighest: Bool) { self.isHighest = isHighest }

  mutating func add(_ position: Int, in points: [UniformGrid.Point]) {
    let value = points[position].value
    while candidates.count > start {
      let last = points[candidates[candidates.count - 1]].value
      guard isHighest ? last < value : last > value else { break }
      candidates.removeLast()
    }
    candidates.append(position)
  }

  mutating func forget(before position: Int) {
    while start < candidates.count, candidates[start] < position { start += 1 }
  }

  /// First position of the extreme; nil without points.
  var first: Int? { start < candidates.count ? candidates[start] : nil }
}
