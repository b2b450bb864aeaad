// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Libre1Core/Calibration, "Factory formula" word for word, with the platform's logarithm and power. The decoder's own
/// arithmetic is compared with it.
enum ReferenceFormula {
  /// nil if the resistance is not above zero.
  static func celsius(temperature: Int, adjustment: Int, i6: Int) -> Double? {
    let ohms = Double(temperature) * 72_500 / Double(adjustment + i6) - 1_000
    guard adjustment + i6 > 0, ohms > 0 else { return nil }
    let l = Foundation.log(ohms)
    return 1 / (0.0009180023 + 0.0001964561 * l + 0.0000007061775 * l * l + 0.00000005283566 * l * l * l) - 273.15
  }

  static func milligrams(
    glucose: Int, celsius: Double, i3: Int, i4: Int, offset: Double, sensitivity: Double
  ) -> Double {
    let current = 65 * Double(glucose - i3) / Double(i4 - i3)
    return (current * pow(1.045, 32.5 - celsius) - offset) / sensitivity
  }
}
