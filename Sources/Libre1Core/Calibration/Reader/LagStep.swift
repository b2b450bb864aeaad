// SPDX-License-Identifier: Apache-2.0

/// How far compensation of the tissue's lag may move a value (Libre1Core/Calibration, "History" step 4, read).
enum LagStep {
  /// The step, limited to 40 mg/dL up and 20 down where glucose is 95…160 mg/dL, to less beside it and to nothing up to
  /// 55 and above 500. Each step's own sign chooses its limit (derived).
  static func limited(_ step: Double, at glucose: Double) -> Double {
    step >= 0 ? min(step, 40 * share(at: glucose)) : max(step, -20 * share(at: glucose))
  }

  /// Of the full limits, 0…1.
  private static func share(at glucose: Double) -> Double {
    switch glucose {
    case ...55: 0
    case ..<95: (glucose - 55) / 40
    case ...160: 1
    case ...500: 1 - (glucose - 160) / 340
    default: 0
    }
  }
}
