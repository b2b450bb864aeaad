// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SensorHistory
import Testing

@testable import SampleStore

/// What has to be told, and what must not be, in situations of simulated days.
struct AlertSituationTests {
  struct Situation: Sendable, CustomTestStringConvertible {
    let name: String
    let rule: AlertRule
    var startAge = 5_000
    var begin = "2026-03-02T12:00:00Z"
    var clock = LocalClock.utc
    let told: [String]
    let steps: @Sendable (inout AlertDay) -> Void

    init(
      _ name: String, _ rule: AlertRule, startAge: Int = 5_000, begin: String = "2026-03-02T12:00:00Z",
      clock: LocalClock = .utc, told: [String] = [], _ steps: @escaping @Sendable (inout AlertDay) -> Void
    ) {
      (self.name, self.rule, self.startAge, self.begin, self.clock) = (name, rule, startAge, begin, clock)
      (self.told, self.steps) = (told, steps)
    }

    var testDescription: String { name }
  }

  @Test("alerts come once, in time, and only of what is so", arguments: values + clocks + scans + machines)
  func situation(_ situation: Situation) {
    var day = AlertDay(situation.rule, startAge: situation.startAge, begin: situation.begin, clock: situation.clock)
    situation.steps(&day)
    #expect(day.told == situation.told)
  }

  private static let low = AlertRule("low", .low, limit: 70)
  private static let high = AlertRule("high", .high, limit: 250)

  private static let values: [Situation] = [
    Situation("a present low value is told once", low, told: ["10 present 62 rate 0"]) { day in
      day.wait(10)
      day.scan(62)
      day.wait(60)
    },
    Situation("a value at the limit is not low", low) { $0.scan(70) },
    Situation("a value in range is not told", low) { day in
      day.scan(90)
      day.wait(30)
    },
    Situation("two programs that evaluate one scan tell once", low, told: ["0 present 62 rate 0"]) { day in
      day.scan(62)
      day.evaluateAgain()
    },
    Situation("the same scan again is told once", low, told: ["0 present 62 rate 0"]) { day in
      day.scan(62)
      day.scan(62)
    },
    Situation("a low that lasts is one episode", low, told: ["0 present 62 rate 0"]) { day in
      day.scan(62)
      day.wait(5)
      day.scan(58)
      day.wait(5)
      day.scan(66)
    },
    Situation("a value just above the limit does not end an episode", low, told: ["0 present 62 rate 0"]) { day in
      for glucose in [62.0, 72, 68, 74, 69] {
        day.scan(glucose)
        day.wait(5)
      }
    },
    Situation(
      "a new low after an end is told again", low, told: ["0 present 62 rate 0", "10 present 65 rate 0"]
    ) { day in
      for glucose in [62.0, 76, 65] {
        day.scan(glucose)
        day.wait(5)
      }
    },
    Situation(
      "a low that lasts is repeated as asked", AlertRule("low", .low, limit: 70, repeatMinutes: 15),
      told: ["0 present 62 rate 0", "15 again present 61 rate 0", "30 again present 59 rate 0"]
    ) { day in
      for glucose in [62.0, 61, 61, 60, 60, 59, 58] {
        day.scan(glucose)
        day.wait(5)
      }
    },
    Situation(
      "an old value is not repeated", AlertRule("low", .low, limit: 70, repeatMinutes: 15),
      told: ["0 present 62 rate 0", "15 again present 62 rate 0"]
    ) { day in
      day.scan(62)
      day.wait(120)
    },
    Situation("a past low is told once, as past", low, told: ["180 past 54 75 ago"]) { day in
      day.scan(100)
      day.wait(180)
      day.scan(110, history: [(90, 66), (75, 54), (60, 62), (45, 90)])
      day.scan(111, history: [(91, 66), (76, 54), (61, 62), (46, 90)])
    },
    Situation("two past lows are both told", low, told: ["240 past 60 150 ago", "240 past 55 45 ago"]) { day in
      day.scan(100)
      day.wait(240)
      day.scan(110, history: [(150, 60), (135, 99), (45, 55), (30, 95)])
    },
    Situation("a past low that still lasts is told as present", low, told: ["120 present 61 rate 0"]) { day in
      day.scan(100)
      day.wait(120)
      day.scan(61, history: [(30, 66), (15, 60)])
    },
    Situation("a low before the rule was set up is not told", low) { day in
      day.scan(110, history: [(90, 54), (60, 99)])
    },
    Situation("flagged newest minutes leave the last value as past", low, told: ["60 past 58 20 ago, open"]) { day in
      day.scan(100)
      day.wait(60)
      day.scan(nil, history: [(35, 80), (20, 58)])
    },
    Situation(
      "a present low after one that was open is told", low,
      told: ["60 past 58 20 ago, open", "65 present 57 rate 0"]
    ) { day in
      day.scan(100)
      day.wait(60)
      day.scan(nil, history: [(35, 80), (20, 58)])
      day.wait(5)
      day.scan(57)
    },
    Situation("a scan without any usable value tells nothing", low) { day in
      day.scan(100)
      day.wait(60)
      day.scan(nil)
    },
    Situation("a low of more than a day ago is not told", low, told: []) { day in
      day.scan(100)
      day.sleep(2_000)
      day.scan(110, history: [(1_600, 50), (1_500, 99)])
    },
    Situation("a high value is told above its limit", high, told: ["0 present 260 rate 0"]) { $0.scan(260) },
    Situation("a high value ends below its limit", high, told: ["0 present 260 rate 0", "10 present 255 rate 0"]) {
      for glucose in [260.0, 240, 255] {
        $0.scan(glucose)
        $0.wait(5)
      }
    },
    Situation("a fast fall is told once", AlertRule("falling", .falling, limit: 2), told: ["0 present 120 rate -3"]) {
      $0.scan(120, rate: -3)
      $0.wait(5)
      $0.scan(105, rate: -3)
    },
    Situation("a slow fall and a rise are not told as a fast fall", AlertRule("falling", .falling, limit: 2)) {
      $0.scan(120, rate: -1)
      $0.wait(5)
      $0.scan(130, rate: 4)
    },
    Situation("a fast rise is told", AlertRule("rising", .rising, limit: 2), told: ["0 present 120 rate 3"]) {
      $0.scan(120, rate: 3)
    },
    Situation("a value without a rate does not fall", AlertRule("falling", .falling, limit: 2)) {
      $0.scan(120, rate: nil)
    },
    Situation(
      "a past low of a new sensor is told, one from before the last scan of the old one is not", low,
      told: ["600 past 52 120 ago"]
    ) { day in
      day.wait(300)
      day.scan(100)
      day.changeSensor(age: 1_000)
      day.wait(300)
      day.scan(110, history: [(400, 50), (385, 90), (120, 52), (105, 90)])
    },
  ]

