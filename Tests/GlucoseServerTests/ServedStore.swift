// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import GlucoseReport

@testable import GlucoseServer

/// A store as the server sees it, with values of an invented sensor.
struct ServedStore {
  static let now = Instant(rfc3339: "2026-01-01T12:00:00Z") ?? Instant(secondsSince1970: 0)
  static let sensor = ServedSensor(
    id: "65a1f0c2d4b37e08c9a10f00", serial: "0M00009DHCR",
    facts: WearFacts(
      identity, activatedAt: now.adding(days: -4), maxLifeMinutes: 14 * 1_440 + 90, lastState: .active,
      lastAgeMinutes: 4 * 1_440, lastReadAt: now, lastReader: bridge))
  static let identity = SensorIdentity(uid: nil, fingerprint: nil, serial: "0M00009DHCR", family: .libre1)
  private static let bridge = ReaderDescription(
    address: "bridge", name: "Bubble", dialect: "bubble", batteryPercent: 15)

  var glucose: [ServedGlucose] = []
  var sensors = [Self.sensor]
  var sinks: [ServedSink] = []
  var alerts: [ServedAlert] = []
  var unit = GlucoseUnit.milligramsPerDecilitre
  var revision = "1"
  var now = Self.now
  var store: StoreReads?
  var requests: RequestCounter?

  /// A value so many minutes before ``now``.
  static func value(
    _ milligramsPerDecilitre: Double, minutesAgo: Int, delta: Double? = nil, direction: TrendDirection? = nil,
    device: String = sensor.serial, isTrend: Bool = true
  ) -> ServedGlucose {
    let time = now.adding(minutes: -minutesAgo)
    return ServedGlucose(
      id: String(repeating: "0", count: 14) + String(time.secondsSince1970, radix: 10).suffix(10), time: time,
      concentration: GlucoseConcentration(milligramsPerDecilitre: milligramsPerDecilitre), delta: delta,
      direction: direction, device: device, isTrend: isTrend)
  }

  var snapshot: ServerSnapshot {
    ServerSnapshot(
      revision: revision, glucose: glucose, sensors: sensors, sinks: sinks, storedSamples: glucose.count,
      alerts: alerts)
  }

  var context: ServerContext {
    ServerContext(snapshot: snapshot, now: now, unit: unit, store: store, requests: requests)
  }

  func view(hours: Int = 6, clock: LocalClock = .utc) -> LiveView {
    LiveView(
      snapshot: snapshot, glucose: glucose, now: now, unit: unit, hours: hours, clock: WallClock(clock))
  }
}
