// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// One value with its minute, from either decoder.
struct Value {
  let minute: Int
  let milligramsPerDecilitre: Double
}

extension DecodedRing {
  /// The samples that have a concentration, newest first.
  var values: [Value] {
    samples.compactMap { sample in
      sample.concentration.map {
        Value(minute: sample.minute.value, milligramsPerDecilitre: $0.milligramsPerDecilitre)
      }
    }
  }

  /// Reads every minute and concentration, and keeps nothing but their sum.
  var sum: Double {
    var sum = 0.0
    for index in 0..<count {
      guard let sample = self[index], let concentration = sample.concentration else { continue }
      sum += Double(sample.minute.value) + concentration.milligramsPerDecilitre
    }
    return sum
  }
}

extension [Value] {
  var sum: Double { reduce(0) { $0 + Double($1.minute) + $1.milligramsPerDecilitre } }
}
