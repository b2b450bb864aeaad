// SPDX-License-Identifier: Apache-2.0

/// The offset that the official reader adds for a sensor's age: some while the sensor settles, none until day ten, then
/// up to 12 mg/dL.
///
/// | minutes | mg/dL | how it is known |
/// |---|---|---|
/// | up to 1440 | 80 (1.00222222^−m − 1.00416667^−m), and under 120 mg/dL 0.3 (1 − m/1440) (120 − g) more | the form is read; it was seen at minutes 277 to 279 of a Libre 2, in three values of a LibreLink |
/// | 1440 to 14400 | 0 | seen from minute 2100 on, in 231 history values that a LibreLink stored for a Libre 1 |
/// | from 14400 | rising to 12 at 27360 | read |
///
/// **The end of the first part is not known.** A public source lets it last until the oldest record of a scan is 2880
/// minutes old, which 18 of those 231 values contradict. 1440, where the second term ends, agrees with all public
/// values, but is a guess: see ``ReaderCalibration/uncertainMinutes``.
enum ReaderOffset {
  /// Returns the mg/dL to add at `minute`, from 1, to a value that is `glucose` before lag compensation.
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
