// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// An invented person with diabetes, who wears one sensor after another and scans it several times a day. A scan
/// depends only on the seed and its moment, so that later scans continue the earlier ones.
package struct SimulatedPerson: Sendable {
  private let seed: UInt64
  private let random: SplitMix64
  /// The person's clock less UTC, the same in summer and winter.
  private let offsetMinutes: Int

  package init(seed: UInt64, offsetSeconds: Int) {
    self.seed = seed
    random = SplitMix64(seed: seed)
    offsetMinutes = offsetSeconds / 60
  }

  /// Fewer than four leave gaps in the history: two scans are more than eight hours apart.
  package static let scansPerDay = 1...48

  /// The memories between two moments, in the order of time. The last is that of `to`, if a sensor is worn then.
  package func scans(from: Instant, to: Instant, perDay: Int) -> [MemoryImage] {
    let (first, last) = (minute(of: from), minute(of: to))
    guard first <= last else { return [] }
    var minutes: Set<Int> = []
    for day in first / Self.day...last / Self.day { minutes.formUnion(scanMinutes(ofDay: day, perDay: perDay)) }
    for number in wear(at: first)...wear(at: last) { minutes.insert(removal(of: number) - 1) }
    var scans = minutes.filter { first < $0 && $0 < last }.sorted().compactMap { minute in
      image(at: minute, second: random.branch(3).integer(in: 0...59, at: minute))
    }
    let second = to.secondsSince1970 - instant(of: last).secondsSince1970
    if let image = image(at: last, second: Int(second)) { scans.append(image) }
    return scans
  }

  private static let day = 1440
  /// The first scan of a day, and the time to the last: less than eight hours of the night remain.
  private static let wakingMinutes = (first: 420, length: 975)

  /// Minutes of the person's clock since 1970.
  private func scanMinutes(ofDay day: Int, perDay: Int) -> [Int] {
    (0..<perDay).map { index in
      let own = random.branch(4).branch(day).integer(in: -7...7, at: index)
      return day * Self.day + Self.wakingMinutes.first + Self.wakingMinutes.length * index / max(perDay - 1, 1) + own
    }
  }

  private func minute(of instant: Instant) -> Int {
    Int(instant.secondsSince1970.floorDivided(by: 60).quotient) + offsetMinutes
  }

  private func instant(of minute: Int) -> Instant {
    Instant(secondsSince1970: 0).adding(minutes: minute - offsetMinutes)
  }

  /// The days from one sensor to the next. Each is put on in the evening, and taken off some minutes before the next.
  private static let wearDays = 14

  private func start(of number: Int) -> Int {
    let day = Self.wearDays * number + random.integer(in: 0...Self.wearDays - 1, at: 0)
    return day * Self.day + 18 * 60 + random.branch(1).integer(in: 0...120, at: number)
  }

  private func removal(of number: Int) -> Int {
    start(of: number + 1) - random.branch(5).integer(in: 5...20, at: number)
  }

  /// The number of the sensor that was started last.
  private func wear(at minute: Int) -> Int {
    var number = minute / Self.day / Self.wearDays
    while start(of: number) > minute { number -= 1 }
    return number
  }

  /// nil while no sensor is worn.
  private func image(at minute: Int, second: Int) -> MemoryImage? {
    let number = wear(at: minute)
    let age = minute - start(of: number)
    guard age > 0, minute < removal(of: number) else { return nil }
    var sensor = SimulatedSensor(seed: random.branch(2).word(at: number))
    sensor.activatedAt = instant(of: start(of: number))
    sensor.curve = GlucoseCurve(withDiabetes: seed, startOfWear: start(of: number))
    // Behind by one minute on two real scans of three.
    let trendLag = min(random.branch(6).integer(in: 0...2, at: minute), 1)
    return MemoryImage(
      bytes: sensor.memory(atAge: age, trendLag: trendLag), uid: sensor.uid, patchInfo: sensor.patchInfo,
      readAt: Instant(secondsSince1970: instant(of: minute).secondsSince1970 + Int64(second)))
  }
}
