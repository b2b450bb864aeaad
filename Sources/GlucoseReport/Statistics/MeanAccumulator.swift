// SPDX-License-Identifier: Apache-2.0

/// A mean of numbers that come one by one.
struct MeanAccumulator {
  private var sum = 0.0
  private var count = 0

  mutating func add(_ value: Double) {
    sum += value
    count += 1
  }

  /// nil for none.
  var mean: Double? { count > 0 ? sum / Double(count) : nil }
}
