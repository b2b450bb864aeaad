// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The sensor's thermometer: counts to ohms to °C (Libre1Core/Calibration, "Factory formula").
package struct Thermistor: Hashable, Sendable {
  /// 0…16380
  let i6: Int

  /// Writes °C for each pair, NaN if the resistance is not above zero. All spans have the same number of elements.
  func celsius(of counts: Span<Double>, adjustments: Span<Double>, into output: inout MutableSpan<Double>) {
    precondition(adjustments.count == counts.count && output.count == counts.count)
    let reference = Double(i6)
    // First all logarithms, then all temperatures: a processor works on many elements of a short loop at a time.
    for index in 0..<counts.count {
      // Ohms are a quotient, counts × 72 500 / denominator − 1000, which the logarithm takes without a division.
      let denominator = adjustments[index] + reference
      let numerator = counts[index] * 72_500 - denominator * 1_000
      let logOhms = ElementaryFunctions.log(ofQuotient: numerator, by: denominator)
      output[index] = denominator > 0 && numerator > 0 ? logOhms : .nan
    }
    for index in 0..<counts.count { output[index] = Self.celsius(ofLogOhms: output[index]) }
  }

  /// The °C of each sample, NaN if the resistance is not above zero.
  func celsius(of samples: [RawSample]) -> [Double] {
    let counts = samples.map { Double($0.temperature) }
    let adjustments = samples.map { Double($0.temperatureAdjustment) }
    var celsius = [Double](repeating: .nan, count: samples.count)
    var output = celsius.mutableSpan
    self.celsius(of: counts.span, adjustments: adjustments.span, into: &output)
    return celsius
  }

  /// The °C of one sample; nil if the resistance is not above zero.
  package static func celsius(of raw: RawSample, i6: Int) -> Double? {
    let celsius = Thermistor(i6: i6).celsius(of: [raw])[0]
    return celsius.isFinite ? celsius : nil
  }

  @inline(__always) private static func celsius(ofLogOhms l: Double) -> Double {
    let low = 0.000_918_002_3 + 0.000_196_456_1 * l
    let high = 0.000_000_706_177_5 + 0.000_000_052_835_66 * l
    return 1 / (low + high * (l * l)) - 273.15
  }
}
