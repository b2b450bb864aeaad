// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("Finger-sticks and removed samples", .startsProcesses, .onOwnThreads)
struct RemovalTests {
  /// Adds a finger-stick of a moment ago; its id.
  private func add(_ value: Int, _ sender: Sender) throws -> String {
    let outcome = try sender.libre(["add", "\(value)", "--at", "-1h"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try #require(outcome.text.firstMatch(of: /id ([0-9a-f-]{36})/).map { String($0.1) }, "\(outcome.text)")
  }

  @Test("finger-sticks are sent to each receiver that asks for them")
  func sticks() async throws {
    try await atOnce(TestedSink.installed) { sink in
      let sender = try Sender()
      let receiver = try sink.receiver(in: sender.sandbox.url)
      let server = try FaultyServer(receiver)
      _ = try self.add(123, sender)
      try sender.configure(sink.section(server.url) + "send = [\"finger_sticks\"]\n")
      let outcome = try sender.sync(environment: sink.environment)
      #expect(outcome.status == 0, "\(sink.rawValue): \(outcome.text) \(outcome.errors)")
      let held = receiver.held.map(\.milligramsPerDecilitre)
      #expect(held.count == 1 && abs((held.first ?? 0) - 123) < 0.01, "\(sink.rawValue) \(held)")
    }
  }

  @Test(
    "removed samples are deleted at a Nightscout site and at a FHIR server",
    arguments: [TestedSink.nightscoutV3, .fhir])
  func removal(_ sink: TestedSink) throws {
    let sender = try Sender()
    let receiver = try sink.receiver(in: sender.sandbox.url)
    let server = try FaultyServer(receiver)
    let id = try add(399, sender)
    try sender.configure(sink.section(server.url) + "send = [\"glucose.history\", \"finger_sticks\"]\n")
    #expect(try sender.sync(environment: sink.environment).status == 0)
    let count = receiver.held.count
    #expect(try count == Stock.few.samples().count + 1)
    #expect(try sender.libre(["add", "--remove", id]).status == 0)
    let rehearsal = try sender.sync("--dry-run", environment: sink.environment)
    #expect(try rehearsal.ndjson().contains { $0["event"].text == "wouldRemove" && $0["samples"][0].text == id })
    #expect(receiver.held.count == count)
    let outcome = try sender.sync(environment: sink.environment)
    let events = try outcome.ndjson()
    #expect(events.map { $0["event"].text } == ["removed", "completed"], "\(outcome.text)")
    #expect(events.allSatisfy { $0["removed"].number == 1 })
    #expect(receiver.held.count == count - 1 && !receiver.held.contains { $0.milligramsPerDecilitre == 399 })
  }

  @Test("a forgotten sensor is deleted at once where the receiver can; for others the command says which values stay")
  func forgotten() throws {
    let sender = try Sender()
    let sinks = [("three", TestedSink.nightscoutV3), ("one", .nightscout)]
    let receivers = try sinks.map { try $0.1.receiver(in: sender.sandbox.url) }
    let servers = try receivers.map { try FaultyServer($0) }
    let sections = zip(sinks, servers).map { $0.1.section($1.url, name: $0.0) }
    try sender.sandbox.write(
      "[sync]\nwait_seconds = 600\n\n" + sections.joined(separator: "\n"), to: "config/libre/config.toml")
    let environment = [
      TestedSink.variable: NightscoutSite.secret, "LIBRE_SECRET_THREE": NightscoutV3Site.secret,
    ]
    #expect(try sender.sync(environment: environment).status == 0)
    let count = try Stock.few.samples().count
    #expect(receivers.map(\.held.count) == [count, count])
    let serial = try #require(try sender.libre(["sensors", "--json"]).json()["sensors"][0]["serial"].text)
    let rehearsal = try sender.libre(["sensor", "forget", serial, "--dry-run"], environment: environment)
    let values = "\(count) values of \(serial) from "
    #expect(rehearsal.errors.contains("three (nightscout-v3): would be deleted there: \(values)"))
    #expect(receivers.map(\.held.count) == [count, count])
    let outcome = try sender.libre(["sensor", "forget", serial, "--yes"], environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("three (nightscout-v3): deleted there: \(values)"))
    #expect(outcome.errors.contains("one (nightscout): still there: \(values)"))
    #expect(outcome.errors.contains("where device is libre://SERIAL"))
    #expect(receivers.map(\.held.count) == [0, count])
  }

  @Test("removed samples stay at a Nightscout site with version 1 of the API, and the list of sinks reports this")
  func supported() throws {
    let sender = try Sender()
    let list = try sender.libre(["sink", "list", "--supported"])
    #expect(list.text.contains("version 1 of its interface cannot delete an entry by our id"))
    let types = try sender.libre(["sink", "list", "--supported", "--json"]).json()["types"].elements
    let takers = types.filter { $0["takes_back"] == .bool(true) }.compactMap { $0["name"].text }
    #expect(takers.sorted() == ["fhir", "mqtt", "nightscout-v3"])
  }
}
