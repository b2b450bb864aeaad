// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import SampleStore
import SensorHistory
import Synchronization
import TextFormats

/// All metrics of the server. No series has a time of its own (GlucoseServer/LivePageAndMetrics, "Metrics").
struct GlucoseMetricFamilies {
  let snapshot: ServerSnapshot
  let now: Instant
  let requests: [(path: String, status: Int, count: Int)]

  var all: [MetricFamily] { glucose + sensor + sinks + server }

  private var glucose: [MetricFamily] {
    let newest = snapshot.newest(at: now)
    let present = newest.flatMap { LatestValue.isStale(now.minutes(since: $0.time)) ? nil : $0 }
    func series(_ value: Double?) -> [MetricFamily.Series] {
      guard let value, let newest else { return [] }
      return [.init(value: value, labels: ["sensor": newest.device])]
    }
    return [
      MetricFamily(
        "glucose_mg_per_dl", unit: "mg_per_dl",
        help: "Newest glucose value; absent once it is older than \(LatestValue.staleMinutes) minutes.",
        series(present?.concentration.milligramsPerDecilitre)),
      MetricFamily(
        "glucose_rate_mg_per_dl_per_minute", unit: "mg_per_dl_per_minute",
        help: "Change of glucose over the five minutes before the newest value; absent once that is old.",
        series(present?.delta.map { $0 / 5 })),
      MetricFamily(
        "glucose_reading_timestamp_seconds", unit: "seconds", help: "When the newest glucose value was measured.",
        series(newest.map { Double($0.time.secondsSince1970) })),
    ]
  }

  private var sensor: [MetricFamily] {
    // The newest one: those before it have ended.
    let sensor = snapshot.sensors.first
    func series(_ value: Double?) -> [MetricFamily.Series] {
      guard let value, let sensor else { return [] }
      return [.init(value: value, labels: ["sensor": sensor.serial])]
    }
    func time(_ instant: Instant?) -> [MetricFamily.Series] { series(instant.map { Double($0.secondsSince1970) }) }
    let state = sensor.map { $0.state(at: now).name }
    return [
      MetricFamily(
        "libre_sensor_age_seconds", unit: "seconds", help: "Time since the newest sensor was started.",
        series(sensor?.facts.activatedAt.map { Double(now.secondsSince1970 - $0.secondsSince1970) })),
      MetricFamily(
        "libre_sensor_expires_timestamp_seconds", unit: "seconds", help: "When the newest sensor ends.",
        time(sensor?.facts.expiresAt)),
      MetricFamily(
        "libre_sensor_last_read_timestamp_seconds", unit: "seconds", help: "When the newest sensor was last read.",
        time(sensor?.facts.lastReadAt)),
      MetricFamily(
        "libre_reader_battery_ratio", unit: "ratio",
        help: "Charge of the reader that read the newest sensor last, if it has a battery of its own.",
        sensor?.facts.lastReader.flatMap { reader in
          reader.batteryPercent.map { [.init(value: Double($0) / 100, labels: ["reader": reader.name])] }
        } ?? []),
      MetricFamily(
        "libre_sensor_state", help: "State of the newest sensor: 1 for the one that it is in, 0 for all others.",
        sensor.map { sensor in
          Self.states.map { name in
            .init(value: name == state ? 1 : 0, labels: ["sensor": sensor.serial, "state": name])
          }
        } ?? []),
    ]
  }

  private static let states = [
    SensorState.notActivated, .warmingUp, .active, .expired, .shutdown, .failure, .unknown(nil),
  ].map(\.name)

  private var sinks: [MetricFamily] {
    func series(_ value: (ServedSink) -> Int) -> [MetricFamily.Series] {
      snapshot.sinks.map { .init(value: Double(value($0)), labels: ["sink": $0.name]) }
    }
    return [
      MetricFamily("libre_sink_queued", help: "Samples in the outbox that wait for a sink.", series(\.queued)),
      MetricFamily("libre_sink_parked", help: "Samples that a sink's receiver has refused.", series(\.parked)),
    ]
  }

  private var server: [MetricFamily] {
    [
      MetricFamily(
        "libre_store_samples", help: "Samples in the store.", [.init(value: Double(snapshot.storedSamples))]),
      MetricFamily(
        "libre_http_requests", .counter, help: "Answered HTTP requests.",
        requests.map { .init(value: Double($0.count), labels: ["path": $0.path, "code": "\($0.status)"]) }),
      MetricFamily(
        "libre_build_info", help: "Always 1; the label is the version of the program.",
        [.init(value: 1, labels: ["version": Program.version])]),
    ]
  }
}

