// SPDX-License-Identifier: Apache-2.0

enum ReaderMean {
  /// NaN of nothing, and where one number is NaN.
  static func of(_ numbers: some Sequence<Double>) -> Double {
    var sum = 0.0
    var count = 0.0
    for number in numbers {
      sum += number
      count += 1
    }
    return sum / count
  }
}
