// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The messages that Home Assistant would get from a real broker.
@Suite("Home Assistant", .needsMosquitto, .startsProcesses, .onOwnThreads)
struct HomeAssistantTests {
  private func household() throws -> (sender: Sender, broker: MosquittoBroker) {
    let sender = try Sender()
    let broker = try MosquittoBroker(in: sender.sandbox.url)
    try sender.configure(
      MQTTSection.text(port: broker.port, #"send = ["glucose.history", "glucose.trend", "sensor"]"#))
    // A sensor that is read now, so that there is a value of now.
    #expect(try sender.libre(["read", "--reader", "sim:active"]).status == 0)
    return (sender, broker)
  }

  /// The messages that the broker keeps for later clients, by topic.
  private func kept(_ broker: MosquittoBroker, _ sender: Sender) throws -> [String: String] {
    let messages = try MQTTListener(broker, sender.sandbox).messages()
    #expect(messages.count { !$0.isRetained } == 0)
    return Dictionary(messages.map { ($0.topic, $0.payload) }) { _, last in last }
  }

  @Test("a forgotten sensor's value is replaced at once by the newest one that is left, without another read")
  func forgotten() throws {
    let sender = try Sender()
    let broker = try MosquittoBroker(in: sender.sandbox.url)
    let section = MQTTSection.text(port: broker.port, #"send = ["glucose.history", "glucose.trend", "sensor"]"#)
    try sender.sandbox.write(
      "[sync]\nmode = \"automatic\"\nwait_seconds = 600\n\n" + section, to: "config/libre/config.toml")
    for seed in [8, 9] {
      let made = try sender.sandbox.run("simulate", "--scenario", "active", "--seed", "\(seed)", "--out", "\(seed).hex")
      #expect(made.status == 0, "\(made.errors)")
      #expect(
        try sender.libre(["import", "--mine", "\(seed).hex", "--read-at", seed == 8 ? "-90m" : "-1m"]).status == 0)
    }
    #expect(try sender.sync().status == 0)
    func state() throws -> JSONValue { try JSONValue(parsing: (kept(broker, sender)["libre/state"] ?? "").utf8) }
    /// Forgets the sensor whose value is shown.
    func forget() throws -> (before: JSONValue, after: JSONValue) {
      let before = try state()
      let serial = try #require(before["serial"].text)
      #expect(try sender.libre(["latest", "--json"]).json()["sensor"]["serial"].text == serial)
      let outcome = try sender.libre(["sensor", "forget", serial, "--yes"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      return (before, try state())
    }
    let first = try forget()
    let latest = try sender.libre(["latest", "--json"]).json()
    #expect(first.after["serial"].text != nil && first.after["serial"] != first.before["serial"])
    #expect(first.after["serial"] == latest["sensor"]["serial"] && first.after["time"] == latest["time"])
    #expect(first.after["mgdl"].number == latest["glucose_mg_dl"].number)
    // The sensors of the stock are older, and one of them is left.
    let second = try forget()
    #expect(second.after["serial"].text != nil && second.after["serial"] != second.before["serial"])
    let last = try forget()
    #expect(!last.after.keys.isEmpty && last.after.keys.allSatisfy { last.after[$0] == .null })
    #expect(try sender.sync().ndjson().map { $0["event"].text } == ["nothingToSync"])
  }

  @Test("a removed sink leaves nothing at the broker, unless the user asks for it")
  func farewell() throws {
    let (sender, broker) = try household()
    #expect(try sender.sync().status == 0)
    let kept = try kept(broker, sender)
    #expect(kept.keys.contains { $0.hasPrefix("homeassistant/") } && kept.keys.contains { $0.hasSuffix("/state") })
    let rehearsal = try sender.libre(["sink", "remove", TestedSink.name, "--dry-run"])
    #expect(rehearsal.status == 0 && rehearsal.text.contains("topics at its broker would be emptied"))
    for topic in kept.keys { #expect(rehearsal.text.contains("  \(topic)\n"), "\(topic)") }
    #expect(try self.kept(broker, sender) == kept)
    let removal = try sender.libre(["sink", "remove", TestedSink.name, "--purge"])
    #expect(removal.status == 0 && removal.text.contains("topics at its broker emptied"), "\(removal.errors)")
    #expect(try self.kept(broker, sender).isEmpty)
  }

  @Test("sink remove needs --keep-remote if the broker is not running, and reports what remains there")
  func unreachable() throws {
    let (sender, broker) = try household()
    #expect(try sender.sync().status == 0)
    broker.stop()
    let refused = try sender.libre(["sink", "remove", TestedSink.name, "--purge"])
    #expect(refused.status == 75 && refused.errors.contains("--keep-remote"), "\(refused.errors)")
    #expect(try sender.libre(["sink", "list"]).text.contains(TestedSink.name))
    let removal = try sender.libre(["sink", "remove", TestedSink.name, "--purge", "--keep-remote"])
    #expect(removal.status == 0 && removal.text.contains("topics at its broker stay there"), "\(removal.errors)")
    #expect(removal.text.contains("  libre/status\n"))
  }
}
