// SPDX-License-Identifier: Apache-2.0

/// A weighted mean of estimates of blood glucose (Libre1Core/Calibration, "Trend and current value", read).
struct WeightedSteps {
  /// The newest minute's glucose before lag compensation.
  let base: Double
  private var values: Double
  private var valueWeights = 75.0
  private var rates = 0.0
  private var rateWeights = 0.0

  init(base: Double) {
    self.base = base
    values = 75 * base
  }

  var value: Double { values / valueWeights }
  /// mg/dL per minute; its steps are not limited (derived: this gives the official reader's +0.401).
  var rate: Double { rates / rateWeights }

  mutating func add(weight: Double, step: Double) { add(weight: weight, from: base, step: step) }

  /// Adds the newest three smoothed records, unless the history moves too fast. `row` is the lag in minutes, 0…14.
  mutating func add(_ history: InlineArray<3, Double>, row: Int) {
    let toOldest = (history[2] - history[0]) / -30
    let toMiddle = (history[1] - history[0]) / -15
    let step = Self.oldestFactor[row] * toOldest + Self.middleFactor[row] * toMiddle
    // "historyRate" is understood as this step as a rate: derived from its place in the text, not verified.
    guard step * Self.ratePerStep > -5, step * Self.ratePerStep < 5.5 else { return }
    add(weight: Self.weight[row], from: history[0], step: step)
  }

  private mutating func add(weight: Double, from base: Double, step: Double) {
    values += weight * (base + LagStep.limited(step, at: base))
    valueWeights += weight
    rates += weight * Self.ratePerStep * step
    rateWeights += weight
  }

  private static let ratePerStep = 0.1
  private static let middleFactor: InlineArray<15, Double> = [
    14.77, 15.46, 16.67, 18.93, 20.33, 20.74, 22.39, 23.08, 23.57, 23.34, 23.99, 23.34, 22.11, 23.51, 25.06,
  ]
  private static let oldestFactor: InlineArray<15, Double> = [
    -3.24, -3.37, -4.01, -5.83, -6.44, -6.08, -7.38, -7.47, -7.64, -6.90, -6.52, -5.67, -3.82, -4.63, -5.73,
  ]
  private static let weight: InlineArray<15, Double> = [92, 91, 91, 90, 89, 88, 88, 87, 86, 86, 85, 83, 83, 82, 82]
}

/// The limits on the compensation of the tissue's lag (Libre1Core/Calibration, "History" step 4, read).
enum LagStep {
  /// The step, limited to +40 and −20 mg/dL where glucose is 95…160 mg/dL, to less on either side, and to 0 up to 55
  /// and above 500 mg/dL. The sign of each step selects its limit (derived).
  ///
  /// `isLowered` is false for the algorithm of the US Libre 2 app, which keeps the full limits from 55 to 95 mg/dL.
  static func limited(_ step: Double, at glucose: Double, isLowered: Bool = true) -> Double {
    let share = share(at: glucose, isLowered: isLowered)
    return step >= 0 ? min(step, 40 * share) : max(step, -20 * share)
  }

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
