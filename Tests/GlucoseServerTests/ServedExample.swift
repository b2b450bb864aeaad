// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import TestSupport

@testable import GlucoseServer

/// A store as the server sees it, at 2026-01-01T11:06:10Z: a sensor that was read a minute ago, whose last quarter of an
/// hour is known by the minute and the three days before every 15 minutes; two finger-sticks, one in each unit.
struct ServedExample {
  static let now = Instant(rfc3339: "2026-01-01T11:06:10Z")!
  static let newest = Instant(rfc3339: "2026-01-01T11:05:00Z")!
  /// Milliseconds since 1970 of the newest value.
  static let newestMilliseconds = 1_767_265_500_000

  var glucose: [ServedGlucose] = Self.trend + Self.history
  var fingerSticks: [ServedFingerStick] = Self.sticks
  var sensors: [ServedSensor] = [Self.sensor]
  var unit = GlucoseUnit.milligramsPerDecilitre
  var now = Self.now
  /// Values before the snapshot, newest first.
  var older: [ServedGlucose] = []
  var isAuthorized = true
  var secret: ServerSecret?

  static let trend = (0..<16).map { minute in
    value(number: minute, at: newest.adding(minutes: -minute), 118.4 - 0.7 * Double(minute), isTrend: true)
  }
  static let history = (0..<288).map { step in
    value(
      number: 100 + step, at: Instant(rfc3339: "2026-01-01T10:45:00Z")!.adding(minutes: -15 * step),
      104 + Double(step % 40), delta: nil, direction: nil, isTrend: false)
  }
  static let sticks = [
    ServedFingerStick(
      id: "65a1f0c2d4b37e08c9a10f23", time: Instant(rfc3339: "2026-01-01T10:58:00Z")!,
      concentration: GlucoseConcentration(millimolesPerLitre: 6.2), unit: .millimolesPerLitre, source: "libre"),
    ServedFingerStick(
      id: "65a1f0c2d4b37e08c9a10f25", time: Instant(rfc3339: "2025-12-31T20:00:00Z")!,
      concentration: GlucoseConcentration(milligramsPerDecilitre: 104), unit: .milligramsPerDecilitre, source: "libre"),
  ]
  static let sensor = ServedSensor(
    id: "65a1f0c2d4b37e08c9a10f24", serial: "3MH00TEST01",
    facts: WearFacts(
      SensorIdentity(uid: nil, fingerprint: nil, serial: "3MH00TEST01", family: .libre1),
      activatedAt: Instant(rfc3339: "2025-12-24T08:00:00Z"), maxLifeMinutes: 14 * 1_440, lastState: .active,
      lastAgeMinutes: 11_706, lastReadAt: newest))

  static func value(
    number: Int = 1, at time: Instant, _ milligrams: Double, delta: Double? = 3.5,
    direction: TrendDirection? = .flat, isTrend: Bool = true
  ) -> ServedGlucose {
    ServedGlucose(
      id: String(repeating: "0", count: 24 - String(number).count) + String(number), time: time,
      concentration: GlucoseConcentration(milligramsPerDecilitre: milligrams), delta: delta, direction: direction,
      device: "3MH00TEST01", isTrend: isTrend)
  }

  /// With these values, at minutes before the newest moment, and nothing else.
  static func values(_ values: [(minutesAgo: Int, milligrams: Double)]) -> ServedExample {
    ServedExample(
      glucose: values.enumerated().map {
        value(number: $0 + 1, at: newest.adding(minutes: -$1.minutesAgo), $1.milligrams, delta: nil, direction: nil)
      }, fingerSticks: [], sensors: [])
  }

  /// The store has the values of the snapshot too.
  var context: ServerContext {
    let stored = glucose + older
    return ServerContext(
      snapshot: ServerSnapshot(
        revision: "1", glucose: glucose, completeFrom: older.isEmpty ? nil : glucose.last?.time,
        fingerSticks: fingerSticks, sensors: sensors, storedSamples: glucose.count + older.count),
      now: now, unit: unit,
      older: { from, to, limit in
        Array(stored.filter { from ?? $0.time <= $0.time && $0.time <= to ?? $0.time }.prefix(limit))
      }, isAuthorized: isAuthorized, secret: secret)
  }

  /// The answer of the endpoint that has one; 404 if none has.
  func answer(_ target: String, method: String = "GET", headers: [String: String] = [:]) throws -> ServerAnswer {
    let request = ServerRequest(method: method, target: target, headers: headers.map { (name: $0, value: $1) })
    let context = context
    for endpoint in Endpoints.all where isAuthorized || endpoint.isOpen {
      if let answer = try endpoint.answer(request, context) { return answer }
    }
    return ServerAnswer(status: 404, contentType: "text/plain", body: [])
  }

  func json(_ target: String, headers: [String: String] = [:]) throws -> JSONValue {
    try JSONValue(parsing: answer(target, headers: headers).body)
  }

  /// The `sgv` of each row.
  func values(_ target: String) throws -> [Int] {
    try json(target).elements.compactMap { $0["sgv"].number.map { Int($0) } }
  }

  /// The times of day of the rows, `11:05`.
  func times(_ target: String) throws -> [String] {
    try json(target).elements.compactMap { $0["dateString"].text.map { String($0.dropFirst(11).prefix(5)) } }
  }
}

extension ServerAnswer: Equatable {
  /// Compares of `updates`, which cannot be compared, only whether there are any.
  static func == (left: Self, right: Self) -> Bool {
    left.status == right.status && left.contentType == right.contentType && left.body == right.body
      && left.headers.elementsEqual(right.headers, by: ==) && (left.updates == nil) == (right.updates == nil)
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
