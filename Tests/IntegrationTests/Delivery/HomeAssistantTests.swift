// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The messages that Home Assistant would get from a real broker.
@Suite("Home Assistant", .needsMosquitto, .startsProcesses, .onOwnThreads)
struct HomeAssistantTests {
  private func household(_ more: String...) throws -> (sender: Sender, broker: MosquittoBroker) {
    let sender = try Sender()
    let broker = try MosquittoBroker(in: sender.sandbox.url)
    let lines = more.map { "\($0)\n" }.joined()
    try sender.configure(
      MQTTSection.text(port: broker.port, #"send = ["glucose.history", "glucose.trend", "sensor"]"#) + lines)
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

  @Test("discovers the sensor's values by retained, valid documents", arguments: ["entity", "device"])
  func discovery(_ form: String) throws {
    let (sender, broker) = try household("discovery = \"\(form)\"", "expire_after = 1200")
    #expect(try sender.sync().status == 0)
    let kept = try kept(broker, sender)
    let documents = kept.filter { $0.key.hasPrefix("homeassistant/") }.values.sorted()
    // The validator knows other payloads too.
    let validator = try DocumentValidator(of: "SampleSyncTests")
    try #require(!documents.isEmpty)
    for document in documents {
      try validator.check(
        form, [document], records: form == "entity" ? 1 : 5, planted: ["\"state_topic\"": "\"stat\""], by: .jsonschema)
    }
    let states = kept.filter { $0.key.hasSuffix("/state") }
    try #require(states.count == 1)
    // The state is the same for both forms of discovery.
    if form == "entity" { try validator.check("state", states.values.sorted(), records: 1, by: .jsonschema) }
    // Each entity's topic is one of those that are kept, and its template names a member of what is there.
    let members = Set(try states.values.flatMap { try JSONValue(parsing: $0.utf8).keys })
    for document in try documents.map({ try JSONValue(parsing: $0.utf8) }) {
      let entities = form == "entity" ? [document] : document["components"].keys.map { document["components"][$0] }
      for entity in entities {
        let topic = entity["state_topic"].text ?? document["state_topic"].text ?? ""
        #expect(states[topic] != nil, "\(topic)")
        let template = try #require(entity["value_template"].text)
        let member = try #require(template.firstMatch(of: /value_json\.(\w+)/)).1
        #expect(members.contains(String(member)), "\(template)")
      }
    }
    #expect(kept["libre/status"] == "online")
    #expect(kept.keys.allSatisfy { !$0.hasSuffix("/sample") })
  }

  @Test("keeps the same device for the next sensor")
  func changeOfSensor() throws {
    let sender = try Sender()
    let broker = try MosquittoBroker(in: sender.sandbox.url)
    try sender.configure(MQTTSection.text(port: broker.port, #"send = ["glucose.history", "glucose.trend", "sensor"]"#))
    // The first of the two was last read half an hour before the other.
    let first = try sender.sandbox.run("simulate", "--scenario", "active", "--seed", "8", "--out", "first.hex")
    #expect(first.status == 0, "\(first.errors)")
    #expect(try sender.libre(["import", "first.hex", "--read-at", "-30m"]).status == 0)
    #expect(try sender.sync().status == 0)
    let before = try kept(broker, sender)
    #expect(try sender.libre(["read", "--reader", "sim:active"]).status == 0)
    #expect(try sender.sync().status == 0)
    let after = try kept(broker, sender)

    #expect(Set(before.keys) == Set(after.keys) && after.keys.contains("homeassistant/sensor/libre_glucose/config"))
    let documents = [before, after].map { kept in kept.filter { $0.key.hasPrefix("homeassistant/") } }
    #expect(documents[0] == documents[1] && documents[0].count == 5)
    let states = try [before, after].map { try JSONValue(parsing: ($0["libre/state"] ?? "").utf8) }
    #expect(states[0]["serial"].text != nil && states[0]["serial"] != states[1]["serial"])
    let latest = try sender.libre(["latest", "--json"]).json()
    #expect(states[1]["serial"] == latest["sensor"]["serial"] && states[1]["state"].text == "active")
    #expect((states[0]["time"].text ?? "") < (states[1]["time"].text ?? ""))
    // A later import of the first sensor does not give a current value.
    try sender.importDump(age: 600 + Stock.step * 4)
    #expect(try sender.sync().status == 0)
    #expect(try kept(broker, sender)["libre/state"] == after["libre/state"])
  }

  @Test(
    "a forgotten sensor's value is replaced at once by the newest one that is left, without another read",
    arguments: ["automatic", "manual"])
  func forgotten(_ mode: String) throws {
    let sender = try Sender()
    let broker = try MosquittoBroker(in: sender.sandbox.url)
    let section = MQTTSection.text(port: broker.port, #"send = ["glucose.history", "glucose.trend", "sensor"]"#)
    let settings = "[sync]\nmode = \"\(mode)\"\nwait_seconds = 600\n\n"
    try sender.sandbox.write(settings + section, to: "config/libre/config.toml")
    for seed in [8, 9] {
      let made = try sender.sandbox.run("simulate", "--scenario", "active", "--seed", "\(seed)", "--out", "\(seed).hex")
      #expect(made.status == 0, "\(made.errors)")
      #expect(
        try sender.libre(["import", "--mine", "\(seed).hex", "--read-at", seed == 8 ? "-90m" : "-1m"]).status == 0)
    }
    #expect(try sender.sync().status == 0)
    func state() throws -> JSONValue { try JSONValue(parsing: (kept(broker, sender)["libre/state"] ?? "").utf8) }
    /// Forgets the sensor whose value is shown.
    func forget() throws -> (before: JSONValue, after: JSONValue, errors: String) {
      let before = try state()
      let serial = try #require(before["serial"].text)
      #expect(try sender.libre(["latest", "--json"]).json()["sensor"]["serial"].text == serial)
      let outcome = try sender.libre(["sensor", "forget", serial, "--yes"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      if mode == "manual" {
        #expect(try state() == before && outcome.errors.contains("none, after the next libre sync"))
        #expect(try sender.sync().status == 0)
      } else {
        #expect(outcome.errors.contains("one (mqtt): its state shows the newest value that is left, or none"))
      }
      return (before, try state(), outcome.errors)
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

  @Test("gets the newest value with its time")
  func state() throws {
    let (sender, broker) = try household()
    let listener = try MQTTListener(broker, sender.sandbox)
    #expect(try sender.sync().status == 0)
    let latest = try sender.libre(["latest", "--json"]).json()
    let messages = try listener.messages().filter { $0.topic.hasSuffix("/state") }
    let newest = try #require(
      try messages.map { try JSONValue(parsing: $0.payload.utf8) }.max { left, right in
        (left["time"].text ?? "") < (right["time"].text ?? "")
      })
    let value = try #require(latest["glucose_mg_dl"].number ?? latest["current"]["glucose_mg_dl"].number, "\(latest)")
    #expect(abs((newest["mgdl"].number ?? 0) - value) < 0.001)
    #expect(abs((newest["mmol"].number ?? 0) * 18.0156 - value) < 0.1)
    // Nothing before its document, and the state after the samples that it is made of.
    let topics = try listener.messages().map(\.topic)
    let first = try #require(topics.firstIndex { $0.hasSuffix("/state") })
    #expect(topics[..<first].contains { $0.hasPrefix("homeassistant/") })
  }

  private func availability(_ broker: MosquittoBroker, _ sender: Sender) throws -> String? {
    try kept(broker, sender)["libre/status"]
  }

  @Test("sees whether the daemon is running, and that it was killed")
  func lastWill() throws {
    let (sender, broker) = try household()
    let listener = try MQTTListener(broker, sender.sandbox)
    let daemon = try sender.sandbox.start(
      program: Sandbox.binary, ["sync", "--daemon", "--interval", "1", "--store", Sender.store])
    try eventually("the daemon sends the state") { try listener.messages().contains { $0.topic.hasSuffix("/state") } }
    #expect(try availability(broker, sender) == "online")
    daemon.send(SIGKILL)
    _ = try daemon.outcome()
    try eventually("the broker publishes the will") {
      try listener.messages().last { $0.topic == "libre/status" }?.payload == "offline"
    }
    #expect(try availability(broker, sender) == "offline")
    // The value stays, with its time.
    #expect(try kept(broker, sender).keys.contains { $0.hasSuffix("/state") })
    // It comes back.
    let next = try sender.sandbox.start(
      program: Sandbox.binary, ["sync", "--daemon", "--interval", "1", "--store", Sender.store])
    try sender.importDump(age: 600 + Stock.step * 4)
    try eventually("the next daemon is online") {
      try listener.messages().last { $0.topic == "libre/status" }?.payload == "online"
    }
    next.send(SIGTERM)
    #expect(try next.outcome().status == 130)
  }

  @Test("a removed sink leaves nothing at the broker, unless the user asks for it", arguments: ["entity", "device"])
  func farewell(_ form: String) throws {
    let (sender, broker) = try household("discovery = \"\(form)\"")
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
