// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Brokers that answer what MQTT does not allow, or without end. `MQTTSessionTests` have every wrong byte; here it is the
/// whole command, with a second sink.
@Suite("No answer of a broker keeps another sink from its samples", .startsProcesses, .onOwnThreads)
struct HostileBrokerTests {
  private enum Answer: String, CaseIterable, Sendable {
    case publish, flood, huge, silence

    private static let welcome: [UInt8] = [0x20, 3, 0, 0, 0]
    private static let message: [UInt8] = [0x30, 8, 0, 3, 0x61, 0x2F, 0x62, 0, 0x68, 0x69]

    func give(_ connection: Connection) {
      guard connection.receive() else { return }
      switch self {
      case .publish: connection.send(Self.welcome + Self.message)
      case .flood:
        let messages = [[UInt8]](repeating: Self.message, count: 1_000).flatMap(\.self)
        connection.send(Self.welcome)
        while connection.send(messages) {}
      case .huge:
        // 256 MB, by its length; what follows is sent until nobody takes it.
        connection.send(Self.welcome + [0x30, 0xFF, 0xFF, 0xFF, 0x7F, 0, 3, 0x61, 0x2F, 0x62, 0])
        while connection.send([UInt8](repeating: 0, count: 1 << 20)) {}
      case .silence: break
      }
      connection.hang()
    }
  }

  @Test("the second sink gets everything, the broker is named, and its samples stay queued")
  func hostile() async throws {
    try await atOnce(Answer.allCases) { answer in
      let sender = try Sender(.single)
      let server = try LoopbackServer { answer.give($0) }
      let place = "mqtt://127.0.0.1:\(server.port)"
      let file = sender.sandbox.path("samples.ndjson")
      // The broker is the first by name, so that the file waits for it.
      let sections = [
        MQTTSection.text(port: server.port, name: "aa", timeout: answer == .silence ? 1 : ampleSeconds),
        "[sinks.bb]\ntype = \"file\"\npath = \"\(file)\"\nbackfill_days = 36500\n",
      ]
      try sender.sandbox.write(
        "[sync]\nmode = \"automatic\"\n\n" + sections.joined(separator: "\n"), to: "config/libre/config.toml")
      // Sending does not change the exit status of reading.
      let read = try sender.libre(["read", "--reader", "sim:active"])
      #expect(read.status == 0, "\(answer): \(read.errors)")
      try sender.configure(sections[0], sections[1])
      let outcome = try sender.sync("--now")
      #expect(outcome.status == 75, "\(answer): \(outcome.text) \(outcome.errors)")
      let reasons = try outcome.ndjson().filter { $0["sink"].text == "aa" }.compactMap { $0["reason"].text }
      #expect(!reasons.isEmpty && reasons.allSatisfy { $0.contains(place) }, "\(answer): \(reasons)")
      let samples = try sender.samples()
      #expect(try sender.outbox("aa").pending == samples.count, "\(answer)")
      #expect(try SampleFile.lines(file).count == samples.count, "\(answer)")
      // A broker that answers well at first is reachable.
      let probe = try sender.libre(["sink", "test", "aa"])
      #expect([0, 75].contains(probe.status), "\(answer): \(probe.text) \(probe.errors)")
    }
  }
}
