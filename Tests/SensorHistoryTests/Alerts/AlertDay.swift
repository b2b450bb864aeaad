// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import SensorHistory

/// Simulated time with one sensor and one rule, which is evaluated in every minute, as a running program does.
struct AlertDay {
  enum Step: Sendable {
    /// Minutes pass, each with an evaluation.
    case wait(Int)
    /// Minutes pass in which no program runs.
    case unwatched(Int)
    /// The sensor is scanned: present value, nil if the newest minutes are flagged, and usable history by minutes ago.
    case scan(
      Double?, rate: Double? = 0, history: [(ago: Int, glucose: Double)] = [], state: SensorState = .active,
      doubt: StartDoubt? = nil, battery: Int? = nil, readAt: String? = nil)
    /// Scans five minutes apart.
    case scans([Double])
    /// A new sensor is put on, which is scanned later.
    case changeSensor
    /// The computer's clock is set wrong by so many minutes.
    case clock(Int)
    case snooze(Int)
    /// The same facts are evaluated once more, as a second program does.
    case again
    case sink(StoredSink)
  }

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

  init(_ rule: AlertRule, startAge: Int, begin: String, clock: LocalClock) {
    (self.rule, self.startAge) = (rule, startAge)
    self.begin = Instant(rfc3339: begin) ?? Instant(secondsSince1970: 0)
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

  mutating func take(_ step: Step) {
    switch step {
    case .wait(let minutes):
      for _ in 0..<minutes {
        minute += 1
        evaluate()
      }
    case .unwatched(let minutes): minute += minutes
    case .scan(let glucose, let rate, let history, let state, let doubt, let battery, let readAt):
      scan(glucose, rate, history, state, doubt, battery, readAt.flatMap { Instant(rfc3339: $0) } ?? now)
      evaluate()
    case .scans(let values):
      for value in values { for step in [Step.scan(value), .wait(5)] { take(step) } }
    case .changeSensor: (sensor, startAge) = (sensor + 1, 1_000 - minute)
    case .clock(let minutes): error = minutes
    case .snooze(let minutes):
      let snooze = AlertMemory.Snooze(from: now, minutes: minutes)
      memory?.snooze = snooze
    case .again: evaluate()
    case .sink(let sink):
      facts.sinks = [sink]
      evaluate()
    }
  }

  private mutating func scan(
    _ glucose: Double?, _ rate: Double?, _ history: [(ago: Int, glucose: Double)], _ state: SensorState,
    _ doubt: StartDoubt?, _ battery: Int?, _ readAt: Instant
  ) {
    let reader = battery.map {
      ReaderDescription(address: "bridge:1", name: "Bubble", dialect: "bridge", batteryPercent: $0)
    }
    let identity = SensorIdentity(uid: nil, fingerprint: nil, serial: "SENSOR\(sensor)", family: .libre1)
    let wear = WearFacts(
      identity, activatedAt: begin.adding(minutes: -startAge), doubt: doubt, maxLifeMinutes: 20_700, lastState: state,
      lastAgeMinutes: age, lastReadAt: readAt, lastReader: reader)
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
  }
}
