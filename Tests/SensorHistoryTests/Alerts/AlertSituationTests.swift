// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SensorHistory
import Testing

@testable import SampleStore

/// What has to be told, and what must not be, in situations of simulated days.
struct AlertSituationTests {
  struct Situation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rule: AlertRule
    let startAge: Int
    let begin: String
    let clock: LocalClock
    let steps: [AlertDay.Step]
    let told: [String]

    init(
      _ name: String, _ rule: AlertRule, startAge: Int = 5_000, begin: String = "2026-03-02T12:00:00Z",
      clock: LocalClock = .utc, _ steps: [AlertDay.Step], told: [String] = []
    ) {
      (testDescription, self.rule, self.startAge, self.begin, self.clock) = (name, rule, startAge, begin, clock)
      (self.steps, self.told) = (steps, told)
    }
  }

  @Test("alerts come once, in time, and only of what is so", arguments: values + clocks + scans + machines)
  func situation(_ situation: Situation) {
    var day = AlertDay(situation.rule, startAge: situation.startAge, begin: situation.begin, clock: situation.clock)
    for step in situation.steps { day.take(step) }
    #expect(day.told == situation.told)
  }

  private static let low = AlertRule("low", .low, limit: 70)
  private static let repeated = AlertRule("low", .low, limit: 70, repeatMinutes: 15)
  private static let high = AlertRule("high", .high, limit: 250)
  private static let falling = AlertRule("falling", .falling, limit: 2)
  private static let rising = AlertRule("rising", .rising, limit: 2)
  /// The alert of a present value of 62 in the first minute.
  private static let once = ["0 present 62 rate 0"]

  private static let values: [Situation] = [
    Situation(
      "a present low value is told once", low, [.wait(10), .scan(62), .wait(60)], told: ["10 present 62 rate 0"]),
    Situation("a value at the limit is not low", low, [.scan(70)]),
    Situation("a value in range is not told", low, [.scan(90), .wait(30)]),
    Situation("two programs that evaluate one scan tell once", low, [.scan(62), .again], told: once),
    Situation("the same scan again is told once", low, [.scan(62), .scan(62)], told: once),
    Situation("a low that lasts is one episode", low, [.scans([62, 58, 66])], told: once),
    Situation("a value just above the limit does not end an episode", low, [.scans([62, 72, 68, 74, 69])], told: once),
    Situation(
      "a new low after an end is told again", low, [.scans([62, 76, 65])], told: once + ["10 present 65 rate 0"]),
    Situation(
      "a low that lasts is repeated as asked", repeated, [.scans([62, 61, 61, 60, 60, 59, 58])],
      told: once + ["15 again present 61 rate 0", "30 again present 59 rate 0"]),
    Situation(
      "an old value is not repeated", repeated, [.scan(62), .wait(120)], told: once + ["15 again present 62 rate 0"]),
    Situation(
      "a past low is told once, as past", low,
      [
        .scan(100), .wait(180), .scan(110, history: [(90, 66), (75, 54), (60, 62), (45, 90)]),
        .scan(111, history: [(91, 66), (76, 54), (61, 62), (46, 90)]),
      ], told: ["180 past 54 75 ago"]),
    Situation(
      "two past lows are both told", low,
      [.scan(100), .wait(240), .scan(110, history: [(150, 60), (135, 99), (45, 55), (30, 95)])],
      told: ["240 past 60 150 ago", "240 past 55 45 ago"]),
    Situation(
      "a past low that still lasts is told as present", low,
      [.scan(100), .wait(120), .scan(61, history: [(30, 66), (15, 60)])], told: ["120 present 61 rate 0"]),
    Situation("a low before the rule was set up is not told", low, [.scan(110, history: [(90, 54), (60, 99)])]),
    Situation(
      "flagged newest minutes leave the last value as past, and a present low after it is told", low,
      [.scan(100), .wait(60), .scan(nil, history: [(35, 80), (20, 58)]), .wait(5), .scan(57)],
      told: ["60 past 58 20 ago, open", "65 present 57 rate 0"]),
    Situation("a scan without any usable value tells nothing", low, [.scan(100), .wait(60), .scan(nil)]),
    Situation(
      "a low of more than a day ago is not told", low,
      [.scan(100), .unwatched(2_000), .scan(110, history: [(1_600, 50), (1_500, 99)])]),
    Situation("a high value is told above its limit", high, [.scan(260)], told: ["0 present 260 rate 0"]),
    Situation(
      "a high value ends below its limit", high, [.scans([260, 240, 255])],
      told: ["0 present 260 rate 0", "10 present 255 rate 0"]),
    Situation(
      "a fast fall is told once", falling, [.scan(120, rate: -3), .wait(5), .scan(105, rate: -3)],
      told: ["0 present 120 rate -3"]),
    Situation(
      "a slow fall and a rise are not told as a fast fall", falling,
      [.scan(120, rate: -1), .wait(5), .scan(130, rate: 4)]),
    Situation("a fast rise is told", rising, [.scan(120, rate: 3)], told: ["0 present 120 rate 3"]),
    Situation("a value without a rate does not fall", falling, [.scan(120, rate: nil)]),
    Situation(
      "a past low of a new sensor is told, one from before the last scan of the old one is not", low,
      [
        .wait(300), .scan(100), .changeSensor, .wait(300),
        .scan(110, history: [(400, 50), (385, 90), (120, 52), (105, 90)]),
      ], told: ["600 past 52 120 ago"]),
  ]

  private static let clocks: [Situation] = [
    Situation(
      "a snoozed low is told as past afterwards", low,
      [.snooze(60), .wait(5), .scan(60), .wait(25), .scan(100, history: [(25, 60), (10, 90)]), .wait(60)],
      told: ["60 past 60 55 ago"]),
    Situation(
      "a low that lasts is told when the silence ends", low, [.snooze(60), .wait(50), .scan(60), .wait(20)],
      told: ["60 present 60 rate 0"]),
    Situation(
      "a snooze goes over midnight", low, begin: "2026-03-02T23:30:00Z",
      [.snooze(60), .wait(55), .scan(60), .wait(20)], told: ["60 present 60 rate 0"]),
    Situation(
      "quiet hours are silent to the minute", AlertRule("low", .low, limit: 70, quiet: QuietHours("22:00-07:00")),
      begin: "2026-03-02T21:50:00Z",
      [
        .wait(9), .scan(60), .wait(11), .scan(99), .wait(525),
        .scan(99, history: [(400, 99), (295, 55), (280, 90)]), .wait(20),
      ], told: ["9 present 60 rate 0", "550 past 55 300 ago"]),
    Situation(
      "quiet hours follow summer time", AlertRule("low", .low, limit: 70, quiet: QuietHours("02:30-04:00")),
      begin: "2026-03-29T00:20:00Z",
      // Two o'clock becomes three: the quiet hours are over at 02:00 UTC.
      clock: LocalClock { $0 < Instant(secondsSince1970: 1_774_746_000) ? 3_600 : 7_200 },
      [.wait(20), .scan(60), .wait(15), .scan(99), .wait(55), .scan(62), .wait(60)],
      told: ["20 present 60 rate 0", "100 present 62 rate 0"]),
    Situation(
      "a clock that was set ahead repeats nothing by itself", low, [.scan(62), .clock(5_000_000), .wait(30)],
      told: once),
    Situation(
      "a clock that was set back silences no new value", low,
      [.scan(62), .wait(5), .scan(99), .clock(-3_000), .wait(15), .scan(60)], told: once + ["20 present 60 rate 0"]),
    Situation(
      "after a clock of 2040 a new value is told", low, [.clock(7_000_000), .wait(5), .clock(0), .wait(5), .scan(60)],
      told: ["10 present 60 rate 0"]),
    Situation(
      "a clock that was set back repeats later, not for ever", repeated,
      [.scan(62), .clock(-600), .wait(1), .scan(62), .wait(10), .scan(61), .wait(10)],
      told: once + ["16 again present 61 rate 0"]),
    Situation(
      "a snooze ends though the clock was set back", low, [.snooze(60), .clock(-5_000), .wait(40), .scan(60)],
      told: ["40 present 60 rate 0"]),
    Situation("a value of the future is not told", low, [.scan(60, readAt: "2026-03-02T18:00:00Z"), .wait(30)]),
    Situation(
      "a value dated by a file's modification time is not told", low, [.scan(60, doubt: .modificationTime), .wait(30)]),
    Situation(
      "a value of a sensor with a disputed start is told: its age is certain", low, [.scan(60, doubt: .disputed)],
      told: ["0 present 60 rate 0"]),
  ]

  private static let due = AlertRule("scan-due", .scanDue, limit: 15)
  private static let ends = AlertRule("sensor-ends", .sensorEnds, limit: 0)
  private static let none = AlertRule("no-value", .noValue, limit: 25)

  private static let scans: [Situation] = [
    // The history was read up to minute 4995: 5010 is lost at 5490.
    Situation(
      "a scan is due a quarter of an hour before a loss, once", due, [.scan(100), .wait(700)],
      told: ["475 scan within 15"]),
    Situation(
      "a scan in time is followed by the next one", due, [.scan(100), .wait(480), .scan(100), .wait(480)],
      told: ["475 scan within 15", "955 scan within 15"]),
    Situation(
      "nothing is due while the sensor is scanned often", due, (0..<10).flatMap { _ in [.scan(100), .wait(200)] }),
    Situation("no scan is due after the loss", due, [.scan(100), .unwatched(500), .wait(60)]),
    Situation(
      "a program that starts late tells the minutes that are left", due, [.scan(100), .unwatched(485), .wait(30)],
      told: ["486 scan within 4"]),
    Situation(
      "a sensor that has ended loses nothing", due, startAge: 21_000, [.scan(100, state: .expired), .wait(700)]),
    Situation("a sensor that failed loses nothing", due, [.scan(100, state: .failure), .wait(700)]),
    Situation(
      "a clock that is set back and right again asks once", due,
      [.scan(100), .wait(478), .clock(-120), .wait(2), .clock(0), .wait(20)], told: ["475 scan within 15"]),
    Situation("a clock that jumps over the loss asks for nothing", due, [.scan(100), .clock(5_000_000), .wait(30)]),
    Situation(
      "the end is announced a day and an hour before", ends, startAge: 19_000, [.scan(100), .wait(2_400)],
      told: ["260 ends in 1440", "1640 ends in 60"]),
    Situation(
      "only the hour is announced if the day has passed", ends, startAge: 20_660, [.scan(100), .wait(100)],
      told: ["0 ends in 40"]),
    Situation(
      "an end is announced once though the clock is set back", ends, startAge: 20_660,
      [.scan(100), .wait(10), .clock(-3), .wait(10), .scan(101)], told: ["0 ends in 40"]),
    Situation("a missing value is told once", none, [.scan(100), .wait(200)], told: ["24 none for 25"]),
    Situation(
      "a missing value is repeated as asked", AlertRule("no-value", .noValue, limit: 25, repeatMinutes: 60),
      [.scan(100), .wait(100)], told: ["24 none for 25", "84 again none for 85"]),
    Situation(
      "no value is missed from a sensor that has ended", none, startAge: 21_410,
      [.scan(100, state: .expired), .wait(60)]),
    Situation("after ten years no value is missed", none, [.scan(100), .clock(5_000_000), .wait(60)]),
  ]

  private static let battery = AlertRule("b", .bridgeBattery, limit: 20)
  private static let fails = AlertRule("s", .sinkFails, limit: 60)

  private static let machines: [Situation] = [
    Situation(
      "a low battery is told once, and again after it was charged", battery,
      [21, 20, 24, 80, 19].flatMap { [.scan(100, battery: $0), .wait(5)] }, told: ["5 Bubble 20 %", "20 Bubble 19 %"]),
    Situation("a reader without a battery has none to charge", battery, [.scan(100)]),
    Situation(
      "a sink that a receiver stopped is told once", fails,
      [.sink(stopped), .wait(60), .sink(stopped)], told: ["0 night: wrong secret"]),
    Situation(
      "a sink that the user stopped is not told", fails,
      [.sink(.example(stop: StoredSink.Stop(.user, "stopped by libre sink disable")))]),
    Situation(
      "a sink that fails is told after an hour, and again after a success", fails,
      [
        .sink(.example(error: "no answer")), .wait(100), .sink(.example(successAfter: 100)), .wait(20),
        .sink(.example(error: "no answer", successAfter: 120)), .wait(80),
      ], told: ["60 night: no answer", "180 night: no answer"]),
  ]

  private static let stopped = StoredSink.example(stop: StoredSink.Stop(.receiver, "wrong secret"))
}

extension StoredSink {
  /// A sink with ten queued samples that was set up at the beginning of the day.
  fileprivate static func example(
    stop: Stop? = nil, error: String? = nil, successAfter minutes: Int? = nil
  ) -> StoredSink {
    let begin = Instant(rfc3339: "2026-03-02T12:00:00Z") ?? Instant(secondsSince1970: 0)
    return StoredSink(
      id: ID(row: 1), name: "night", receiver: "file /tmp/x", enrolledAt: begin, sendsFrom: begin, stop: stop,
      failures: 0, retry: nil, lastSuccessAt: minutes.map(begin.adding(minutes:)), lastError: error, queued: 10,
      oldestQueuedAt: begin, parked: 0, memory: [:])
  }
}
