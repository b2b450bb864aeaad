// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import TestSupport
import Testing

@testable import GlucoseServer

@Suite("Metrics")
struct MetricsTests {
  private let store: ServedStore

  init() {
    let requests = RequestCounter()
    for _ in 1...7 { requests.count(ServerRequest(path: ["metrics"]), status: 200) }
    store = ServedStore(
      glucose: [ServedStore.value(118.25, minutesAgo: 2, delta: 3.5, direction: .flat)],
      sinks: [ServedSink(name: "my \"site\"\\\n", queued: 3, parked: 1, problem: nil)],
      requests: requests)
  }

  private func metrics(_ store: ServedStore, accept: String? = nil) throws -> ServerAnswer {
    let request = ServerRequest(path: ["metrics"], headers: accept.map { ["accept": $0] } ?? [:])
    return try #require(try MetricsEndpoint().answer(request, store.context))
  }

  @Test("are in the OpenMetrics format if Prometheus asks for it, and otherwise in the classic text format")
  func formats() throws {
    let prometheus =
      "application/openmetrics-text;version=1.0.0;q=0.8,application/openmetrics-text;version=0.0.1;q=0.75,"
      + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"
    let open = try metrics(store, accept: prometheus)
    #expect(open.contentType == "application/openmetrics-text; version=1.0.0; charset=utf-8")
    #expect(open.text.hasSuffix("\n# EOF\n"))
    #expect(open.text.contains("# UNIT glucose_reading_timestamp_seconds seconds\n"))
    #expect(open.text.contains("# TYPE libre_http_requests counter\nlibre_http_requests_total{"))
    for accept in [nil, "*/*", "text/plain"] {
      let classic = try metrics(store, accept: accept)
      #expect(classic.contentType == "text/plain; version=0.0.4; charset=utf-8")
      #expect(!classic.text.contains("# EOF") && !classic.text.contains("# UNIT"))
      #expect(classic.text.contains("# TYPE libre_http_requests_total counter\nlibre_http_requests_total{"))
    }
  }

  @Test("have the newest value, its time and the sensor, with their labels")
  func series() throws {
    let lines = Set(try metrics(store).text.split(separator: "\n").map(String.init))
    for line in [
      #"glucose_mg_per_dl{sensor="0M00009DHCR"} 118.25"#,
      #"glucose_rate_mg_per_dl_per_minute{sensor="0M00009DHCR"} 0.7"#,
      #"glucose_reading_timestamp_seconds{sensor="0M00009DHCR"} 1767268680"#,
      #"libre_sensor_age_seconds{sensor="0M00009DHCR"} 345600"#,
      #"libre_sensor_expires_timestamp_seconds{sensor="0M00009DHCR"} 1768138200"#,
      #"libre_reader_battery_ratio{reader="Bubble"} 0.15"#,
      #"libre_sensor_state{sensor="0M00009DHCR",state="active"} 1"#,
      #"libre_sensor_state{sensor="0M00009DHCR",state="failure"} 0"#,
      #"libre_sink_queued{sink="my \"site\"\\\n"} 3"#, "libre_store_samples 1",
      #"libre_http_requests_total{path="/metrics",code="200"} 7"#,
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  @Test(
    "omit an old value and its rate, but keep its time; an empty store has no glucose, and nothing that is not a number"
  )
  func old() throws {
    var store = store
    store.now = ServedStore.now.adding(minutes: 19)
    let text = try metrics(store).text
    #expect(!text.contains("glucose_mg_per_dl") && !text.contains("glucose_rate"))
    #expect(text.contains("glucose_reading_timestamp_seconds{"))
    let empty = try metrics(ServedStore(sensors: [])).text
    #expect(!empty.contains("glucose") && !empty.contains("libre_sensor") && !empty.contains("NaN"))
    #expect(empty.contains("libre_store_samples 0\n"))
  }

  @Test("count requests by paths that the server knows, for every requested path")
  func counter() {
    let counter = RequestCounter()
    for path in [["metrics"], ["metrics"], [], ["a"], ["b"], ["api", "v1", "entries", "sgv", "x"], ["api"]] {
      counter.count(ServerRequest(path: path), status: 200)
    }
    counter.count(ServerRequest(path: ["api", "v1", "entries"], pathExtension: "json"), status: 304)
    #expect(
      counter.all.map { "\($0.path) \($0.status) \($0.count)" } == [
        "/ 200 1", "/api/v1/entries 304 1", "/api/v1/entries/sgv 200 1", "/metrics 200 2", "other 200 3",
      ])
  }

  private static let monitoring = Repository.root.appendingPathComponent("tools/packaging/monitoring")

  @Test("have every series that the dashboard and the alert rules use", arguments: ["grafana.json", "alerts.yml"])
  func namedSeries(file: String) throws {
    let text = String(
      decoding: try Repository.bytes(at: Self.monitoring.appendingPathComponent(file)), as: UTF8.self)
    let metric = /\b(?:glucose|libre)_[a-z_]+/
    let named = Set(text.matches(of: metric).map { String(text[$0.range]) })
    let served = Set(
      try metrics(store).text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
        String($0.prefix { $0 != "{" && $0 != " " })
      })
    #expect(named.count >= 7)
    #expect(named.isSubset(of: served), "\(named.subtracting(served))")
  }

  private static let program = ["/usr/bin/promtool", "/usr/local/bin/promtool"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(
    "and the alert rules with their tests pass Prometheus' own tool", .startsProcesses,
    .enabled("promtool is not installed: apt-get install prometheus") { MetricsTests.program != nil })
  func soundForPrometheus() throws {
    let promtool = try #require(Self.program)
    let sandbox = try Sandbox()
    try sandbox.write(try metrics(store).body, to: "metrics.txt")
    let check = try sandbox.shell("\(promtool) check metrics < metrics.txt")
    #expect(check.status == 0, "\(check.errors)")
    for file in ["alerts.yml", "alerts-test.yml"] {
      try sandbox.write(try Repository.bytes(at: Self.monitoring.appendingPathComponent(file)), to: file)
    }
    let rules = try sandbox.shell("\(promtool) check rules alerts.yml && \(promtool) test rules alerts-test.yml")
    #expect(rules.status == 0, "\(String(decoding: rules.output, as: UTF8.self)) \(rules.errors)")
  }

  @Test(
    "in OpenMetrics format are accepted by the strict parser of Prometheus' client library", .startsProcesses,
    .enabled(if: ForeignPython.has("prometheus_client"), "\(ForeignPython.absence)"))
  func openMetrics() throws {
    let answer = try metrics(store, accept: "application/openmetrics-text")
    let read = try ForeignPython.run(
      "openmetrics.py", of: "GlucoseServerTests", input: answer.body, by: .packages)
    try #require(read.status == 0, "\(read.errors)")
    let families = try read.json().elements
    #expect(families.count == 13)
    #expect(families[0]["name"].text == "glucose_mg_per_dl" && families[0]["unit"].text == "mg_per_dl")
    #expect(families.contains { $0["name"].text == "libre_http_requests" && $0["type"].text == "counter" })
  }
}
