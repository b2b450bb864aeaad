// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreKit
import SampleStore
import SensorHistory
import StoreTestSupport
import Testing

struct LatestValueTests {
  private let history: StoredHistory
  private let sensor = SimulatedSensor(seed: 7)
  /// The time of the sensor's minute 5000.
  private let scanned: Instant

  init() throws {
    history = try StoredHistory()
    scanned = SimulatedSensor(seed: 7).activatedAt.adding(minutes: 5_000)
  }

  private func latest(after minutes: Int = 0, ignoring: Set<String> = []) throws -> LatestValue {
    try history.shown.latestValue(now: scanned.adding(minutes: minutes), ignoring: ignoring)
  }

  @Test("the latest value is the scan's current value, with its rate and the change over 15 minutes")
  func sameAsScan() throws {
    let reading = try history.scan(sensor, atAge: 5_000)
    let current = try #require(reading.current)
    let latest = try latest(after: 2)
    #expect(latest.concentration == current.concentration && latest.direction == current.direction)
    #expect(latest.ratePerMinute == current.ratePerMinute && latest.ratePerMinute != nil)
    #expect(latest.entry.time == sensor.activatedAt.adding(minutes: current.minute.value))
    #expect(latest.ageMinutes == 5_002 - current.minute.value)
    let before = try #require(reading.trend.first { $0.minute.value == current.minute.value - 15 }?.concentration)
    let change = current.concentration.milligramsPerDecilitre - before.milligramsPerDecilitre
    #expect(abs(try #require(latest.change) - change) < 1e-9)
    #expect(latest.condition?.state == .active && latest.isStale == false)
  }

  @Test("a value is fresh up to 20 minutes and stale from 21; a stale value has no direction")
  func stale() throws {
    let minute = try #require(try history.scan(sensor, atAge: 5_000).current?.minute.value)
    let fresh = try latest(after: minute + 20 - 5_000)
    #expect(fresh.ageMinutes == 20 && !fresh.isStale && fresh.ratePerMinute != nil)
    let stale = try latest(after: minute + 21 - 5_000)
    #expect(stale.ageMinutes == 21 && stale.isStale && stale.direction == .notComputable)
    #expect(stale.concentration == fresh.concentration)
    // A clock that was set back by an hour.
    #expect(try latest(after: -60).isStale)
  }

  @Test("flagged minutes are skipped: up to five with a rate, more without")
  func flagged() throws {
    // The history value of minute 4995 is computed from two good minutes.
    for (flagged, age, hasRate) in [(3, 4, true), (5, 6, true), (6, 5, false), (20, 20, false)] {
      let history = try StoredHistory()
      var sensor = SimulatedSensor(seed: 7)
      // The newest trend minute is the one before the age.
      sensor.disturbedMinutes = [(5_000 - flagged)...5_002]
      try history.scan(sensor, atAge: 5_000)
      let latest = try history.shown.latestValue(now: scanned)
      #expect(latest.ageMinutes == age && (latest.ratePerMinute != nil) == hasRate, "\(flagged)")
    }
  }

  @Test("an import is used if the sensor's value is stale, unless its source is ignored or it is in the future")
  func imports() throws {
    try history.scan(sensor, atAge: 5_000)
    try history.add(150, at: scanned.adding(minutes: 5))
    try history.add(130, at: scanned.adding(minutes: -10))
    try history.add(250, at: scanned.adding(minutes: 200))
    #expect(try latest(after: 6).entry.stored != nil, "a sensor's own value goes first while it is fresh")
    let imported = try latest(after: 30)
    #expect(imported.concentration.milligramsPerDecilitre == 150)
    #expect(imported.change == 20 && imported.condition == nil && imported.direction == .notComputable)
    #expect(imported.ageMinutes == 25 && imported.isStale)
    #expect(try latest(after: 30, ignoring: ["libreview"]).entry.stored != nil)
  }

  @Test("a sensor without a time has a value of unknown age, which is stale")
  func undated() throws {
    let reading = try history.scan(sensor, atAge: 5_000, isDated: false)
    let latest = try latest()
    #expect(latest.concentration == reading.current?.concentration)
    #expect(latest.entry.time == nil && latest.ageMinutes == nil && latest.isStale)
    #expect(latest.condition?.state == nil && latest.condition?.lastState == .active)
  }

  @Test("the user's calibration changes only the value and the change")
  func userCalibration() throws {
    try history.scan(sensor, atAge: 5_000)
    let stored = try #require(try history.store.sensors().first)
    try history.store.setUserCalibration(
      UserCalibration(slope: 1.1, intercept: -5, points: [], madeAt: scanned), sensor: stored.id, wear: 1)
    let factory = try latest()
    let user = try history.shown.latestValue(now: scanned, calibration: .user)
    #expect(
      abs(user.concentration.milligramsPerDecilitre - (1.1 * factory.concentration.milligramsPerDecilitre - 5)) < 1e-9)
    #expect(abs(try #require(user.change) - 1.1 * (try #require(factory.change))) < 1e-9)
    #expect(user.entry.id == factory.entry.id)
  }

  @Test("a store without a usable value reports that")
  func nothing() throws {
    func code() throws -> String? { #expect(throws: LibreError.self) { try latest() }?.code }
    #expect(try code() == "no_value")
    try history.scan(sensor, atAge: 30)
    #expect(try code() == "no_value")
  }
}
