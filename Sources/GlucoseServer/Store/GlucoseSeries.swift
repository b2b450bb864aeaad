// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import Libre1Core
import LibreKit
import SensorHistory

/// Makes served values of the store's entries: one a minute, each with its change and direction.
struct GlucoseSeries {
  /// The minutes that the change and direction of a value look back.
  static let reachMinutes = 20
  /// The span of a change: what Nightscout's clients expect.
  private static let changeSeconds: Int64 = 300

  private struct Point {
    let entry: HistoryEntry
    let origin: ValueSource
    let device: String
    let time: Instant
    let concentration: GlucoseConcentration
    /// The place among several values in one minute, of which the lowest is served: a sensor's history before its trend,
    /// and both before an imported value.
    let rank: Int

    var minute: Int64 { time.secondsSince1970 / 60 }
  }

  private let from: Instant?
  private let limit: Int
  private var points: [Point] = []
  private var trends: [ValueSource: TrendRates] = [:]

  /// A series of at most `limit` values, none before `from`.
  init(limit: Int, from: Instant?) {
    self.limit = limit
    self.from = from
  }

  /// Adds an entry, newest first; returns false as soon as no more are needed.
  mutating func add(_ entry: HistoryEntry) -> Bool {
    // Those without a time come last.
    guard let time = entry.time else { return false }
    if points.count > limit, points[limit].time.adding(minutes: -Self.reachMinutes) > time { return false }
    guard let concentration = entry.usableConcentration else { return true }
    let (origin, device, rank): (ValueSource, String, Int)
    switch entry {
    case .sensor(let stored):
      if stored.supersededBy != nil { return true }
      origin = .sensor(stored.sensor, wear: stored.wear)
      device = SensorNames.short(stored.sensor)
      rank = stored.sample.ring == .history ? 0 : 1
      if stored.sample.ring == .trend { trends[origin, default: TrendRates()].add(stored.sample) }
    case .imported(let imported):
      // It is unknown by how much the true value is lower or higher.
      guard imported.bound == nil else { return true }
      origin = .imported(source: imported.source, device: imported.device)
      device = imported.device ?? imported.source
      rank = imported.ring == .history ? 2 : 3
    case .fingerStick, .bloodPressure: return true
    }
    let point = Point(
      entry: entry, origin: origin, device: device, time: time, concentration: concentration, rank: rank)
    if let last = points.last, last.minute == point.minute {
      if point.rank < last.rank { points[points.count - 1] = point }
    } else {
      points.append(point)
    }
    return true
  }

  /// Newest first.
  var values: [ServedGlucose] {
    let served = points.prefix(limit).prefix { point in from.map { point.time >= $0 } ?? true }
    return served.indices.map(value)
  }

  private func value(at index: Int) -> ServedGlucose {
    let point = points[index]
    let rate = point.entry.stored.flatMap { trends[point.origin]?.ratePerMinute(at: $0.sample.minute) }
    return ServedGlucose(
      id: ServedID.text(point.entry), time: point.time, concentration: point.concentration, delta: change(at: index),
      direction: rate.map { TrendDirection(ratePerMinute: $0) }, device: point.device,
      isTrend: point.entry.stored?.sample.ring == .trend)
  }

  /// The difference from five minutes before (GlucoseServer/GlucoseServer, "What is served").
  private func change(at index: Int) -> Double? {
    let point = points[index]
    let wanted = point.time.secondsSince1970 - Self.changeSeconds
    var later = point
    for earlier in points[(index + 1)...] where earlier.origin == point.origin {
      guard earlier.time >= point.time.adding(minutes: -Self.reachMinutes) else { return nil }
      if earlier.time.secondsSince1970 > wanted {
        later = earlier
        continue
      }
      let span = Double(later.time.secondsSince1970 - earlier.time.secondsSince1970)
      let share = Double(wanted - earlier.time.secondsSince1970) / span
      let (start, end) = (earlier.concentration.milligramsPerDecilitre, later.concentration.milligramsPerDecilitre)
      return point.concentration.milligramsPerDecilitre - (start + (end - start) * share)
    }
    return nil
  }
}

/// The 24 hex digits by which clients know a record: those that a database of Nightscout's would give it.
enum ServedID {
  /// The id of an entry, made of the sample's own id, so that it is the same on every machine and after every scan.
  static func text(_ entry: HistoryEntry) -> String {
    if let id = entry.id { return text(id) }
    // A sensor without a UID has no sample ids.
    let facts = entry.stored.map { "\($0.sample.ring.rawValue)/\($0.sample.minute)/\($0.wear)" } ?? ""
    return text(SampleID(name: "serve/\(entry.stored.map { SensorNames.short($0.sensor) } ?? "")/\(facts)"))
  }

  static func text(_ id: SampleID) -> String { String(HexText.string(of: id.bytes.prefix(12)).lowercased()) }

  static func text(_ sensor: SensorIdentity, wear: Int) -> String {
    text(SampleID(name: "serve/\(SensorNames.short(sensor))/\(wear)"))
  }
}
