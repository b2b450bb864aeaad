// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("The log of requests to a receiver", .startsProcesses) struct RequestLogTests {
  private func records(_ outcome: Outcome, _ message: String) throws -> [JSONValue] {
    try outcome.errors.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
      .filter { $0["message"] == .string(message) }
  }

  @Test("has the status of the answer, the sizes and the duration of each request, but not the sensor or the secret")
  func requests() throws {
    let sender = try Sender(.single)
    let sink = TestedSink.nightscout
    let server = try FaultyServer(try sink.receiver(in: sender.sandbox.url))
    try sender.configure(sink.section(server.url))
    let sensor = try sender.libre(["sensors", "--json"]).json()["sensors"][0]
    let names = try [#require(sensor["uid"].text), #require(sensor["serial"].text), #require(sink.secret)]

    let outcome = try sender.libre(["sync", "-v", "-v", "--log-format", "json"], environment: sink.environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let delivered = try records(outcome, "request")
    #expect(delivered.count == server.requests.count && !delivered.isEmpty)
    for request in delivered {
      #expect(request["status"] == .number(200) && request["level"] == .string("info"))
      #expect(request["address"].text?.hasPrefix("\(server.url)/api/v1/") ?? false)
      #expect(request["address"].text?.contains("?") == false)
      #expect((request["bytes_received"].number ?? 0) > 0 && (request["duration_ms"].number ?? -1) >= 0)
    }
    #expect(try !records(outcome, "request header").isEmpty)
    for name in names { #expect(!outcome.errors.localizedCaseInsensitiveContains(name)) }

    try sender.importDump(age: 600 + Stock.step * 4)
    let refused = try sender.libre(
      ["sync", "-v", "--log-format", "json"], environment: [TestedSink.variable: "a wrong one"])
    #expect(refused.status == 77, "\(refused.errors)")
    #expect(try records(refused, "request").last?["status"] == .number(401))
    #expect(!refused.errors.contains("a wrong one"))
    #expect(try records(refused, "request header").isEmpty)
  }
}
