// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("No fault of a broker or a file loses a sample", .startsProcesses, .onOwnThreads)
struct LocalFaultTests {
  @Test("a broker whose connections break off gets all samples", .needsMosquitto)
  func broken() async throws {
    try await atOnce([.resetAfter(0), .resetAfter(2_000), .resetAfter(9_000), .swallowed], broken)
  }

  private func broken(_ fault: MQTTRelay.Fault) throws {
    let sender = try Sender()
    let broker = try MosquittoBroker(in: sender.sandbox.url)
    let listener = try MQTTListener(broker, sender.sandbox)
    let relay = try MQTTRelay(to: broker.port, [fault])
    try sender.configure(MQTTSection.text(port: relay.port, timeout: fault == .swallowed ? 1 : ampleSeconds))
    let samples = try Stock.few.samples()
    var outcome = try sender.sync()
    if fault == .swallowed, outcome.status == 75 {
      // On a very busy machine one second is too short also for the next connections, which have no fault.
      try sender.configure(MQTTSection.text(port: relay.port))
      outcome = try sender.sync("--now")
    } else {
      #expect(relay.connections == 2, "\(fault)")
    }
    #expect(outcome.status == 0, "\(fault): \(outcome.text) \(outcome.errors)")
    let received = try listener.samples().map(\.id)
    // At least once, and not more often than there were tries.
    #expect(Set(received) == Set(samples.map(\.id)), "\(fault)")
    #expect(received.count <= relay.connections * samples.count)
    #expect(fault != .swallowed || received.count > samples.count)
    #expect(try sender.outbox().pending == 0)
  }

  @Test("a broker that is not running, or does not answer, gets all samples later", .needsMosquitto)
  func later() throws {
    let sender = try Sender()
    let port = try LoopbackServer.closedPort()
    try sender.configure(MQTTSection.text(port: port, timeout: 1))
    let samples = try Stock.few.samples()
    #expect(try sender.sync().status == 75)
    let broker = try MosquittoBroker(in: sender.sandbox.url, port: port)
    let listener = try MQTTListener(broker, sender.sandbox)
    broker.freeze()
    #expect(try sender.sync().status == 75)
    #expect(try sender.outbox().pending == samples.count)
    broker.thaw()
    try sender.configure(MQTTSection.text(port: port))
    #expect(try sender.sync().status == 0)
    #expect(Set(try listener.samples().map(\.id)) == Set(samples.map(\.id)))
  }

  @Test("a broker that rejects the user stops the sink", .needsMosquitto)
  func refused() throws {
    let sender = try Sender()
    try ProgramRun.output(
      "mosquitto_passwd", ["-b", "-c", "users", "ann", "the word"], in: sender.sandbox.url)
    try ProgramRun.output("chmod", ["600", "users"], in: sender.sandbox.url)
    let broker = try MosquittoBroker(
      in: sender.sandbox.url, settings: "password_file \(sender.sandbox.path("users"))")
    try sender.configure(MQTTSection.text(port: broker.port, #"user = "ann""#))
    #expect(try sender.sync(environment: [TestedSink.variable: "another"]).status == 77)
    let right = [TestedSink.variable: "the word"]
    #expect(try sender.sync(environment: right).status == 77)
    #expect(try sender.libre(["sink", "enable", TestedSink.name], environment: right).status == 0)
    #expect(try sender.sync(environment: right).status == 0)
    #expect(try sender.outbox().pending == 0)
  }

  @Test("a file whose directory is missing gets all samples when it exists, after an incomplete line")
  func file() throws {
    let sender = try Sender()
    let path = sender.sandbox.path("later/samples.ndjson")
    try sender.configure("[sinks.one]\ntype = \"file\"\npath = \"\(path)\"\nbackfill_days = 36500\n")
    let samples = try Stock.few.samples()
    let outcome = try sender.sync()
    #expect(outcome.status == 78, "\(outcome.text) \(outcome.errors)")
    #expect(try sender.outbox().pending == samples.count)
    try sender.sandbox.write("{\"schema\":\"libre.sam", to: "later/samples.ndjson")
    #expect(try sender.sync().status == 0)
    let lines = try SampleFile.lines(path)
    #expect(lines.first == "{\"schema\":\"libre.sam")
    let ids = try lines.dropFirst().compactMap { try JSONValue(parsing: $0.utf8)["id"].text }
    #expect(ids.sorted() == samples.map(\.id).sorted())
  }
}
