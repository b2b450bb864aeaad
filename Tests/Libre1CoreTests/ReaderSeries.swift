// SPDX-License-Identifier: Apache-2.0
import CGMModel

@testable import Libre1Core

/// Records put together by hand, of a sensor at one temperature, so that equal steps of counts are equal steps of
/// glucose.
enum ReaderSeries {
  static let parameters = CalibrationParameters(i1: 0, i2: 803, i3: 18, i4: 6_931, i5: 8_804, i6: 6_536)
  /// 32.03 °C.
  static let temperature: UInt16 = 6_552

  static func sample(
    _ ring: SampleRing, _ minute: Int, _ counts: Int, temperature: UInt16 = temperature, error: UInt16? = nil
  ) -> RawSample {
    RawSample(
      ring: ring, minute: SensorMinute(minute), glucose: UInt16(counts), temperature: temperature,
      temperatureAdjustment: -8, hasError: error != nil, errorField: error ?? 0x320,
      isNeverWritten: counts == 0 && temperature == 0 && error == nil)
  }

  /// Records 15 minutes apart, oldest first, from `first` on.
  static func history(from first: Int, _ counts: [Int]) -> [RawSample] {
    counts.enumerated().map { sample(.history, first + 15 * $0, $1) }
  }

  /// mg/dL by the factory's formula at the temperature of these records.
  static func glucose(_ counts: Double) -> Double {
    FactoryCalibration().concentration(
      of: counts,
      celsius: Thermistor(i6: parameters.i6).celsius(of: Double(temperature), adjustment: -8), parameters: parameters)
  }
}

extension SeriesValues {
  func history(_ minute: Int) -> Double? { self[.history, SensorMinute(minute)]?.milligramsPerDecilitre }
  func trend(_ minute: Int) -> Double? { self[.trend, SensorMinute(minute)]?.milligramsPerDecilitre }

  /// The largest difference of value or rate; nil where one has a value and the other has none.
  func largestDifference(from other: SeriesValues) -> Double? {
    guard Set(history.keys) == Set(other.history.keys), Set(trend.keys) == Set(other.trend.keys) else { return nil }
    var largest = 0.0
    for (mine, others) in [(history, other.history), (trend, other.trend)] {
      for (minute, value) in mine {
        guard let twin = others[minute], (value.ratePerMinute == nil) == (twin.ratePerMinute == nil) else { return nil }
        // Relative for the huge values of hostile numbers.
        let scale = max(1, abs(twin.milligramsPerDecilitre) / 1_000)
        largest = max(
          largest, abs(value.milligramsPerDecilitre - twin.milligramsPerDecilitre) / scale,
          abs((value.ratePerMinute ?? 0) - (twin.ratePerMinute ?? 0)) / scale)
      }
    }
    return largest
  }
}
