// SPDX-License-Identifier: Apache-2.0

/// A mean that is computed incrementally.
struct MeanAccumulator {
  private var sum = 0.0
  private(set) var count = 0

  mutating func add(_ value: Double) {
    sum += value
    count += 1
  }

  /// Mean; nil without numbers.
  var mean: Double? { count > 0 ? sum / Double(count) : nil }
}
