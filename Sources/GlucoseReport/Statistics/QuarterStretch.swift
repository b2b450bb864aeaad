// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The quarters of an hour in a span of time: the expected ones, and those with a value.
struct QuarterStretch {
  typealias Value = (number: Int64, point: GlucosePoint, source: ValueSource)

  /// Values in the order of time.
  let values: [Value]
  private let clock: LocalClock
  /// First and last whole quarter within the ends; nil without that end.
  private let first: Int64?
  private let last: Int64?

  /// Creates a span. `from` and `to` are both included; nil means the first or last value. A quarter that is cut by an
  /// end counts only if it has a value.
  init(_ values: QuarterHours, from: Instant?, to: Instant?, clock: LocalClock) {
    self.values = values.sorted
    self.clock = clock
    first = from.map {
      QuarterHours.number(of: Instant(secondsSince1970: $0.secondsSince1970 + QuarterHours.seconds - 1))
    }
    last = to.map { QuarterHours.number(of: Instant(secondsSince1970: $0.secondsSince1970 + 1)) - 1 }
  }

  /// Every quarter that is expected or has a value; nil without any.
  var all: ClosedRange<Int64>? {
    let (oldest, newest) = (values.first?.number, values.last?.number)
    guard let low = [first ?? oldest, oldest].compactMap(\.self).min(),
      let high = [last ?? newest, newest].compactMap(\.self).max(), low <= high
    else { return nil }
    return low...high
  }

  /// Returns the local day of a quarter, since 1970-01-01.
  func day(_ number: Int64) -> Int { place(number).day }

  func groups(by grouping: StatisticsGrouping) -> [StatisticsGroup] {
    switch grouping {
    case .hour: hours
    case .day: calendar { ($0...$0, .day($0)) }
    case .week:
      calendar { day in
        // 1970-01-01 was a Thursday.
        let monday = day - (day + 3).floorDivided(by: 7).remainder
        return (monday...monday + 6, .week(monday: monday))
      }
    case .month:
      calendar { day in
        let first = day - CivilTime(Instant(daysSince1970: day)).day + 1
        let inNext = first + 31
        return (first...inNext - CivilTime(Instant(daysSince1970: inNext)).day, .month(first: first))
      }
    case .sensor: sources
    }
  }

  /// Groups whole days. One value makes the whole group expected, as far as it is within the ends.
  private func calendar(
    _ period: (_ day: Int) -> (days: ClosedRange<Int>, key: StatisticsGroup.Key)
  ) -> [StatisticsGroup] {
    var groups: [StatisticsGroup] = []
    var rest = values[...]
    while let value = rest.first {
      let (days, key) = period(day(value.number))
      let own = rest.prefix { days.contains(day($0.number)) }
      rest = rest.dropFirst(own.count)
      let low = max(beginning(ofDay: days.lowerBound), first ?? .min)
      let high = min(beginning(ofDay: days.upperBound + 1) - 1, last ?? .max)
      groups.append(group(key, Array(own), from: low, to: high))
    }
    return groups
  }

  /// Wears and devices, each from its first to its last value.
  private var sources: [StatisticsGroup] {
    var found: [ValueSource: [Value]] = [:]
    for value in values { found[value.source, default: []].append(value) }
    return found.map { (source, own) in (own[0].number, group(.source(source), own, from: .max, to: .min)) }
      .sorted { $0.0 < $1.0 }.map(\.1)
  }

  private var hours: [StatisticsGroup] {
    var found = [[Value]](repeating: [], count: 24)
    for value in values { found[hour(value.number)].append(value) }
    return expectedByHour.enumerated().filter { $0.element > 0 }.map { hour, expected in
      StatisticsGroup(
        key: .hour(hour), from: nil, to: nil, part: part(found[hour], expected), values: found[hour].map(\.point))
    }
  }

  private var expectedByHour: [Int] {
    var counts = [Int](repeating: 0, count: 24)
    guard let all else { return counts }
    var number = all.lowerBound
    while number <= all.upperBound {
      // A day without a clock change has four quarters in each hour, wherever it begins.
      let lastOfDay = number + 95
      if lastOfDay <= all.upperBound, offset(number) == offset(lastOfDay) {
        for hour in counts.indices { counts[hour] += 4 }
        number = lastOfDay + 1
      } else {
        counts[hour(number)] += 1
        number += 1
      }
    }
    return counts
  }

  /// Makes a group that expects all quarters between two, and those of its own values.
  private func group(
    _ key: StatisticsGroup.Key, _ own: [Value], from first: Int64, to last: Int64
  ) -> StatisticsGroup {
    let low = min(own[0].number, first)
    let high = max(own[own.count - 1].number, last)
    return StatisticsGroup(
      key: key, from: QuarterHours.beginning(low),
      to: Instant(secondsSince1970: QuarterHours.beginning(high + 1).secondsSince1970 - 1),
      part: part(own, Int(high - low + 1)), values: own.map(\.point))
  }

  private func part(_ own: [Value], _ expected: Int) -> StatisticsByDay.Part {
    StatisticsByDay.Part(expected: expected, statistics: DailyStatistics(own.map(\.point.value)))
  }

  /// Returns the first quarter of a day, or the next one that exists.
  private func beginning(ofDay day: Int) -> Int64 {
    let midnight = Int64(day) * Instant.secondsPerDay
    let guess = QuarterHours.number(of: Instant(secondsSince1970: midnight))
    var number = QuarterHours.number(of: Instant(secondsSince1970: midnight - Int64(offset(guess))))
    while self.day(number) >= day { number -= 1 }
    while self.day(number) < day { number += 1 }
    return number
  }

  private func hour(_ number: Int64) -> Int { place(number).second / 3_600 }
  private func offset(_ number: Int64) -> Int { clock.offsetSeconds(at: QuarterHours.beginning(number)) }
  private func place(_ number: Int64) -> (day: Int, second: Int) { clock.place(QuarterHours.beginning(number)) }
}
