// SPDX-License-Identifier: Apache-2.0
import Libre1Core

/// The factory formula backwards: the counts that a sensor with these parameters would store (Libre1Core/Calibration,
/// "Factory formula").
///
/// The thermistor's part is written anew rather than taken from the decoder, so that the two hold each other to
/// account. The glucose part is linear in the counts and is read off the decoder at two points.
struct InverseCalibration {
  let parameters: CalibrationParameters

  /// The thermistor's counts at a temperature, in steps of 4, with the adjustment that will be stored beside them.
  func temperatureCounts(celsius: Double, adjustment: Int) -> Int {
    let ohms = Self.exponential(Self.logOhms(celsius: celsius))
    let counts = (ohms + 1_000) * Double(adjustment + parameters.i6) / 72_500
    return 4 * Self.nearest(counts / 4, atMost: 4095)
  }

  /// The electrode's counts, 0…16383; 0 for parameters without a solution.
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

  /// The nearest whole number of 0…`limit`; 0 for what is no number. `rounded()` would need the platform's libm.
  private static func nearest(_ value: Double, atMost limit: Int) -> Int {
    value > 0 ? Int(min(value, Double(limit)) + 0.5) : 0
  }

  /// Solves the Steinhart–Hart equation for ln R by Newton's method; six steps reach the last bit from anywhere a
  /// thermistor can be.
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

  /// e to the power of x as the 1024th power of a short series: the platform's own function may differ in the last bit
  /// from machine to machine.
  private static func exponential(_ x: Double) -> Double {
    let z = x / 1024
    var result = 1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4 * (1 + z / 5 * (1 + z / 6)))))
    for _ in 0..<10 { result *= result }
    return result
  }
}
