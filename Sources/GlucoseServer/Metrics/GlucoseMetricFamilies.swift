// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit

/// All metrics of the server.
///
/// No series has a time of its own, which would switch off the staleness rules of Prometheus. The time of the newest
/// value is a metric instead, and the value itself is left out once it is old, so that an alert on its absence works
/// and no old value is drawn as a new one. No label identifies a person.
struct GlucoseMetricFamilies {
  let snapshot: ServerSnapshot
  let now: Instant
  let requests: [RequestCount]

  var all: [MetricFamily] { glucose + sensor + sinks + server }

  private var glucose: [MetricFamily] {
    let newest = snapshot.newest(at: now)
    let present = newest.flatMap { LatestValue.isStale(now.minutes(since: $0.time)) ? nil : $0 }
    func series(_ value: Double?, of glucose: ServedGlucose?) -> [MetricFamily.Series] {
      guard let value, let glucose else { return [] }
      return [.init(value, [(name: "sensor", value: glucose.device)])]
    }
    return [
      MetricFamily(
        "glucose_mg_per_dl", unit: "mg_per_dl",
        help: "Newest glucose value; absent once it is older than \(LatestValue.staleMinutes) minutes.",
        series(present?.concentration.milligramsPerDecilitre, of: present)),
      MetricFamily(
        "glucose_rate_mg_per_dl_per_minute", unit: "mg_per_dl_per_minute",
        help: "Change of glucose over the five minutes before the newest value; absent once that is old.",
        series(present?.delta.map { $0 / 5 }, of: present)),
      MetricFamily(
        "glucose_reading_timestamp_seconds", unit: "seconds", help: "When the newest glucose value was measured.",
        series(newest.map { Double($0.time.secondsSince1970) }, of: newest)),
    ]
  }

  private var sensor: [MetricFamily] {
    // The newest one: those before it have ended.
    let sensor = snapshot.sensors.first
    func series(_ value: Double?) -> [MetricFamily.Series] {
      guard let value, let sensor else { return [] }
      return [.init(value, [(name: "sensor", value: sensor.serial)])]
    }
    func time(_ instant: Instant?) -> [MetricFamily.Series] { series(instant.map { Double($0.secondsSince1970) }) }
    let state = sensor.map { $0.state(at: now).name }
    return [
      MetricFamily(
        "libre_sensor_age_seconds", unit: "seconds", help: "Time since the newest sensor was started.",
        series(sensor?.activatedAt.map { Double(now.secondsSince1970 - $0.secondsSince1970) })),
      MetricFamily(
        "libre_sensor_expires_timestamp_seconds", unit: "seconds", help: "When the newest sensor ends.",
        time(sensor?.endsAt)),
      MetricFamily(
        "libre_sensor_last_read_timestamp_seconds", unit: "seconds", help: "When the newest sensor was last read.",
        time(sensor?.lastReadAt)),
      MetricFamily(
        "libre_sensor_state", help: "State of the newest sensor: 1 for the one that it is in, 0 for all others.",
        sensor.map { sensor in
          Self.states.map { name in
            .init(name == state ? 1 : 0, [(name: "sensor", value: sensor.serial), (name: "state", value: name)])
          }
        } ?? []),
    ]
  }

  private static let states = [
    SensorState.notActivated, .warmingUp, .active, .expired, .shutdown, .failure, .unknown(nil),
  ].map(\.name)

  private var sinks: [MetricFamily] {
    func series(_ value: (ServedSink) -> Int) -> [MetricFamily.Series] {
      snapshot.sinks.map { .init(Double(value($0)), [(name: "sink", value: $0.name)]) }
    }
    return [
      MetricFamily("libre_sink_queued", help: "Samples in the outbox that wait for a sink.", series(\.queued)),
      MetricFamily("libre_sink_parked", help: "Samples that a sink's receiver has refused.", series(\.parked)),
    ]
  }

  private var server: [MetricFamily] {
    [
      MetricFamily("libre_store_samples", help: "Samples in the store.", [.init(Double(snapshot.storedSamples))]),
      MetricFamily(
        "libre_http_requests", .counter, help: "Answered HTTP requests.",
        requests.map {
          .init(Double($0.count), [(name: "path", value: $0.path), (name: "code", value: "\($0.status)")])
        }),
      MetricFamily(
        "libre_build_info", help: "Always 1; the label is the version of the program.",
        [.init(1, [(name: "version", value: Program.version)])]),
    ]
  }
}
