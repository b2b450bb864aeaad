// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// One value for each quarter of an hour, so that a moment measured by several programs or sensors counts once. Uses
/// only history: minute values around a scan and finger-sticks would outweigh the rest of the day.
package struct QuarterHours: Hashable, Sendable {
  /// Length of a quarter. Quarters are numbered from 1970; in all present time zones local days begin with one.
  package static let seconds: Int64 = 900

  /// Minimum distance in seconds; two minutes less than a quarter of an hour.
  private static let minimumDistance: Int64 = 780

  /// Values in the order of time. Those of ten years take 8 MB: 24 bytes each, without a table of hashes.
  package private(set) var points: [GlucosePoint] = []
  private(set) var numbers: [Int32] = []
  /// The sources of the values, as positions in `sources`.
  private var sourceNumbers: [Int32] = []
  private var sources: [ValueSource] = []
  private var sourcePositions: [ValueSource: Int32] = [:]
  /// First and last quarter of the values of each source that do not count, because another sensor of the person counts
  /// at their times. Only sensors that were worn at the same time have any.
  private var superseded: [Int32: ClosedRange<Int32>] = [:]
  package var hasSuperseded: Bool { !superseded.isEmpty }
  package init() {}

  /// Adds a usable history value with a time. A sensor that libre read takes precedence over an import; of two values
  /// of the same kind the first one stays. A superseded value does not count, but belongs to the time of its sensor.
  package mutating func add(_ entry: HistoryEntry) {
    guard let time = entry.time, let value = entry.usableConcentration else { return }
    let source: ValueSource
    switch entry {
    case .sensor(let stored):
      guard stored.sample.ring == .history else { return }
      source = .sensor(stored.sensor, wear: stored.wear)
      if stored.supersededBy != nil {
        let (quarter, position) = (Int32(clamping: Self.number(of: time)), self.number(of: source))
        let known = superseded[position] ?? quarter...quarter
        superseded[position] = min(known.lowerBound, quarter)...max(known.upperBound, quarter)
        return
      }
    case .imported(let imported):
      guard imported.ring == .history else { return }
      source = .imported(source: imported.source, device: imported.device)
    case .fingerStick, .bloodPressure: return
    }
    var number = Self.number(of: time)
    var place = place(of: number)
    // Values come every 15 minutes, a few seconds early or late, so two may fall into one quarter and none into the
    // next.
    if place.isKnown, self.source(at: place.position).isOwn == source.isOwn,
      time.secondsSince1970 - points[place.position].time.secondsSince1970 >= Self.minimumDistance
    {
      let next = place.position + 1
      if next == numbers.count || Int64(numbers[next]) != number + 1 {
        number += 1
        place = (next, false)
      }
    }
    let point = GlucosePoint(time: time, concentration: value)
    if place.isKnown {
      if self.source(at: place.position).isOwn || !source.isOwn { return }
      points[place.position] = point
      sourceNumbers[place.position] = self.number(of: source)
    } else {
      points.insert(point, at: place.position)
      numbers.insert(Int32(clamping: number), at: place.position)
      sourceNumbers.insert(self.number(of: source), at: place.position)
    }
  }

  /// Returns the place of a quarter, or the place where it belongs. Values are usually added in the order of time.
  private func place(of number: Int64) -> (position: Int, isKnown: Bool) {
    guard let last = numbers.last, number <= Int64(last) else { return (numbers.count, false) }
    var (low, high) = (0, numbers.count - 1)
    if number == Int64(last) { low = high }
    while low < high {
      let middle = (low + high) / 2
      if Int64(numbers[middle]) < number { low = middle + 1 } else { high = middle }
    }
    return (low, Int64(numbers[low]) == number)
  }

  private mutating func number(of source: ValueSource) -> Int32 {
    // Most values have the source of the value before, and comparing is faster than hashing.
    if let last = sourceNumbers.last, sources[Int(last)] == source { return last }
    if let known = sourcePositions[source] { return known }
    let number = Int32(sources.count)
    sources.append(source)
    sourcePositions[source] = number
    return number
  }

  func source(at position: Int) -> ValueSource { sources[Int(sourceNumbers[position])] }

  /// The positions of the values of each source, and its quarters with those that do not count, by their first values.
  var positionsBySource: [(source: ValueSource, positions: [Int], span: ClosedRange<Int64>)] {
    var positions = [[Int]](repeating: [], count: sources.count)
    for (position, source) in sourceNumbers.enumerated() { positions[Int(source)].append(position) }
    return sources.indices.compactMap { index in
      let ends = [positions[index].first, positions[index].last].compactMap { $0.map { numbers[$0] } }
      let all = ends + (superseded[Int32(index)].map { [$0.lowerBound, $0.upperBound] } ?? [])
      guard let first = all.min(), let last = all.max() else { return nil }
      return (sources[index], positions[index], Int64(first)...Int64(last))
    }.sorted { ($0.span.lowerBound, $0.positions.first ?? .max) < ($1.span.lowerBound, $1.positions.first ?? .max) }
  }

  package static func number(of time: Instant) -> Int64 {
    time.secondsSince1970.floorDivided(by: seconds).quotient
  }

  static func beginning(_ number: Int64) -> Instant { Instant(secondsSince1970: number * seconds) }
  package var isEmpty: Bool { points.isEmpty }
}

/// Source of a value: a wear of a sensor that libre read, or a device in another program's history.
package enum ValueSource: Hashable, Sendable {
  case sensor(SensorIdentity, wear: Int)
  case imported(source: String, device: String?)

  var isOwn: Bool { if case .sensor = self { true } else { false } }
}
