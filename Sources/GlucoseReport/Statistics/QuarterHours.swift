// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// One value for each quarter of an hour, so that a moment measured by several programs or sensors counts once.
///
/// Uses only history: minute values around a scan and finger-sticks would outweigh the rest of the day.
public struct QuarterHours: Hashable, Sendable {
  /// Length of a quarter. Quarters are numbered from 1970; in all present time zones local days begin with one.
  public static let seconds: Int64 = 900

  /// Minimum distance in seconds; two minutes less than a quarter of an hour.
  private static let minimumDistance: Int64 = 780

  private struct Value: Hashable {
    let point: GlucosePoint
    let source: ValueSource
  }

  private var values: [Int64: Value] = [:]

  public init() {}

  /// Adds an entry if it is a usable history value with a time. A sensor that libre read takes precedence over an
  /// import; of two values of the same kind the first one stays.
  public mutating func add(_ entry: HistoryEntry) {
    guard let time = entry.time, let value = entry.usableConcentration else { return }
    let source: ValueSource
    switch entry {
    case .sensor(let stored):
      guard stored.sample.ring == .history else { return }
      source = .sensor(stored.sensor, wear: stored.wear)
    case .imported(let imported):
      guard imported.ring == .history else { return }
      source = .imported(source: imported.source, device: imported.device)
    case .fingerStick, .bloodPressure: return
    }
    var number = Self.number(of: time)
    // Values come every 15 minutes, a few seconds early or late, so two may fall into one quarter and none into the
    // next.
    if let known = values[number], known.source.isOwn == source.isOwn, values[number + 1] == nil,
      time.secondsSince1970 - known.point.time.secondsSince1970 >= Self.minimumDistance
    {
      number += 1
    }
    if let known = values[number], known.source.isOwn || !source.isOwn { return }
    values[number] = Value(point: GlucosePoint(time: time, concentration: value), source: source)
  }

  static func number(of time: Instant) -> Int64 {
    let rest = (time.secondsSince1970 % seconds + seconds) % seconds
    return (time.secondsSince1970 - rest) / seconds
  }

  static func beginning(_ number: Int64) -> Instant { Instant(secondsSince1970: number * seconds) }

  public var isEmpty: Bool { values.isEmpty }

  /// Values in the order of time.
  public var points: [GlucosePoint] { sorted.map(\.point) }

  /// Numbers with their values, in the order of time.
  var sorted: [(number: Int64, point: GlucosePoint, source: ValueSource)] {
    values.map { (number: $0.key, point: $0.value.point, source: $0.value.source) }.sorted { $0.number < $1.number }
  }
}
