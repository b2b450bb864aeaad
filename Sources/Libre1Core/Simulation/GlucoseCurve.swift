// SPDX-License-Identifier: Apache-2.0

/// The glucose of an invented person: a level, three slow waves, meals, and with diabetes also overdoses of insulin. It
/// uses only additions, multiplications and divisions, so its values have the same bits on every machine.
package struct GlucoseCurve: Hashable, Sendable {
  private let random: SplitMix64
  private let level: Double
  /// Minutes from a midnight on the person's clock to sensor minute 0.
  private let startOfWear: Int
  private let events: [Event]
  private let limits: ClosedRange<Double>

  /// A healthy person, who put the sensor on at a random time of the day.
  package init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    level = 88 + 16 * random.fraction(at: 0)
    startOfWear = random.integer(in: 0...Self.day - 1, at: 1)
    events = Self.mealTimes.map { Event(time: $0, height: 30, spread: 60) }
    limits = 60...250
  }

  /// A person with diabetes: high values after meals, and on some days a low one at night or in the afternoon.
  package init(withDiabetes seed: UInt64, startOfWear: Int) {
    random = SplitMix64(seed: seed)
    level = 100 + 20 * random.fraction(at: 0)
    self.startOfWear = startOfWear
    events =
      Self.mealTimes.map { Event(time: $0, height: 50, spread: 150) }
      + [130, 960].map { Event(time: $0, height: -45, spread: -45, chance: 0.4) }
    limits = 42...380
  }

  package func milligramsPerDecilitre(atMinute minute: Int) -> Double {
    let clock = minute + startOfWear
    var value = level
    for (index, wave) in Self.waves.enumerated() {
      value += wave.amplitude * Self.wave(Double(clock) / wave.period + random.fraction(at: 2 + index))
    }
    let today = clock / Self.day
    // Yesterday's last events still have an effect after midnight; earlier days have none.
    for day in [today - 1, today] {
      for (index, event) in events.enumerated() { value += rise(day: day, index: index, event, clock: clock) }
    }
    return min(max(value, limits.lowerBound), limits.upperBound)
  }

  private static let day = 1440
  /// The waves, in mg/dL and minutes: the daily rhythm, and two others.
  private static let waves = [
    (amplitude: 10.0, period: 1440.0), (amplitude: 6.0, period: 370.0), (amplitude: 4.0, period: 97.0),
  ]
  /// Approximate, in minutes after midnight.
  private static let mealTimes = [450, 760, 1140]

  private struct Event: Hashable {
    /// The minutes after midnight.
    let time: Int
    /// The minimum mg/dL at the peak, to which up to `spread` is added; negative for a fall.
    let height: Double
    let spread: Double
    /// The share of days on which it happens, 0…1.
    var chance = 1.0
  }

  private func rise(day: Int, index: Int, _ event: Event, clock: Int) -> Double {
    let own = random.branch(16 + events.count * day + index)
    let minutes = clock - (day * Self.day + event.time + own.integer(in: -40...40, at: 0))
    guard minutes > 0, own.fraction(at: 3) < event.chance else { return 0 }
    let height = event.height + event.spread * own.fraction(at: 1)
    let peak = 55 + 25 * own.fraction(at: 2)
    // 1 at the peak; it rises fast and falls slowly.
    let x = Double(minutes) / peak
    let shape = 2 * x / (1 + x * x)
    return height * shape * shape * shape
  }

  /// −1…1 with period 1, for arguments from 0: two parabolas, which are close to a sine.
  static func wave(_ turns: Double) -> Double {
    let x = 2 * (turns - Double(Int(turns))) - 1
    return 4 * x * (x.magnitude - 1)
  }
}
