// SPDX-License-Identifier: Apache-2.0
import Foundation
import Libre1Core
import TestSupport
import Testing

/// The documents of `libre serve` for people and for monitoring, requested with curl.
@Suite(
  "The documents of a running server", .onOwnThreads, .startsProcesses,
  .enabled("curl is not installed: apt-get install curl") { Installed.has("/usr/bin/curl") })
struct ServedDocumentsTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    let readAt = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: -60))
    let dump = try sandbox.write(SimulatedSensor(seed: 1).image(atAge: 2_400).hexDump, to: "dump.hex")
    try #require(try sandbox.run("import", dump, "--read-at", readAt, "--store", "store.sqlite").status == 0)
  }

  private func whileServing(_ body: (_ address: String) throws -> Void) throws {
    let server = try sandbox.start(["serve", "--listen", "127.0.0.1:0", "--store", "store.sqlite"])
    defer {
      server.send(SIGTERM)
      _ = try? server.outcome()
    }
    var address = ""
    try eventually("the server listens") {
      let greeting = try server.lines().first { $0.hasPrefix("Listening on ") }
      address = greeting.map { String($0.dropFirst(13).prefix { $0 != " " }.dropLast()) } ?? ""
      return greeting != nil
    }
    try body("http://\(address)")
  }

  private func curl(_ arguments: String) throws -> String {
    let outcome = try sandbox.shell("curl -sS \(arguments)")
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.text
  }

  @Test("the last reading, the report, the metrics and the page are made from the store")
  func documents() throws {
    try whileServing { address in
      let latest = try JSONValue(parsing: curl("\(address)/latest.json").utf8)
      let printed = try sandbox.run("latest", "--json", "--store", "store.sqlite").json()
      #expect(latest["glucose_mg_dl"] == printed["glucose_mg_dl"] && latest["schema"].text == "libre.latest/1")
      #expect(try curl("\(address)/report").contains("<h1>Glucose report</h1>"))
      let page = try curl("-i \(address)/")
      #expect(page.contains("default-src 'none'") && page.contains("Measured in that minute by sensor"))
      let metrics = try curl("-i \(address)/metrics")
      #expect(metrics.contains("text/plain; version=0.0.4") && metrics.contains("\nglucose_mg_per_dl{sensor=\""))
      #expect(metrics.contains("libre_http_requests_total{path=\"/report\",code=\"200\"} 1\n"))
      let open = try curl("-i -H 'Accept: application/openmetrics-text' \(address)/metrics")
      #expect(open.contains("application/openmetrics-text; version=1.0.0") && open.hasSuffix("# EOF\n"))
    }
  }

  @Test("an import by another process reaches an event stream, and a client that reconnects gets the missed values")
  func events() throws {
    try whileServing { address in
      let stream = try sandbox.start(program: "/usr/bin/curl", ["-sSN", "\(address)/events"])
      defer {
        stream.send(SIGKILL)
        _ = try? stream.outcome()
      }
      try eventually("the newest value is sent") { try stream.lines().contains("event: glucose") }
      let first = try #require(try stream.lines().first { $0.hasPrefix("id: ") })
      let newer = try sandbox.write(SimulatedSensor(seed: 1).image(atAge: 2_401).hexDump, to: "newer.hex")
      let readAt = ISO8601DateFormatter().string(from: Date())
      #expect(try sandbox.run("import", newer, "--read-at", readAt, "--store", "store.sqlite").status == 0)
      try eventually("the new value is sent") { try stream.lines().filter { $0.hasPrefix("id: ") }.count == 2 }
      let second = try #require(try stream.lines().last { $0.hasPrefix("id: ") })
      #expect(first < second)
      let back = try sandbox.start(
        program: "/usr/bin/curl", ["-sSN", "-H", "Last-Event-ID: \(first.dropFirst(4))", "\(address)/events"])
      defer {
        back.send(SIGKILL)
        _ = try? back.outcome()
      }
      try eventually("what was missed is sent") { try back.lines().contains { $0.hasPrefix("id: ") } }
      #expect(try back.lines().filter { $0.hasPrefix("id: ") } == [second])
    }
  }
}
