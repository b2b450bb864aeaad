// SPDX-License-Identifier: Apache-2.0

/// The standard deviation (n − 1) of values that are read twice instead of kept.
enum StandardDeviation {
  /// Returns the deviation; nil for fewer than two values. `values` must give the same values each time.
  static func of(_ values: some Sequence<Double>) -> Double? {
    var mean = MeanAccumulator()
    for value in values { mean.add(value) }
    guard mean.count > 1, let center = mean.mean else { return nil }
    let squares = values.reduce(0) { $0 + ($1 - center) * ($1 - center) }
    return (squares / Double(mean.count - 1)).squareRoot()
  }
}
