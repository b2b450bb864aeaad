// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// One value for each quarter of an hour, so that a moment which several programs or sensors have measured counts once.
///
/// Only history counts: the minutes around a scan, and finger-sticks, would weigh more than the rest of the day.
public struct QuarterHours: Hashable, Sendable {
  /// Numbered from 1970; local days begin with one in all zones of today.
  public static let seconds: Int64 = 900

  /// A value that counts.
  public struct Value: Hashable, Sendable {
    public let time: Instant
    public let concentration: GlucoseConcentration
    let isOwn: Bool
  }

  private var values: [Int64: Value] = [:]

  public init() {}

  /// Takes in an entry, if it is a usable history value with a time. A sensor that libre read goes before an import; of
  /// two of the same kind the first stays.
  public mutating func add(_ entry: HistoryEntry) {
    guard entry.isUsable, let time = entry.time, let value = entry.concentration else { return }
    let isOwn: Bool
    switch entry {
    case .sensor(let stored):
      guard stored.sample.ring == .history else { return }
      isOwn = true
    case .imported(let imported):
      guard imported.ring == .history else { return }
      isOwn = false
    case .fingerStick: return
    }
    let number = Self.number(of: time)
    if let known = values[number], known.isOwn || !isOwn { return }
    values[number] = Value(time: time, concentration: value, isOwn: isOwn)
  }

  static func number(of time: Instant) -> Int64 {
    let rest = (time.secondsSince1970 % seconds + seconds) % seconds
    return (time.secondsSince1970 - rest) / seconds
  }

  static func beginning(_ number: Int64) -> Instant { Instant(secondsSince1970: number * seconds) }

  /// Numbers with their values, in the order of time.
  var sorted: [(number: Int64, value: Value)] {
    values.map { (number: $0.key, value: $0.value) }.sorted { $0.number < $1.number }
  }
}