  private static let clocks: [Situation] = [
    Situation("a snoozed low is told as past afterwards", low, told: ["60 past 60 55 ago"]) { day in
      day.snooze(60)
      day.wait(5)
      day.scan(60, history: [])
      day.wait(25)
      day.scan(100, history: [(25, 60), (10, 90)])
      day.wait(60)
    },
    Situation(
      "a low that lasts is told when the silence ends", low, told: ["60 present 60 rate 0"]
    ) { day in
      day.snooze(60)
      day.wait(50)
      day.scan(60)
      day.wait(20)
    },
    Situation("a snooze goes over midnight", low, begin: "2026-03-02T23:30:00Z", told: ["60 present 60 rate 0"]) {
      $0.snooze(60)
      $0.wait(55)
      $0.scan(60)
      $0.wait(20)
    },
    Situation(
      "quiet hours are silent to the minute", AlertRule("low", .low, limit: 70, quiet: QuietHours("22:00-07:00")),
      begin: "2026-03-02T21:50:00Z", told: ["9 present 60 rate 0", "550 past 55 300 ago"]
    ) { day in
      day.wait(9)
      day.scan(60)
      day.wait(11)
      day.scan(99)
      day.wait(525)
      day.scan(99, history: [(400, 99), (295, 55), (280, 90)])
      day.wait(20)
    },
    Situation(
      "quiet hours follow summer time", AlertRule("low", .low, limit: 70, quiet: QuietHours("02:30-04:00")),
      begin: "2026-03-29T00:20:00Z",
      // Two o'clock becomes three: the quiet hours are over at 02:00 UTC.
      clock: LocalClock { $0 < Instant(secondsSince1970: 1_774_746_000) ? 3_600 : 7_200 },
      told: ["20 present 60 rate 0", "100 present 62 rate 0"]
    ) { day in
      day.wait(20)
      day.scan(60)
      day.wait(15)
      day.scan(99)
      day.wait(55)
      day.scan(62)
      day.wait(60)
    },
    Situation("a clock that was set ahead repeats nothing by itself", low, told: ["0 present 62 rate 0"]) { day in
      day.scan(62)
      day.setClock(wrongBy: 5_000_000)
      day.wait(30)
    },
    Situation(
      "a clock that was set back silences no new value", low, told: ["0 present 62 rate 0", "20 present 60 rate 0"]
    ) { day in
      day.scan(62)
      day.wait(5)
      day.scan(99)
      day.setClock(wrongBy: -3_000)
      day.wait(15)
      day.scan(60)
    },
    Situation("after a clock of 2040 a new value is told", low, told: ["10 present 60 rate 0"]) { day in
      day.setClock(wrongBy: 7_000_000)
      day.wait(5)
      day.setClock(wrongBy: 0)
      day.wait(5)
      day.scan(60)
    },
    Situation(
      "a clock that was set back repeats later, not for ever", AlertRule("low", .low, limit: 70, repeatMinutes: 15),
      told: ["0 present 62 rate 0", "16 again present 61 rate 0"]
    ) { day in
      day.scan(62)
      day.setClock(wrongBy: -600)
      day.wait(1)
      day.scan(62)
      day.wait(10)
      day.scan(61)
      day.wait(10)
    },
    Situation("a snooze ends though the clock was set back", low, told: ["40 present 60 rate 0"]) { day in
      day.snooze(60)
      day.setClock(wrongBy: -5_000)
      day.wait(40)
      day.scan(60)
    },
    Situation("a value of the future is not told", low) { day in
      day.scan(60, readAt: Instant(rfc3339: "2026-03-02T18:00:00Z"))
      day.wait(30)
    },
    Situation("a value dated by a file's modification time is not told", low) { day in
      day.scan(60, doubt: .modificationTime)
      day.wait(30)
    },
    Situation(
      "a value of a sensor with a disputed start is told: its age is certain", low, told: ["0 present 60 rate 0"]
    ) {
      $0.scan(60, doubt: .disputed)
    },
  ]

