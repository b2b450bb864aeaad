// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Synchronization
import Testing

@testable import GlucoseReport

struct StatisticsByDayTests {
  private func sensor(_ time: Instant?, _ value: Double?, ring: SampleRing = .history, quality: SampleQuality = .ok)
    -> HistoryEntry
  {
    let raw = RawSample(
      ring: ring, minute: SensorMinute(45), glucose: 1_000, temperature: 6_000, temperatureAdjustment: 0,
      hasError: false, errorField: 0, isNeverWritten: false)
    return .sensor(
      StoredSample(
        sensor: SensorIdentity(uid: nil, fingerprint: nil, serial: nil, family: .libre1), wear: 1,
        sample: GlucoseSample(
          raw: raw, temperatureCelsius: 30,
          concentration: value.map { GlucoseConcentration(milligramsPerDecilitre: $0) }, quality: quality,
          time: time), calibration: nil, isSalvaged: false))
  }

  /// A value of 100 mg/dL every `minutes` from one moment to before another.
  private func filled(_ from: Instant, _ to: Instant, every minutes: Int = 15) -> QuarterHours {
    var values = QuarterHours()
    var time = from
    while time < to {
      values.add(.imported(time, 100))
      time = time.adding(minutes: minutes)
    }
    return values
  }

  // MARK: One value a quarter

  @Test("if a sensor of libre and a program both measured a quarter, the sensor's value counts, in either order")
  func ownFirst() throws {
    let time = try instant("2024-05-02T10:07:00Z")
    for entries in [
      [.imported(time, 200), sensor(time, 100)], [sensor(time, 100), .imported(time.adding(minutes: 5), 200)],
    ] {
      var values = QuarterHours()
      for entry in entries { values.add(entry) }
      #expect(values.points.map(\.value) == [100])
    }
  }

  @Test("values that arrive a few seconds early or late each have a quarter of their own")
  func jitter() throws {
    let day = try instant("2024-05-02T00:00:00Z")
    var values = QuarterHours()
    for quarter in 0..<96 {
      let seconds: Int64 = quarter.isMultiple(of: 2) ? 5 : -3
      values.add(.imported(Instant(secondsSince1970: day.secondsSince1970 + Int64(quarter) * 900 + seconds), 100))
    }
    let statistics = StatisticsByDay(values, from: day, to: day.adding(minutes: 1_440), clock: .utc)
    #expect(values.points.count == 96 && statistics.total.percentOfExpected == 100)
    // Values every five minutes are three to a quarter, of which the first counts.
    var often = QuarterHours()
    for minute in stride(from: 0, to: 120, by: 5) { often.add(.imported(day.adding(minutes: minute), Double(minute))) }
    #expect(often.points.map(\.value) == [0, 15, 30, 45, 60, 75, 90, 105])
  }

  @Test("trend, flagged samples, finger-sticks and samples without a time or value do not count")
  func leftOut() throws {
    let time = try instant("2024-05-02T10:00:00Z")
    var values = QuarterHours()
    values.add(sensor(time, 100, ring: .trend))
    values.add(.imported(time, 100, ring: .trend))
    values.add(sensor(time, 100, quality: .temperature))
    values.add(sensor(time, nil))
    values.add(sensor(nil, 100))
    values.add(.fingerStick(FingerStick(time: time, concentration: GlucoseConcentration(milligramsPerDecilitre: 100))))
    #expect(values.isEmpty)
    let statistics = StatisticsByDay(values, from: time, to: time.adding(minutes: 60), clock: .utc)
    #expect(statistics.days.isEmpty && statistics.total.expected == 4 && statistics.total.count == 0)
  }

  // MARK: Days

  @Test("a day with one value counts as a whole day")
  func loneValue() throws {
    var values = QuarterHours()
    values.add(.imported(try instant("2024-03-31T12:00:00Z"), 100))
    let (from, to) = (try instant("2024-03-30T23:00:00Z"), try instant("2024-04-01T21:59:59Z"))
    let statistics = StatisticsByDay(values, from: from, to: to, clock: WallClock.rome.localClock)
    #expect(statistics.days.map(\.part.expected) == [92])
    #expect(statistics.total.expected == 92 + 96)
    #expect(statistics.daysWithoutValues == 1)
  }

  @Test("values belong to their local day")
  func localDays() throws {
    var values = QuarterHours()
    for text in ["2024-05-01T18:14:00Z", "2024-05-01T18:16:00Z"] { values.add(.imported(try instant(text), 100)) }
    let kathmandu = StatisticsByDay(values, from: nil, to: nil, clock: LocalClock { _ in 20_700 })
    #expect(kathmandu.days.map { CivilTime(Instant(daysSince1970: $0.number)).day } == [1, 2])
    #expect(
      StatisticsByDay(values, from: nil, to: nil, clock: .utc).days.map {
        CivilTime(Instant(daysSince1970: $0.number)).day
      } == [1])
  }

  @Test("a quarter that the end of the period cuts in two is expected only if it has a value")
  func cutQuarters() throws {
    let (from, to) = (try instant("2024-05-02T06:05:00Z"), try instant("2024-05-02T06:50:00Z"))
    var values = QuarterHours()
    values.add(.imported(try instant("2024-05-02T06:20:00Z"), 100))
    let within = StatisticsByDay(values, from: from, to: to, clock: .utc)
    #expect(within.total.expected == 2)
    values.add(.imported(try instant("2024-05-02T06:07:00Z"), 100))
    let cut = StatisticsByDay(values, from: from, to: to, clock: .utc)
    #expect(cut.total.expected == 3 && cut.total.count == 2)
    #expect(cut.days.map(\.part.expected) == [3])
  }

  // MARK: Enough

  @Test("a report needs 14 days with 70 % of their values")
  func enough() throws {
    let from = try instant("2024-05-01T00:00:00Z")
    func statistics(days: Int, every minutes: Int) -> StatisticsByDay {
      let to = from.adding(minutes: days * 1_440)
      return StatisticsByDay(filled(from, to, every: minutes), from: from, to: to, clock: .utc)
    }
    #expect(statistics(days: 14, every: 15).isEnoughForReport)
    #expect(statistics(days: 13, every: 15).isEnoughForReport == false)
    let half = statistics(days: 14, every: 30)
    #expect(half.isEnoughForReport == false && half.total.percentOfExpected == 50)
    #expect(half.days.allSatisfy { !$0.part.isEnough })
  }

  @Test("values centuries apart take no longer to count than values of a day")
  func farApart() throws {
    var values = QuarterHours()
    for text in ["0001-01-02T00:00:00Z", "2024-05-02T10:00:00Z", "9998-01-01T00:00:00Z"] {
      values.add(.imported(try instant(text), 100))
    }
    let asked = Mutex(0)
    let clock = LocalClock { _ in
      asked.withLock { $0 += 1 }
      return 0
    }
    let statistics = StatisticsByDay(values, from: nil, to: nil, clock: clock)
    #expect(statistics.days.count == 3 && statistics.total.count == 3)
    #expect(asked.withLock { $0 } < 1_000)
  }
}
