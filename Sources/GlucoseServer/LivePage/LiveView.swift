// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import LibreKit
import SensorHistory
import TextFormats

struct LiveView {
  let snapshot: ServerSnapshot
  /// The values of today and of the curve, newest first.
  let glucose: [ServedGlucose]
  let now: Instant
  let unit: GlucoseUnit
  /// Hours that the curve covers: one of ``spans``.
  let hours: Int
  let clock: WallClock

  static let spans = [3, 6, 12, 24]

  /// One that is dated in the future, by a clock that was wrong, counts only without another.
  var newest: ServedGlucose? { snapshot.newest(at: now) }

  var ageMinutes: Int? { newest.map { now.minutes(since: $0.time) } }

  var isOld: Bool { LatestValue.isStale(ageMinutes) }

  /// The sensor that the newest value comes from, else the newest sensor of all.
  var sensor: ServedSensor? {
    snapshot.sensors.first { $0.serial == newest?.device } ?? snapshot.sensors.first
  }

  var range: GlucoseRange? {
    newest.map { newest in
      [.veryLow, .low, .high, .veryHigh].first { $0.contains(newest.concentration.milligramsPerDecilitre) } ?? .target
    }
  }

  /// Source of the newest value, and reasons against relying on it, a sentence each.
  var trust: [String] {
    guard let newest else { return [] }
    guard let sensor = snapshot.sensors.first(where: { $0.serial == newest.device }) else {
      return ["Imported from \(newest.device). This computer did not read the sensor itself."]
    }
    var sentences = [
      // The sensor writes both in some minutes; only its minutes have a direction.
      newest.isTrend || newest.direction != nil
        ? "Measured in that minute by sensor \(sensor.serial)."
        : "From the history of sensor \(sensor.serial), which has one value in 15 minutes and no arrow."
    ]
    switch sensor.state(at: now) {
    case .warmingUp: sentences.append("The sensor is still warming up.")
    case .expired: sentences.append("The sensor has passed the end of its life.")
    case .shutdown: sentences.append("The sensor has ended. It measures nothing any more.")
    case .failure: sentences.append("The sensor has failed. It measures nothing any more.")
    case .notActivated, .active, .unknown: break
    }
    if let read = sensor.facts.lastReadAt, read.minutes(since: newest.time) > LatestValue.staleMinutes {
      sentences.append(
        "The sensor was read \(DurationText.ago(minutes: now.minutes(since: read))), but had no usable value then.")
    }
    return sentences
  }

  var curve: (points: [GlucosePoint], span: ClosedRange<Instant>) {
    let span = now.adding(minutes: -hours * 60)...now
    let values = glucose.filter { span.contains($0.time) }
    return (values.reversed().map { GlucosePoint(time: $0.time, concentration: $0.concentration) }, span)
  }

  /// Shares of today in each range, and its minutes that have values. Each quarter of an hour counts once.
  var today: (ranges: TimeInRanges, minutes: Int)? {
    let day = clock.day(now)
    let values = glucose.filter { $0.time <= now && clock.day($0.time) == day }
    let quarters = Dictionary(grouping: values) { $0.time.secondsSince1970 / QuarterHours.seconds }.values.map { all in
      let history = all.filter { !$0.isTrend }
      let counted = history.isEmpty ? all : history
      return counted.map(\.concentration.milligramsPerDecilitre).reduce(0, +) / Double(counted.count)
    }
    return quarters.isEmpty ? nil : (TimeInRanges(quarters), quarters.count * 15)
  }

  /// Change of the newest value in words; nil if it is unknown, or the value is old.
  var direction: String? { isOld ? nil : newest?.direction?.words }

  /// A change in the page's unit with its sign; a value without one would look like a concentration.
  func shown(change milligramsPerDecilitre: Double) -> String {
    let text = unit.shown(GlucoseConcentration(milligramsPerDecilitre: milligramsPerDecilitre))
    return text.hasPrefix("-") ? "−\(text.dropFirst())" : "+\(text)"
  }

  /// `10:15`, or `24 Nov, 10:15` for another day than today.
  func moment(_ instant: Instant) -> String {
    let time = clock.timeOfDay(instant)
    return clock.day(instant) == clock.day(now) ? time : "\(clock.shortName(ofDay: clock.day(instant))), \(time)"
  }
}

extension ServerSnapshot {
  /// The newest value that is not dated in the future by more than a clock's mistake, else the newest of all.
  func newest(at now: Instant) -> ServedGlucose? {
    let soon = now.adding(minutes: LatestValue.staleMinutes)
    return glucose.first { $0.time <= soon } ?? glucose.first
  }
}

extension ServedSensor {
  /// The state in which it is at a moment: what it was when the snapshot was made may be over.
  func state(at now: Instant) -> SensorState {
    SensorCondition(facts, now: now).state ?? .unknown(nil)
  }
}

extension Instant {
  func minutes(since earlier: Instant) -> Int { Int((secondsSince1970 - earlier.secondsSince1970) / 60) }
}

extension TrendDirection {
  fileprivate var words: String? {
    switch self {
    case .doubleUp: "rising very fast"
    case .singleUp: "rising fast"
    case .fortyFiveUp: "rising"
    case .flat: "steady"
    case .fortyFiveDown: "falling"
    case .singleDown: "falling fast"
    case .doubleDown: "falling very fast"
    case .notComputable: nil
    }
  }
}
