// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreKit
import SampleStore
import SensorHistory
import StoreTestSupport
import Testing

struct StoredAlertTests {
  private let history: StoredHistory

  init() throws { history = try StoredHistory() }

  private func facts(at now: Instant) throws -> AlertFacts {
    try history.shown.alertFacts(calibration: .factory, clock: .utc, now: now)
  }

  @Test("the value of an alert is the one that is shown as the latest")
  func sameValue() throws {
    let sensor = SimulatedSensor(seed: 7)
    try history.scan(sensor, atAge: 5_000)
    let now = sensor.activatedAt.adding(minutes: 5_002)
    let latest = try history.shown.latestValue(now: now)
    let rule = AlertRule("high", .high, limit: latest.concentration.milligramsPerDecilitre - 1)
    let (alerts, memory) = rule.evaluation(of: try facts(at: now), after: nil)
    #expect(alerts.map(\.subject) == [.present(latest.concentration, ratePerMinute: latest.ratePerMinute)])
    #expect(alerts.first?.minutesAgo == latest.ageMinutes && alerts.first?.sensor?.uid == sensor.uid)
    #expect(rule.evaluation(of: try facts(at: now.adding(minutes: 1)), after: memory).alerts.isEmpty)
  }

  @Test("what a rule remembers is the same after it was stored, and is forgotten alone")
  func stored() throws {
    var memory = AlertMemory(countsFrom: Instant(secondsSince1970: 1_700_000_000))
    try history.store.setAlertMemory(memory, of: "high")
    memory.seen = AlertMemory.Place(wear: "TEST/1", minute: 5_000)
    (memory.told, memory.toldAt) = (["TEST/1@4990", "b stopped"], Instant(secondsSince1970: 1_700_000_060))
    memory.snooze = AlertMemory.Snooze(from: Instant(secondsSince1970: 1_700_000_120), minutes: 30)
    memory.last = AlertMemory.Words(title: "Glucose is low", text: "62 mg/dL", urgency: 2)
    try history.store.setAlertMemory(memory, of: "low")
    #expect(try history.shown.alertMemories()["low"] == memory)
    try history.store.setAlertMemory(nil, of: "low")
    #expect(try history.shown.alertMemories().keys.sorted() == ["high"])
  }

  @Test("flagged and imported values, and those of an empty store, tell nothing")
  func nothing() throws {
    let rules = [
      AlertRule("low", .low, limit: 600), AlertRule("high", .high, limit: 1), AlertRule("fall", .falling, limit: 0.5),
    ]
    func told(at now: Instant) throws -> [Alert] {
      let facts = try facts(at: now)
      return rules.flatMap { $0.evaluation(of: facts, after: AlertMemory(countsFrom: now.adding(days: -2))).alerts }
    }
    #expect(try told(at: Instant(secondsSince1970: 1_700_000_000)).isEmpty)
    var sensor = SimulatedSensor(seed: 7)
    sensor.disturbedMinutes = [0...20_000]
    try history.scan(sensor, atAge: 5_000)
    let now = sensor.activatedAt.adding(minutes: 5_001)
    try history.add(40, at: now.adding(minutes: -3))
    #expect(try told(at: now).isEmpty)
  }

  @Test("in sixty days every scan is asked for in time that has to be, and none after a loss")
  func scansDue() throws {
    let begin = try #require(Instant(rfc3339: "2026-02-20T06:00:00Z"))
    let person = SimulatedPerson(seed: 3, offsetSeconds: 3_600)
    let scans = person.scans(from: begin, to: begin.adding(days: 60), perDay: 3)
    let rule = AlertRule("scan-due", .scanDue, limit: 15)
    var (memory, asked, expected): (AlertMemory?, [Instant], Int) = (nil, [], 0)
    for (scan, next) in zip(scans, scans.dropFirst()) {
      let (readAt, nextAt) = (try #require(scan.readAt), try #require(next.readAt))
      var options = DecodeOptions()
      (options.uid, options.patchInfo, options.readTime) = (scan.uid, scan.patchInfo, .at(readAt))
      let reading = try DumpDecoder(options: options).decode(scan.bytes)
      _ = try history.store.remember(reading, calibration: .factory, zone: nil)
      // The next value of the history is overwritten by the one 32 quarters of an hour after it.
      let newest = reading.history.map(\.minute.value).max() ?? 0
      let loss = readAt.adding(minutes: newest + 15 + 480 - reading.sensor.ageMinutes)
      let isMeasuring = [.active, .expired, .warmingUp].contains(reading.sensor.state)
      let isDue = isMeasuring && nextAt > loss.adding(minutes: -15)
      let shutdown = reading.sensor.maxLifeMinutes.map { $0 + 720 } ?? .max
      expected += isDue && newest + 15 + 480 <= shutdown ? 1 : 0
      var facts = try facts(at: readAt)
      while facts.now < nextAt {
        let alerts: [Alert]
        (alerts, memory) = rule.evaluation(of: facts, after: memory)
        for alert in alerts {
          #expect(alert.at < loss && alert.at >= loss.adding(minutes: -16), "\(alert.at) for \(loss)")
          asked.append(alert.at)
        }
        facts.now = facts.now.adding(minutes: 1)
      }
    }
    #expect(asked.count == expected && expected > 20, "\(asked.count) of \(expected)")
  }
}