/// `/metrics`, for Prometheus: OpenMetrics or the classic text format, by the request's `Accept`.
struct MetricsEndpoint: Endpoint {
  func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer? {
    guard request.path == ["metrics"], request.pathExtension == nil else { return nil }
    let format = MetricsFormat(accept: request.headers["accept"])
    let families = GlucoseMetricFamilies(
      snapshot: context.snapshot, now: context.now, requests: context.requests?.all ?? [])
    return ServerAnswer(
      contentType: format.contentType, headers: [LivePageEndpoint.fresh, (name: "Vary", value: "Accept")],
      body: Array(format.text(of: families.all).utf8))
  }
}

struct MetricFamily {
  enum Kind: String { case gauge, counter }

  struct Series {
    let value: Double
    var labels: KeyValuePairs<String, String> = [:]
  }

  /// Name with its base unit; a counter's without `_total`.
  let name: String
  let kind: Kind
  /// The end of the name; nil for a number of things.
  let unit: String?
  let help: String
  let series: [Series]

  init(_ name: String, _ kind: Kind = .gauge, unit: String? = nil, help: String, _ series: [Series]) {
    self.name = name
    self.kind = kind
    self.unit = unit
    self.help = help
    self.series = series
  }
}

enum MetricsFormat {
  /// Prometheus' own, version 0.0.4.
  case classic
  /// OpenMetrics 1.0.0, which has units and ends with `# EOF`.
  case openMetrics

  init(accept: String?) {
    self = accept?.lowercased().contains("application/openmetrics-text") ?? false ? .openMetrics : .classic
  }

  var contentType: String {
    switch self {
    case .classic: "text/plain; version=0.0.4; charset=utf-8"
    case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
    }
  }

  /// A family without series is left out.
  func text(of families: [MetricFamily]) -> String {
    let body = families.filter { !$0.series.isEmpty }.map(text).joined()
    return self == .openMetrics ? "\(body)# EOF\n" : body
  }

  private func text(of family: MetricFamily) -> String {
    let sampleName = family.kind == .counter ? "\(family.name)_total" : family.name
    let name = self == .openMetrics ? family.name : sampleName
    var text = "# HELP \(name) \(Self.escaped(family.help, quotes: self == .openMetrics))\n"
    text += "# TYPE \(name) \(family.kind.rawValue)\n"
    if self == .openMetrics, let unit = family.unit { text += "# UNIT \(name) \(unit)\n" }
    for series in family.series {
      let labels = series.labels.map { "\($0)=\"\(SafeText.line(Self.escaped($1, quotes: true)))\"" }
        .joined(separator: ",")
      text += "\(sampleName)\(labels.isEmpty ? "" : "{\(labels)}") \(Self.number(series.value))\n"
    }
    return text
  }

  private static func number(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "NaN" : value > 0 ? "+Inf" : "-Inf" }
    return DecimalText.shortest(value, places: 4)
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    let lines = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    return quotes ? lines.replacing("\"", with: "\\\"") : lines
  }
}

/// Counts answered requests by path and status. The number of counters is bounded: paths are those that the server
/// knows, and a client cannot add one by asking.
final class RequestCounter: Sendable {
  private let counts = Mutex<[String: [Int: Int]]>([:])

  func count(_ request: ServerRequest, status: Int) {
    counts.withLock { $0[Self.label(of: request), default: [:]][status, default: 0] += 1 }
  }

  var all: [(path: String, status: Int, count: Int)] {
    counts.withLock { $0 }.flatMap { path, counts in counts.map { (path: path, status: $0, count: $1) } }
      .sorted { ($0.path, $0.status) < ($1.path, $1.status) }
  }

  /// The path without its extension, where it is known; else its beginning as far as that is.
  static func label(of request: ServerRequest) -> String {
    for length in stride(from: min(4, request.path.count), through: 0, by: -1) {
      let path = "/" + request.path.prefix(length).joined(separator: "/")
      if known.contains(path), length > 0 || request.path.isEmpty { return path }
    }
    return "other"
  }

  private static let known: Set<String> = [
    "/", "/live", "/events", "/report", "/latest", "/metrics", "/sgv", "/status", "/treatments", "/pebble",
    "/api/v1/entries", "/api/v1/entries/sgv", "/api/v1/entries/mbg", "/api/v1/entries/cal", "/api/v1/entries/current",
    "/api/v1/status", "/api/v1/treatments", "/api/v1/devicestatus", "/api/v1/profile", "/api/v1/profiles",
    "/api/v1/activity", "/api/v1/experiments/test", "/api/v1/verifyauth", "/api/v2/entries", "/api/v2/entries/sgv",
    "/api/v2/entries/current", "/api/v2/status", "/api/v2/properties", "/api/v2/treatments", "/api/v2/authorization",
    "/api/v3/version", "/api/v3/status", "/api/v3/lastModified", "/api/v3/entries", "/api/v3/treatments",
    "/api/v3/devicestatus", "/api/v3/profile", "/api/v3/food", "/api/v3/settings",
  ]
}
