// SPDX-License-Identifier: Apache-2.0

/// An invented person's glucose, defined for every minute: a level, three slow waves, three meals a day.
///
/// It uses additions, products and quotients only, so its values are the same bits on every machine.
public struct GlucoseCurve: Hashable, Sendable {
  private let random: SplitMix64
  private let level: Double
  /// Minutes of the day that had passed at sensor minute 0.
  private let startOfWear: Int

  public init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    level = 88 + 16 * random.fraction(at: 0)
    startOfWear = random.integer(in: 0...Self.day - 1, at: 1)
  }

  /// 60…250 mg/dL.
  public func milligramsPerDecilitre(atMinute minute: Int) -> Double {
    let clock = minute + startOfWear
    var value = level
    for (index, wave) in Self.waves.enumerated() {
      value += wave.amplitude * Self.wave(Double(clock) / wave.period + random.fraction(at: 2 + index))
    }
    let today = clock / Self.day
    // Yesterday's supper is still felt after midnight; what came before it is not.
    for day in [today - 1, today] {
      for (index, time) in Self.meals.enumerated() { value += rise(day: day, meal: index, time: time, clock: clock) }
    }
    return min(max(value, 60), 250)
  }

  /// Minutes of a day.
  private static let day = 1440
  /// mg/dL and minutes: the day's own rhythm, and two without a name.
  private static let waves = [
    (amplitude: 10.0, period: 1440.0), (amplitude: 6.0, period: 370.0), (amplitude: 4.0, period: 97.0),
  ]
  /// Minutes after midnight at which people eat, more or less.
  private static let meals = [450, 760, 1140]

  /// The mg/dL that one meal adds.
  private func rise(day: Int, meal: Int, time: Int, clock: Int) -> Double {
    let own = random.branch(16 + Self.meals.count * day + meal)
    let minutes = clock - (day * Self.day + time + own.integer(in: -40...40, at: 0))
    guard minutes > 0 else { return 0 }
    let height = 30 + 60 * own.fraction(at: 1)
    let peak = 55 + 25 * own.fraction(at: 2)
    // 1 at the peak; up fast, down slowly.
    let x = Double(minutes) / peak
    let shape = 2 * x / (1 + x * x)
    return height * shape * shape * shape
  }

  /// −1…1 with period 1, for turns from 0 up: two parabolas that nearly are a sine.
  static func wave(_ turns: Double) -> Double {
    let x = 2 * (turns - Double(Int(turns))) - 1
    return 4 * x * (x.magnitude - 1)
  }
}
