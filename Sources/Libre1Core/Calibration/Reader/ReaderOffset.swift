// SPDX-License-Identifier: Apache-2.0

/// The offset that the official reader adds for a sensor's age (Libre1Core/Calibration, "Age offset"): some while the
/// sensor settles, none until day ten, then up to 12 mg/dL. **The end of the first part is not known**: 1440, where its
/// second term ends, agrees with all public values, but is a guess: see ``ReaderCalibration/uncertainMinutes``.
enum ReaderOffset {
  /// mg/dL to add at `minute`, from 1, to a value that is `glucose` before lag compensation.
  static func milligrams(at minute: Int, glucose: Double) -> Double {
    let m = Double(minute)
    guard minute < settled else { return 12 * min(max((m - 14_400) / (27_360 - 14_400), 0), 1) }
    let settling = 80 * (ElementaryFunctions.exp2(-m * slow) - ElementaryFunctions.exp2(-m * fast))
    return settling + (glucose < 120 ? 0.3 * (1 - m / Double(settled)) * (120 - glucose) : 0)
  }

  private static let settled = 1_440
  /// log2(1.00222222) and log2(1.00416667).
  private static let slow = 0.003_202_428_839_463_446
  private static let fast = 0.005_998_745_410_472_319
}
