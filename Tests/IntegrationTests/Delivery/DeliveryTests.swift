// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("Sent samples arrive", .startsProcesses, .onOwnThreads)
struct DeliveryTests {
  /// The samples that a run's events call accepted.
  private func accepted(_ outcome: Outcome) throws -> Set<String> {
    let successes = try outcome.ndjson().filter { $0["event"].text == "success" }
    return Set(successes.flatMap { $0["samples"].elements.compactMap(\.text) })
  }

  @Test("each receiver gets the values and times of the store once, though its first answer is lost, later what is new")
  func delivery() async throws {
    try await atOnce(TestedSink.installed) { sink in
      let sender = try Sender()
      let receiver = try sink.receiver(in: sender.sandbox.url)
      let server = try FaultyServer(receiver, .first(.resetInAnswer))
      try sender.configure(sink.section(server.url))
      let samples = try Stock.few.samples()
      #expect(samples.count > 100)
      let first = try sender.sync(environment: sink.environment)
      #expect(first.status == 0, "\(sink.rawValue): \(first.text) \(first.errors)")
      #expect(try accepted(first) == Set(samples.map(\.id)), "\(sink.rawValue)")
      #expect(server.faults == 1, "\(sink.rawValue)")
      expectDelivered(samples, receiver, sink)
      #expect(receiver.held.count == samples.count, "\(sink.rawValue)")
      if let webhook = receiver as? WebhookReceiver { #expect(webhook.changed.isEmpty) }
      // Which samples are sent does not depend on the kind of sink.
      guard sink == .nightscout || TestTier.current == .full else { return }
      try sender.importDump(age: 600 + Stock.step * 4)
      let more = try sender.samples()
      #expect(more.count > samples.count)
      let second = try sender.sync(environment: sink.environment)
      #expect(try accepted(second) == Set(more.map(\.id)).subtracting(samples.map(\.id)))
      expectDelivered(more, receiver, sink)
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
