// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The horizontal axis of a terminal chart: maps a span of time to dots and cells.
struct TerminalTimeAxis {
  struct Tick: Hashable {
    let cell: Int
    let name: String
    /// First cell of its label in the whole line.
    let start: Int
  }

  let from: Instant
  let to: Instant
  let clock: WallClock
  let cells: Int
  let dotsAcross: Int
  let margin: Int
  private var span: Int64 { to.secondsSince1970 - from.secondsSince1970 }

  /// Returns the dot closest to a moment in the span, which has a dot at each end.
  func dot(_ time: Instant) -> Int {
    let last = Int64(cells * dotsAcross - 1)
    return Int(((time.secondsSince1970 - from.secondsSince1970) * last * 2 + span) / (2 * span))
  }

  /// Ticks of the narrowest step that keeps labels two cells apart.
  var ticks: [Tick] {
    var marks: [TimeStep.Mark] = []
    for step in TimeStep.all(clock.kind) where span / step.seconds <= Int64(cells) {
      let next = step.marks(from: from, to: to, clock: clock)
      // The step is wider than the span: use as many of the previous ticks as fit.
      if next.isEmpty { break }
      marks = next
      let placed = place(marks)
      if placed.count == marks.count { return placed }
    }
    return place(marks)
  }

  private func place(_ marks: [TimeStep.Mark]) -> [Tick] {
    var ticks: [Tick] = []
    var free = 0
    for mark in marks {
      let cell = dot(mark.time) / dotsAcross
      let start = max(0, min(margin + cells - mark.name.count, margin + cell - mark.name.count / 2))
      guard start >= free else { continue }
      ticks.append(Tick(cell: cell, name: mark.name, start: start))
      free = start + mark.name.count + 2
    }
    return ticks
  }
}

/// Distance between the ticks of a time axis, on the displayed clock.
enum TimeStep: Hashable {
  case seconds(Int64)
  case days(Int64)
  case months(Int)

  /// A tick and its label: a time of day; at midnight and for days the date; for months and years their names.
  struct Mark: Hashable {
    let time: Instant
    let name: String
  }

  static func all(_ kind: WallClock.Kind) -> [TimeStep] {
    let hours: [TimeStep] = [900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200].map { .seconds($0) }
    switch kind {
    case .local:
      let years = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000].map { TimeStep.months(12 * $0) }
      return hours + [.days(1), .days(2), .days(7), .days(14), .months(1), .months(3), .months(6)] + years
    case .sensorAge:
      let weeks: [Int64] = [7, 70, 700, 7_000, 70_000, 700_000].flatMap { [$0, 2 * $0, 4 * $0] }
      return hours + [.days(1), .days(2)] + weeks.map { .days($0) }
    }
  }

  /// Approximate length.
  var seconds: Int64 {
    switch self {
    case .seconds(let seconds): seconds
    case .days(let days): days * Instant.secondsPerDay
    case .months(let months): Int64(months) * 2_629_746
    }
  }

  /// Returns the ticks of a span in the order of time. A repeated hour has its tick twice, a skipped one has none.
  func marks(from: Instant, to: Instant, clock: WallClock) -> [Mark] {
    // Maximum offset of a clock from UTC.
    let low = from.secondsSince1970 - 93_600
    let high = to.secondsSince1970 + 93_600
    let places: [Int64]
    switch self {
    case .seconds(let seconds): places = Self.multiples(of: seconds, from: low, to: high)
    case .days(let days):
      // Weeks begin on Mondays, such as 1970-01-05; a sensor's weeks begin on the day it was started.
      let monday: Int64 = clock.kind != .sensorAge && days.isMultiple(of: 7) ? 4 * Instant.secondsPerDay : 0
      places = Self.multiples(of: days * Instant.secondsPerDay, from: low - monday, to: high - monday).map {
        $0 + monday
      }
    case .months(let months):
      func index(_ seconds: Int64) -> Int64 {
        let civil = CivilTime(Instant(secondsSince1970: seconds))
        return Int64(civil.year * 12 + civil.month - 1)
      }
      places = Self.multiples(of: Int64(months), from: index(low), to: index(high)).compactMap {
        CivilTime(year: Int($0 / 12), month: Int($0 % 12) + 1, day: 1)?.instant(offsetSeconds: 0).secondsSince1970
      }
    }
    return places.flatMap { place in
      Self.moments(place, clock).filter { from <= $0 && $0 <= to }.map { Mark(time: $0, name: name(place, clock)) }
    }
  }

  /// The moments at which the clock shows these seconds. Of two midnights the first; of a skipped one the clock's
  /// change.
  private static func moments(_ place: Int64, _ clock: WallClock) -> [Instant] {
    func offset(_ seconds: Int64) -> Int64 { Int64(clock.offsetSeconds(Instant(secondsSince1970: seconds))) }
    let guesses = [place - offset(place - 93_600), place - offset(place + 93_600)].sorted()
    var found = guesses.filter { $0 + offset($0) == place }
    if found.count == 2, found[0] == found[1] { found.removeLast() }
    guard place.isMultiple(of: Instant.secondsPerDay) else { return found.map { Instant(secondsSince1970: $0) } }
    let moment = Instant(secondsSince1970: found.first ?? guesses[1])
    return Int64(clock.day(moment)) * Instant.secondsPerDay == place ? [moment] : []
  }

  private static func multiples(of step: Int64, from: Int64, to: Int64) -> [Int64] {
    let first = from - from.floorDivided(by: step).remainder
    return Array(stride(from: first, through: to, by: Int64.Stride(step)))
  }

  private func name(_ place: Int64, _ clock: WallClock) -> String {
    let shown = Instant(secondsSince1970: place)
    let civil = CivilTime(shown)
    switch self {
    case .seconds where !place.isMultiple(of: Instant.secondsPerDay):
      return String(shown.rfc3339.dropFirst(11).prefix(5))
    case .seconds, .days: return clock.shortName(ofDay: Int(place.floorDivided(by: Instant.secondsPerDay).quotient))
    case .months(let months): return months < 12 && civil.month > 1 ? WallClock.month(civil.month) : String(civil.year)
    }
  }
}
