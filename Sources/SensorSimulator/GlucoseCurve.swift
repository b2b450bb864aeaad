// SPDX-License-Identifier: Apache-2.0

/// An invented person's glucose, defined for every minute: a level, three slow waves, and what happens in a day: meals,
/// and with diabetes also doses of insulin that were too much.
///
/// It uses additions, products and quotients only, so its values are the same bits on every machine.
public struct GlucoseCurve: Hashable, Sendable {
  private let random: SplitMix64
  private let level: Double
  /// Minutes that had passed at sensor minute 0, since a midnight on the person's clock.
  private let startOfWear: Int
  private let events: [Event]
  /// mg/dL
  private let limits: ClosedRange<Double>

  /// Of a healthy person, who put the sensor on at some time of the day.
  public init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    level = 88 + 16 * random.fraction(at: 0)
    startOfWear = random.integer(in: 0...Self.day - 1, at: 1)
    events = Self.mealTimes.map { Event(time: $0, height: 30, spread: 60) }
    limits = 60...250
  }

  /// Of a person with diabetes: highs after meals, and on some days a low in the small hours or in the afternoon.
  /// `startOfWear` is the minute at which the sensor was put on, since a midnight on the person's clock.
  public init(withDiabetes seed: UInt64, startOfWear: Int) {
    random = SplitMix64(seed: seed)
    level = 100 + 20 * random.fraction(at: 0)
    self.startOfWear = startOfWear
    events =
      Self.mealTimes.map { Event(time: $0, height: 50, spread: 150) }
      + [130, 960].map { Event(time: $0, height: -45, spread: -45, chance: 0.4) }
    limits = 42...380
  }

  /// 60…250 mg/dL; 42…380 mg/dL with diabetes.
  public func milligramsPerDecilitre(atMinute minute: Int) -> Double {
    let clock = minute + startOfWear
    var value = level
    for (index, wave) in Self.waves.enumerated() {
      value += wave.amplitude * Self.wave(Double(clock) / wave.period + random.fraction(at: 2 + index))
    }
    let today = clock / Self.day
    // Yesterday's supper is still felt after midnight; what came before it is not.
    for day in [today - 1, today] {
      for (index, event) in events.enumerated() { value += rise(day: day, index: index, event, clock: clock) }
    }
    return min(max(value, limits.lowerBound), limits.upperBound)
  }

  /// Minutes of a day.
  private static let day = 1440
  /// mg/dL and minutes: the day's own rhythm, and two without a name.
  private static let waves = [
    (amplitude: 10.0, period: 1440.0), (amplitude: 6.0, period: 370.0), (amplitude: 4.0, period: 97.0),
  ]
  /// Minutes after midnight at which people eat, more or less.
  private static let mealTimes = [450, 760, 1140]

  /// What moves glucose at some time of a day, more or less.
  private struct Event: Hashable {
    /// Minutes after midnight.
    let time: Int
    /// mg/dL at the peak: at least, and how much more at most; negative for a fall.
    let height: Double
    let spread: Double
    /// On how many days of all it happens, 0…1.
    var chance = 1.0
  }

  /// The mg/dL that one event adds.
  private func rise(day: Int, index: Int, _ event: Event, clock: Int) -> Double {
    let own = random.branch(16 + events.count * day + index)
    let minutes = clock - (day * Self.day + event.time + own.integer(in: -40...40, at: 0))
    guard minutes > 0, own.fraction(at: 3) < event.chance else { return 0 }
    let height = event.height + event.spread * own.fraction(at: 1)
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
