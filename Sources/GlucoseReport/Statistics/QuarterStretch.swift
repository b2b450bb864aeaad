// SPDX-License-Identifier: Apache-2.0
import CGMModel

struct QuarterStretch {
  let values: QuarterHours
  private let clock: LocalClock
  /// First and last whole quarter within the ends; nil without that end.
  private let first: Int64?
  private let last: Int64?

  /// `from` and `to` are included; nil means the first or last value. A quarter that an end cuts counts only with a
  /// value.
  init(_ values: QuarterHours, from: Instant?, to: Instant?, clock: LocalClock) {
    (self.values, self.clock) = (values, clock)
    first = from.map {
      QuarterHours.number(of: Instant(secondsSince1970: $0.secondsSince1970 + QuarterHours.seconds - 1))
    }
    last = to.map { QuarterHours.number(of: Instant(secondsSince1970: $0.secondsSince1970 + 1)) - 1 }
  }

  /// Every quarter that is expected or has a value; nil without any.
  var all: ClosedRange<Int64>? {
    let (oldest, newest) = (values.numbers.first.map(Int64.init), values.numbers.last.map(Int64.init))
    guard let low = [first ?? oldest, oldest].compactMap(\.self).min(),
      let high = [last ?? newest, newest].compactMap(\.self).max(), low <= high
    else { return nil }
    return low...high
  }

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
    var start = 0
    while start < values.numbers.count {
      let (days, key) = period(day(number(start)))
      var end = start + 1
      while end < values.numbers.count, days.contains(day(number(end))) { end += 1 }
      let low = max(beginning(ofDay: days.lowerBound), first ?? .min)
      let high = min(beginning(ofDay: days.upperBound + 1) - 1, last ?? .max)
      groups.append(group(key, values.points[start..<end], min(number(start), low), max(number(end - 1), high)))
      start = end
    }
    return groups
  }

  /// Wears and devices, each from its first to its last value, even if another sensor counts at that time.
  private var sources: [StatisticsGroup] {
    values.positionsBySource.map { source, positions, span in
      let points = positions.map { values.points[$0] }
      return group(.source(source), points[...], span.lowerBound, span.upperBound)
    }
  }

  private var hours: [StatisticsGroup] {
    var found = [[GlucosePoint]](repeating: [], count: 24)
    for (number, point) in zip(values.numbers, values.points) { found[hour(Int64(number))].append(point) }
    return expectedByHour.enumerated().filter { $0.element > 0 }.map { hour, expected in
      let points = found[hour][...]
      return StatisticsGroup(key: .hour(hour), from: nil, to: nil, part: part(points, expected), values: points)
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

  private func group(
    _ key: StatisticsGroup.Key, _ points: ArraySlice<GlucosePoint>, _ low: Int64, _ high: Int64
  ) -> StatisticsGroup {
    StatisticsGroup(
      key: key, from: QuarterHours.beginning(low),
      to: Instant(secondsSince1970: QuarterHours.beginning(high + 1).secondsSince1970 - 1),
      part: part(points, Int(high - low + 1)), values: points)
  }

  private func part(_ points: ArraySlice<GlucosePoint>, _ expected: Int) -> StatisticsByDay.Part {
    StatisticsByDay.Part(expected: expected, statistics: DailyStatistics(points.lazy.map(\.value)))
  }

  private func number(_ position: Int) -> Int64 { Int64(values.numbers[position]) }

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
