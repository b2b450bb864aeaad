// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreDocuments
import LibreKit
import SampleStore
import SensorHistory
import StoreTestSupport
import TestSupport
import Testing
import TextFormats

struct SensorsOutputTests {
  private let history: StoredHistory
  private let sensor = SimulatedSensor(seed: 7)

  init() throws { history = try StoredHistory() }

  private func document(nowAtAge age: Int) throws -> JSONValue {
    let sensors = try history.shown.sensors()
    return try JSONValue { SensorsJSON.write(sensors, now: sensor.activatedAt.adding(minutes: age), to: &$0) }
  }

  private func shown(nowAtAge age: Int) throws -> String {
    let store = try history.shown
    let stored = try store.chosenWear(of: nil, wear: nil).sensor
    return SensorsTable(style: Style(isColored: false), now: sensor.activatedAt.adding(minutes: age))
      .text(of: stored, calibration: try store.newestCalibration(of: stored))
  }

  @Test("a sensor's document has its identity, its start, the number of its scans, and its current state")
  func members() throws {
    try history.scan(sensor, atAge: 5_000, second: 50)
    try history.scan(sensor, atAge: 5_060, second: 10)
    let all = try document(nowAtAge: 30_000)
    #expect(all["sensors"].elements.count == 1)
    let stored = all["sensors"][0]
    #expect(stored["uid"] == .string(sensor.uid.description))
    #expect(stored["max_life_minutes"] == .number(Double(sensor.maxLifeMinutes)))
    let wear = stored["wears"][0]
    let start = sensor.activatedAt.secondsSince1970
    #expect(wear["activated_at"] == .string(Instant(secondsSince1970: start + 50).rfc3339))
    // (scan − age − 1 min, scan − age] of both: after 10 s less a minute and 50 s less a minute, until 10 s.
    #expect(wear["activated_after"] == .string(Instant(secondsSince1970: start - 10).rfc3339))
    #expect(wear["activated_until"] == .string(Instant(secondsSince1970: start + 10).rfc3339))
    #expect(wear["anchored_by"] == .string("scan") && wear["is_fixed"] == .bool(false))
    #expect(wear["scans"] == .number(2) && wear["history_samples"] == .number(36))
    #expect(wear["last_state"] == .string("active") && wear["state_now"] == .string("shutdown"))
    #expect(wear["last_age_minutes"] == .number(5_060))
    #expect(wear["clock_disagreement_seconds"] == .number(-40))
    #expect(wear["clock_drift_seconds_per_day"] == .null)
    #expect(wear["conflicts"] == .array([]) && wear["user_calibration"] == .null)
    #expect(try document(nowAtAge: 5_061)["sensors"][0]["wears"][0]["state_now"] == .string("active"))
  }

  @Test("the drift of the clock is reported from three scans over a day on, by least squares")
  func drift() throws {
    for (day, ahead) in [(0, 0), (1, 30), (2, 60)] {
      try history.scan(sensor, atAge: 1_000 + 1_440 * day, clockAhead: Int64(ahead))
      let drift = try document(nowAtAge: 5_000)["sensors"][0]["wears"][0]["clock_drift_seconds_per_day"]
      guard day == 2 else {
        #expect(drift == .null)
        continue
      }
      // 30 s more each day of 86 430 s by that clock.
      #expect(abs(try #require(drift.number) - 30 * 86_400 / 86_430) < 0.01)
    }
    #expect(try shown(nowAtAge: 5_000).contains("drifting by +30.0 s per day"))
  }

  @Test("the list has a line for each sensor, and shows a sensor past its end as ended")
  func list() throws {
    let other = SimulatedSensor(seed: 8)
    try history.scan(sensor, atAge: 5_000)
    try history.scan(other, atAge: 20)
    try history.scan(SimulatedSensor(seed: 9), atAge: 100, isDated: false)
    let later = max(sensor.activatedAt, other.activatedAt).adding(minutes: 40_000)
    let sensors = try history.shown.sensors()
    let lines = SensorsTable(style: Style(isColored: false), now: later).list(sensors).split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.filter { $0.hasSuffix(" ended") }.count == 2)
    #expect(lines.last?.hasSuffix(" unknown") == true)
  }

  @Test("one sensor's text has the narrowed start with its origin, the clock and the calibration")
  func text() throws {
    try history.scan(sensor, atAge: 5_000, second: 50)
    try history.scan(sensor, atAge: 5_060, second: 10)
    let text = try shown(nowAtAge: 5_100)
    #expect(text.hasPrefix("FreeStyle Libre "))
    for part in [
      ": active\n", "UID ", sensor.uid.description, ", from the scan at ", ", within 20 s\n",
      "36 of the history, ", "from 2 scans\n", "agrees within a minute", "factory, version 1: i1 0",
    ] { #expect(text.contains(part), "\(part) in \(text)") }
    #expect(!text.contains("Conflicts") && !text.contains("drifting"))
  }

  @Test("a wrong clock is reported, with its direction")
  func wrongClock() throws {
    try history.scan(sensor, atAge: 5_000)
    try history.scan(sensor, atAge: 5_060, clockAhead: 600)
    let text = try shown(nowAtAge: 5_100)
    #expect(text.contains("at the latest scan 10 min ahead of the start time"))
    #expect(text.contains(", within 60 s, by 1 of 2 scans"))
  }

  @Test("samples whose counts changed in a later scan are listed with both counts")
  func conflicts() throws {
    let first = try history.scan(sensor, atAge: 5_000)
    let kept = try #require(first.history.first)
    // The same minute with one count more, as another program might have it.
    let raw = RawSample(
      ring: .history, minute: kept.minute, glucose: kept.raw.glucose + 1, temperature: kept.raw.temperature,
      temperatureAdjustment: kept.raw.temperatureAdjustment, hasError: false, errorField: kept.raw.errorField,
      isNeverWritten: false)
    let sample = GlucoseSample(
      raw: raw, temperatureCelsius: nil, concentration: kept.concentration, quality: .ok, time: kept.time)
    let identity = try #require(try history.store.sensors().first).identity
    let entry = HistoryEntry.sensor(
      StoredSample(sensor: identity, wear: 1, sample: sample, calibration: nil, isSalvaged: false))
    #expect(try history.store.add(entry) == .conflict)
    let conflict = try document(nowAtAge: 5_001)["sensors"][0]["wears"][0]["conflicts"][0]
    let glucose = Double(kept.raw.glucose)
    #expect(conflict["minute"] == .number(Double(kept.minute.value)))
    #expect(conflict["kept"]["glucose"] == .number(glucose) && conflict["other"]["glucose"] == .number(glucose + 1))
    let text = try shown(nowAtAge: 5_001)
    #expect(text.contains("history  minute \(kept.minute)  kept \(kept.raw.glucose)/"))
    #expect(text.contains("other \(kept.raw.glucose + 1)/"))
  }
}
