// SPDX-License-Identifier: Apache-2.0

/// The limits on the compensation of the tissue's lag (Libre1Core/Calibration, "History" step 4, read).
enum LagStep {
  /// Returns the step, limited to +40 and −20 mg/dL where glucose is 95…160 mg/dL, to less on either side, and to 0 up
  /// to 55 and above 500 mg/dL. The sign of each step selects its limit (derived).
  ///
  /// `isLowered` is false for the algorithm of the US Libre 2 app, which keeps the full limits from 55 to 95 mg/dL.
  static func limited(_ step: Double, at glucose: Double, isLowered: Bool = true) -> Double {
    let share = share(at: glucose, isLowered: isLowered)
    return step >= 0 ? min(step, 40 * share) : max(step, -20 * share)
  }

  /// The share of the full limits, 0…1.
  private static func share(at glucose: Double, isLowered: Bool) -> Double {
    switch glucose {
    case ...55: 0
    case ..<95: isLowered ? (glucose - 55) / 40 : 1
    case ...160: 1
    case ...500: 1 - (glucose - 160) / 340
    default: 0
    }
  }
}
