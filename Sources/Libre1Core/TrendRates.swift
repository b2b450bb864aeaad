// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The rates of change at the minutes of one wear, by the rule of the current value, from all stored trend samples.
package struct TrendRates {
  private(set) var trend: [SensorMinute: GlucoseSample] = [:]

  package init() {}

  package mutating func add(_ sample: GlucoseSample) { trend[sample.minute] = sample }

  /// Returns mg/dL per minute; nil if a value of that minute would not be the current one, or would not have a rate.
  package func ratePerMinute(at minute: SensorMinute) -> Double? {
    var value = CurrentValue(newestMinute: minute)
    for lag in 0...CurrentValue.rateSpan {
      if let sample = trend[SensorMinute(minute.value &- lag)] { value.add(sample) }
    }
    return value.glucose?.ratePerMinute
  }
}
