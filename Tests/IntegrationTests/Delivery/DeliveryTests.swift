// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("Sent samples arrive", .startsProcesses, .onOwnThreads)
struct DeliveryTests {
  /// The samples that a run's events call accepted, and how many of them the receiver already had.
  private func receipts(_ outcome: Outcome) throws -> (accepted: [String], duplicates: Int) {
    let successes = try outcome.ndjson().filter { $0["event"].text == "success" }
    return (
      successes.flatMap { $0["samples"].elements.compactMap(\.text) },
      successes.reduce(0) { $0 + Int($1["duplicates"].number ?? 0) }
    )
  }

  @Test("each receiver gets the values and times of the store; sending again changes nothing if samples have a key")
  func delivery() async throws { try await atOnce(TestedSink.installed, delivery) }

  private func delivery(_ sink: TestedSink) throws {
    let sender = try Sender()
    let receiver = try sink.receiver(in: sender.sandbox.url)
    let server = try FaultyServer(receiver)
    try sender.configure(sink.section(server.url))
    var samples = try Stock.few.samples()
    #expect(samples.count > 100)

    let first = try sender.sync(environment: sink.environment)
    #expect(first.status == 0, "\(sink.rawValue): \(first.text) \(first.errors)")
    #expect(Set(try receipts(first).accepted) == Set(samples.map(\.id)), "\(sink.rawValue)")
    expectDelivered(samples, receiver, sink)
    #expect(receiver.held.count == samples.count, "\(sink.rawValue)")

    // Which samples are sent does not depend on the kind of sink.
    if sink == .nightscout || TestTier.current == .full {
      // Nothing is new, so nothing is sent.
      let requests = server.requests.count
      let second = try sender.sync(environment: sink.environment)
      #expect(second.status == 0)
      #expect(try second.ndjson().map { $0["event"].text } == ["nothingToSync"])
      #expect(server.requests.count == requests)

      // A later scan adds newer samples, and only those are sent.
      try sender.importDump(age: 600 + Stock.step * 4)
      let more = try sender.samples()
      #expect(more.count > samples.count)
      let third = try sender.sync(environment: sink.environment)
      #expect(Set(try receipts(third).accepted) == Set(more.map(\.id)).subtracting(samples.map(\.id)))
      expectDelivered(more, receiver, sink)
      samples = more
    }

    // A sink that is removed and enrolled again gets all samples again.
    #expect(try sender.libre(["sink", "remove", TestedSink.name, "--purge"]).status == 0)
    try sender.configure(sink.section(server.url))
    let again = try sender.sync(environment: sink.environment)
    #expect(again.status == 0, "\(sink.rawValue): \(again.text) \(again.errors)")
    #expect(Set(try receipts(again).accepted) == Set(samples.map(\.id)), "\(sink.rawValue)")
    // The webhook's key is that of a batch, and these are other batches.
    if sink.hasKey, sink != .webhook {
      expectDelivered(samples, receiver, sink, "again")
      #expect(receiver.held.count == samples.count, "\(sink.rawValue)")
    }
  }

  @Test("a broker gets each sample once per run", .needsMosquitto)
  func broker() throws {
    let sender = try Sender()
    let broker = try MosquittoBroker(in: sender.sandbox.url)
    let listener = try MQTTListener(broker, sender.sandbox)
    try sender.configure(MQTTSection.text(port: broker.port))
    let samples = try Stock.few.samples()
    let outcome = try sender.sync()
    #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
    let received = try listener.samples()
    #expect(received.map(\.id).sorted() == samples.map(\.id).sorted())
    let values = Dictionary(samples.map { ($0.id, $0.value) }) { first, _ in first }
    for (id, value) in received {
      #expect(value.seconds == values[id]?.seconds)
      #expect(abs(value.milligramsPerDecilitre - (values[id]?.milligramsPerDecilitre ?? 0)) < TestedSink.tolerance)
    }
  }

  @Test("a file and standard output get one line per sample")
  func file() throws {
    let sender = try Sender()
    let samples = try Stock.few.samples()
    let path = sender.sandbox.path("out/samples.ndjson")
    try sender.sandbox.write("", to: "out/other")
    try sender.configure(
      "[sinks.lines]\ntype = \"file\"\npath = \"\(path)\"\nbackfill_days = 36500\n",
      "[sinks.shown]\ntype = \"file\"\npath = \"-\"\nbackfill_days = 36500\n")
    let outcome = try sender.libre(["sync"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    for lines in [try SampleFile.lines(path), outcome.lines.filter { $0.hasPrefix("{") }] {
      let history = try lines.map { try JSONValue(parsing: $0.utf8) }
      #expect(history.compactMap { $0["id"].text }.sorted() == samples.map(\.id).sorted())
      // Oldest first.
      let times = history.compactMap { $0["time"].text }
      #expect(times == times.sorted())
    }
    #expect(try sender.libre(["sync", "--sink", "lines"]).status == 0)
    #expect(try SampleFile.lines(path).count == samples.count)
  }
}

/// The file of a file sink.
enum SampleFile {
  static func lines(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }
}

/// A sink for a broker.
enum MQTTSection {
  static func text(port: Int, name: String = TestedSink.name, timeout: Int = ampleSeconds, _ more: String...) -> String
  {
    let lines = [
      "[sinks.\(name)]", #"type = "mqtt""#, "url = \"mqtt://127.0.0.1:\(port)\"", "backfill_days = 36500",
      "timeout_seconds = \(timeout)",
    ]
    return (lines + more).map { "\($0)\n" }.joined()
  }
}