  private static let due = AlertRule("scan-due", .scanDue, limit: 15)
  private static let ends = AlertRule("sensor-ends", .sensorEnds, limit: 0)
  private static let none = AlertRule("no-value", .noValue, limit: 25)

  private static let scans: [Situation] = [
    // The history was read up to minute 4995: 5010 is lost at 5490.
    Situation("a scan is due a quarter of an hour before a loss, once", due, told: ["475 scan within 15"]) { day in
      day.scan(100)
      day.wait(700)
    },
    Situation("a scan in time is followed by the next one", due, told: ["475 scan within 15", "955 scan within 15"]) {
      $0.scan(100)
      $0.wait(480)
      $0.scan(100)
      $0.wait(480)
    },
    Situation("nothing is due while the sensor is scanned often", due) { day in
      for _ in 0..<10 {
        day.scan(100)
        day.wait(200)
      }
    },
    Situation("no scan is due after the loss", due) { day in
      day.scan(100)
      day.sleep(500)
      day.wait(60)
    },
    Situation("a program that starts late tells the minutes that are left", due, told: ["486 scan within 4"]) { day in
      day.scan(100)
      day.sleep(485)
      day.wait(30)
    },
    Situation("a sensor that has ended loses nothing", due, startAge: 21_000) { day in
      day.scan(100, state: .expired)
      day.wait(700)
    },
    Situation("a sensor that failed loses nothing", due) { day in
      day.scan(100, state: .failure)
      day.wait(700)
    },
    Situation("a clock that is set back and right again asks once", due, told: ["475 scan within 15"]) { day in
      day.scan(100)
      day.wait(478)
      day.setClock(wrongBy: -120)
      day.wait(2)
      day.setClock(wrongBy: 0)
      day.wait(20)
    },
    Situation("a clock that jumps over the loss asks for nothing", due) { day in
      day.scan(100)
      day.setClock(wrongBy: 5_000_000)
      day.wait(30)
    },
    Situation(
      "the end is announced a day and an hour before", ends, startAge: 19_000,
      told: ["260 ends in 1440", "1640 ends in 60"]
    ) { day in
      day.scan(100)
      day.wait(2_400)
    },
    Situation("only the hour is announced if the day has passed", ends, startAge: 20_660, told: ["0 ends in 40"]) {
      $0.scan(100)
      $0.wait(100)
    },
    Situation("an end is announced once though the clock is set back", ends, startAge: 20_660, told: ["0 ends in 40"]) {
      $0.scan(100)
      $0.wait(10)
      $0.setClock(wrongBy: -3)
      $0.wait(10)
      $0.scan(101)
    },
    Situation("a missing value is told once", none, told: ["24 none for 25"]) { day in
      day.scan(100)
      day.wait(200)
    },
    Situation(
      "a missing value is repeated as asked", AlertRule("no-value", .noValue, limit: 25, repeatMinutes: 60),
      told: ["24 none for 25", "84 again none for 85"]
    ) { day in
      day.scan(100)
      day.wait(100)
    },
    Situation("no value is missed from a sensor that has ended", none, startAge: 21_410) { day in
      day.scan(100, state: .expired)
      day.wait(60)
    },
    Situation("after ten years no value is missed", none) { day in
      day.scan(100)
      day.setClock(wrongBy: 5_000_000)
      day.wait(60)
    },
  ]

