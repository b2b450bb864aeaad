// SPDX-License-Identifier: Apache-2.0

/// The sensor's thermometer: counts to ohms to °C (read: DiaBLE and four others, equal in all; verified against Abbott's
/// output, CALIBRATION 1).
struct Thermistor: Hashable, Sendable {
  /// The reference that the factory measured, 0…16380.
  let i6: Int

  /// Writes °C for each pair, NaN where the resistance is not above zero.
  ///
  /// All spans have the same number of elements.
  func celsius(of counts: Span<Double>, adjustments: Span<Double>, into output: inout MutableSpan<Double>) {
    let reference = Double(i6)
    for index in counts.indices {
      let denominator = adjustments[index] + reference
      let ohms = counts[index] * 72_500 / denominator - 1_000
      let temperature = Self.celsius(ofLogOhms: Elementary.log(ohms))
      output[index] = denominator > 0 && ohms > 0 ? temperature : .nan
    }
  }

  /// The Steinhart–Hart equation with all four terms.
  private static func celsius(ofLogOhms l: Double) -> Double {
    1 / (0.000_918_002_3 + l * (0.000_196_456_1 + l * (0.000_000_706_177_5 + l * 0.000_000_052_835_66))) - 273.15
  }
}
