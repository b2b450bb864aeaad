// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// The inverse of the factory formula: the counts that a sensor with these parameters would store
/// (Libre1Core/Calibration, "Factory formula").
///
/// The thermistor's part is independent of the decoder's, so that each is a test of the other. The glucose part is
/// linear in the counts, and is computed from the decoder's values at two points.
struct InverseCalibration {
  let parameters: CalibrationParameters

  /// Returns the thermistor's counts at a temperature, in steps of 4, for the adjustment that is stored with them.
  func temperatureCounts(celsius: Double, adjustment: Int) -> Int {
    let ohms = Self.exponential(Self.logOhms(celsius: celsius))
    let counts = (ohms + 1_000) * Double(adjustment + parameters.i6) / 72_500
    return 4 * Self.nearest(counts / 4, atMost: 4095)
  }

  /// Returns the electrode's counts, 0…16383; 0 for parameters without a solution.
  func glucoseCounts(milligramsPerDecilitre: Double, celsius: Double) -> Int {
    let counts: InlineArray<2, Double> = [0, 1_000]
    let temperatures: InlineArray<2, Double> = [celsius, celsius]
    var values: InlineArray<2, Double> = [0, 0]
    var output = values.mutableSpan
    FactoryCalibration().concentrations(
      of: counts.span, celsius: temperatures.span, parameters: parameters, into: &output)
    let perCount = (values[1] - values[0]) / 1_000
    return Self.nearest((milligramsPerDecilitre - values[0]) / perCount, atMost: 16_383)
  }

  /// Returns the nearest whole number of 0…`limit`; 0 for NaN. `rounded()` would need the platform's libm.
  private static func nearest(_ value: Double, atMost limit: Int) -> Int {
    value > 0 ? Int(saturating: min(value, Double(limit)) + 0.5) : 0
  }

  /// Solves the Steinhart–Hart equation for ln R by Newton's method; six steps reach the last bit for every possible
  /// temperature.
  private static func logOhms(celsius: Double) -> Double {
    let (a, b, c, d) = (0.000_918_002_3, 0.000_196_456_1, 0.000_000_706_177_5, 0.000_000_052_835_66)
    let target = 1 / (celsius + 273.15)
    var l = 11.0
    for _ in 0..<6 {
      let value = a + l * (b + l * (c + l * d)) - target
      let slope = b + l * (2 * c + 3 * l * d)
      l -= value / slope
    }
    return l
  }

  /// Returns e to the power of x as the 1024th power of a short series, because the platform's function may differ in
  /// the last bit between machines.
  private static func exponential(_ x: Double) -> Double {
    let z = x / 1024
    var result = 1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4 * (1 + z / 5 * (1 + z / 6)))))
    for _ in 0..<10 { result *= result }
    return result
  }
}