  private static func reader(_ percent: Int) -> ReaderDescription {
    ReaderDescription(address: "bridge:1", name: "Bubble", dialect: "bridge", batteryPercent: percent)
  }

  private static let machines: [Situation] = [
    Situation(
      "a low battery is told once, and again after it was charged", AlertRule("b", .bridgeBattery, limit: 20),
      told: ["5 Bubble 20 %", "20 Bubble 19 %"]
    ) { day in
      for percent in [21, 20, 24, 80, 19] {
        day.scan(100, reader: reader(percent))
        day.wait(5)
      }
    },
    Situation("a reader without a battery has none to charge", AlertRule("b", .bridgeBattery, limit: 20)) {
      $0.scan(100)
    },
    Situation(
      "a sink that a receiver stopped is told once", AlertRule("s", .sinkFails, limit: 60),
      told: ["0 night: wrong secret"]
    ) { day in
      let sink = StoredSink.example("night", stop: StoredSink.Stop(.receiver, "wrong secret"))
      day.report([sink])
      day.wait(60)
      day.report([sink])
    },
    Situation("a sink that the user stopped is not told", AlertRule("s", .sinkFails, limit: 60)) {
      $0.report([.example("night", stop: StoredSink.Stop(.user, "stopped by libre sink disable"))])
    },
    Situation(
      "a sink that fails is told after an hour, and again after a success",
      AlertRule("s", .sinkFails, limit: 60), told: ["60 night: no answer", "180 night: no answer"]
    ) { day in
      day.report([.example("night", error: "no answer")])
      day.wait(100)
      day.report([.example("night", error: nil, successAfter: 100)])
      day.wait(20)
      day.report([.example("night", error: "no answer", successAfter: 120)])
      day.wait(80)
    },
  ]
}

extension StoredSink {
  /// A sink with ten queued samples that was set up at the beginning of the day.
  fileprivate static func example(
    _ name: String, stop: Stop? = nil, error: String? = nil, successAfter minutes: Int? = nil
  ) -> StoredSink {
    let begin = Instant(rfc3339: "2026-03-02T12:00:00Z") ?? Instant(secondsSince1970: 0)
    return StoredSink(
      id: ID(row: 1), name: name, receiver: "file /tmp/x", enrolledAt: begin, sendsFrom: begin, stop: stop,
      failures: 0, retry: nil, lastSuccessAt: minutes.map(begin.adding(minutes:)), lastError: error, queued: 10,
      oldestQueuedAt: begin, parked: 0, memory: [:])
  }
}
