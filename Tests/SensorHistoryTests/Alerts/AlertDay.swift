// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import SensorHistory

/// Simulated time with one sensor and one rule, which is evaluated in every minute, as a running program does.
struct AlertDay {
  /// The alerts in words, each with the minute of the day in which it came: `10 present 62`.
  private(set) var told: [String] = []

  private let rule: AlertRule
  private let begin: Instant
  private var minute = 0
  /// Minutes by which this computer's clock is wrong.
  private var error = 0
  private var facts: AlertFacts
  private var memory: AlertMemory?
  private var sensor = 1
  /// The sensor's age at the beginning of the day.
  private var startAge: Int

  init(_ rule: AlertRule, startAge: Int = 5_000, begin: String = "2026-03-02T12:00:00Z", clock: LocalClock = .utc) {
    self.rule = rule
    self.begin = Instant(rfc3339: begin) ?? Instant(secondsSince1970: 0)
    self.startAge = startAge
    facts = AlertFacts(now: self.begin)
    facts.clock = clock
    evaluate()
  }

  private var now: Instant { begin.adding(minutes: minute + error) }
  private var age: Int { startAge + minute }

  private mutating func evaluate() {
    facts.now = now
    let (alerts, memory) = rule.evaluation(of: facts, after: memory)
    self.memory = memory
    told += alerts.map { "\(minute) \(Self.words(of: $0))" }
  }

  private static func words(of alert: Alert) -> String {
    let words =
      switch alert.subject {
      case .present(let glucose, let rate):
        "present \(Int(glucose.milligramsPerDecilitre))" + (rate.map { " rate \(Int($0))" } ?? "")
      case .past(let glucose, let isOver):
        "past \(Int(glucose.milligramsPerDecilitre)) \(alert.minutesAgo ?? -1) ago\(isOver ? "" : ", open")"
      case .scanDue(let minutes): "scan within \(minutes)"
      case .noValue: "none for \(alert.minutesAgo ?? -1)"
      case .sensorEnds(let minutes): "ends in \(minutes)"
      case .sinkFails(let name, let reason, _): "\(name): \(reason)"
      case .battery(let reader, let percent): "\(reader) \(percent) %"
      }
    return alert.isRepeated ? "again \(words)" : words
  }

  /// Lets minutes pass, each with an evaluation.
  mutating func wait(_ minutes: Int) {
    for _ in 0..<minutes {
      minute += 1
      evaluate()
    }
  }

  /// Lets minutes pass in which no program runs.
  mutating func sleep(_ minutes: Int) { minute += minutes }

  /// Scans the sensor: its present value, nil if the newest minutes are flagged, and usable history by minutes ago.
  mutating func scan(
    _ glucose: Double?, rate: Double? = 0, history: [(ago: Int, glucose: Double)] = [], state: SensorState = .active,
    doubt: StartDoubt? = nil, reader: ReaderDescription? = nil, readAt: Instant? = nil
  ) {
    let identity = SensorIdentity(uid: nil, fingerprint: nil, serial: "SENSOR\(sensor)", family: .libre1)
    let wear = WearFacts(
      identity, activatedAt: begin.adding(minutes: -startAge), doubt: doubt, maxLifeMinutes: 20_700, lastState: state,
      lastAgeMinutes: age, lastReadAt: readAt ?? now, lastReader: reader)
    facts.worn = wear
    facts.lastHistoryMinute = max(0, (age - 3) / 15 * 15)
    if glucose != nil || !history.isEmpty {
      facts.measured = wear
      facts.history = history.sorted { $0.ago > $1.ago }.map {
        AlertFacts.Value(minute: age - $0.ago, milligrams: $0.glucose)
      }
      facts.current = glucose.map {
        CurrentGlucose(
          minute: SensorMinute(age - 1), concentration: GlucoseConcentration(milligramsPerDecilitre: $0),
          ratePerMinute: rate)
      }
    } else {
      facts.measured = facts.measured.map { $0.identity == identity ? wear : $0 }
      facts.current = nil
    }
    evaluate()
  }

  /// Puts on a new sensor, which is scanned later.
  mutating func changeSensor(age: Int) {
    sensor += 1
    startAge = age - minute
  }

  /// Moves the computer's clock.
  mutating func setClock(wrongBy minutes: Int) { error = minutes }

  mutating func snooze(_ minutes: Int) {
    let snooze = AlertMemory.Snooze(from: now, minutes: minutes)
    memory?.snooze = snooze
  }

  /// Evaluates the same facts once more, as a second program does.
  mutating func evaluateAgain() { evaluate() }

  mutating func report(_ sinks: [StoredSink]) {
    facts.sinks = sinks
    evaluate()
  }
}
