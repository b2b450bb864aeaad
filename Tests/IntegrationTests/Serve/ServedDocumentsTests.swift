// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The documents of `libre serve` for people and for monitoring, requested with curl.
@Suite(
  "The documents of a running server", .onOwnThreads, .startsProcesses,
  .enabled("curl is not installed: apt-get install curl") { Installed.has("/usr/bin/curl") })
struct ServedDocumentsTests {
  private let server: RunningServer

  init() throws { server = try RunningServer() }

  private func curl(_ path: String, _ options: String = "") throws -> String {
    let outcome = try server.sandbox.shell("curl -sS \(options) http://127.0.0.1:\(server.port)\(path)")
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.text
  }

  /// Starts curl, which follows the events.
  private func following(_ options: String...) throws -> RunningProgram {
    try server.sandbox.start(
      program: "/usr/bin/curl", ["-sSN"] + options + ["http://127.0.0.1:\(server.port)/events"])
  }

  private func ids(_ stream: RunningProgram) throws -> [String] {
    try stream.lines().filter { $0.hasPrefix("id: ") }
  }

  @Test("the last reading, the report, the metrics and the page are made from the store")
  func documents() throws {
    let latest = try JSONValue(parsing: curl("/latest.json").utf8)
    let printed = try server.sandbox.run("latest", "--json", "--store", RunningServer.store).json()
    #expect(latest["glucose_mg_dl"] == printed["glucose_mg_dl"])
    #expect(try curl("/report").contains("<h1>Glucose report</h1>"))
    let page = try curl("/", "-i")
    #expect(page.contains("default-src 'none'") && page.contains("Measured in that minute by sensor"))
    let metrics = try curl("/metrics", "-i")
    #expect(metrics.contains("text/plain; version=0.0.4") && metrics.contains("\nglucose_mg_per_dl{sensor=\""))
    #expect(metrics.contains("libre_http_requests_total{path=\"/report\",code=\"200\"} 1\n"))
  }

  @Test("an import by another process reaches an event stream, and a client that reconnects gets the missed values")
  func events() throws {
    let stream = try following()
    defer { stream.send(SIGKILL) }
    try eventually("the newest value is sent") { try ids(stream).count == 1 }
    try RunningServer.read(server.sandbox, atAge: 2_401, minutesAgo: 0)
    try eventually("the new value is sent") { try ids(stream).count == 2 }
    let (first, second) = try (ids(stream)[0], ids(stream)[1])
    #expect(first < second)
    let back = try following("-H", "Last-Event-ID: \(first.dropFirst(4))")
    defer { back.send(SIGKILL) }
    try eventually("what was missed is sent") { try !ids(back).isEmpty }
    #expect(try ids(back) == [second])
  }
}
