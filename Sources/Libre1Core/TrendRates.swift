// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// How fast glucose moved at the minutes of one wear of a sensor, by the rule of the current value.
///
/// What a scan called current at a minute is found again at that minute, from all trend samples that are remembered of it.
package struct TrendRates {
  private(set) var trend: [SensorMinute: GlucoseSample] = [:]

  package init() {}

  /// Takes in a sample of the trend ring, in any order.
  package mutating func add(_ sample: GlucoseSample) { trend[sample.minute] = sample }

  /// mg/dL per minute; nil where a value of that minute would not be called current, or would have no rate.
  package func ratePerMinute(at minute: SensorMinute) -> Double? {
    var value = CurrentValue(newestMinute: minute)
    for lag in 0...CurrentValue.rateSpan {
      if let sample = trend[SensorMinute(minute.value &- lag)] { value.add(sample) }
    }
    return value.glucose?.ratePerMinute
  }
}
