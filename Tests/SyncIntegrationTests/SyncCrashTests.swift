// SPDX-License-Identifier: Apache-2.0
import Foundation
import SensorSimulator
import TestSupport
import Testing

/// `kill -9` of the command at random moments of its sending, with imports in between: afterwards each receiver has
/// everything, once where it has a key.
///
/// `LIBRE_SEED` runs the same choices again; the machine's own timing is not repeated by it.
@Suite("Sending that is killed", .needsMosquitto, .timeLimit(.minutes(3)))
struct SyncCrashTests {
  private static let kills = 100
  private static let stores = 2

  /// One store and the four receivers that it sends to.
  private struct Household: Sendable {
    let sender: Sender
    let hook = WebhookReceiver()
    let site = NightscoutSite()
    let servers: [FaultyServer]
    let listener: MQTTListener
    let broker: MosquittoBroker
    let path: String
    static let names = ["file", "hook", "night", "topics"]
    static let environment = [
      "LIBRE_SECRET_HOOK": WebhookReceiver.secret, "LIBRE_SECRET_NIGHT": NightscoutSite.secret,
    ]

    init() throws {
      sender = try Sender()
      servers = [try FaultyServer(hook), try FaultyServer(site)]
      broker = try MosquittoBroker(in: sender.sandbox.url)
      listener = try MQTTListener(broker, sender.sandbox)
      path = sender.sandbox.path("samples.ndjson")
      try sender.configure(
        TestedSink.webhook.section(servers[0].url, name: "hook"),
        TestedSink.nightscout.section(servers[1].url, name: "night"),
        MQTTSection.text(port: broker.port, name: "topics"),
        "[sinks.file]\ntype = \"file\"\npath = \"\(path)\"\nbackfill_days = 36500\n")
    }

    func sync(_ names: [String]) -> [String] {
      ["sync", "--store", Sender.store, "--now"] + names.flatMap { ["--sink", $0] }
    }
  }

  @Test("loses nothing, and doubles nothing where there is a key")
  func kills() async throws {
    let seed = ProcessInfo.processInfo.environment["LIBRE_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 1...99_999)
    print("SyncCrashTests: LIBRE_SEED=\(seed)")
    try await withThrowingTaskGroup(of: Void.self) { group in
      // Not in the common pool, whose few threads they would hold.
      for index in 0..<Self.stores {
        group.addTask(executorPreference: OwnThreads.shared) {
          try self.kills(Self.kills / Self.stores, SplitMix64(seed: seed).branch(index), "seed \(seed), store \(index)")
        }
      }
      try await group.waitForAll()
    }
  }

  private func kills(_ wanted: Int, _ generator: SplitMix64, _ comment: String) throws {
    var random = generator
    let home = try Household()
    // Drops in which an answer comes, so that kills fall between what is done and what is known to be done.
    for server in home.servers { server.set(.always(.slow)) }
    let start = Date()
    #expect(try home.sender.sandbox.run(home.sync(["hook"]), environment: Household.environment).status == 0)
    let longest = Date().timeIntervalSince(start)
    var (kills, runs) = (0, 0)
    var age = 600 + Stock.step * 3
    while kills < wanted, age < 20_000 {
      runs += 1
      age += 15 * random.number(1...8)
      try home.sender.importDump(age: age)
      let name = Household.names[random.number(0...Household.names.count - 1)]
      let run = try home.sender.sandbox.start(
        program: Sandbox.binary, home.sync([name]), environment: Household.environment)
      // Those without a slow answer are done sooner.
      let most = name == "hook" || name == "night" ? longest : longest / 2
      if !run.ends(by: .now() + most * Double(random.number(1...1_000)) / 1_000) { run.send(SIGKILL) }
      let outcome = try run.outcome()
      kills += outcome.status == 128 + SIGKILL ? 1 : 0
      #expect([0, 128 + SIGKILL].contains(outcome.status), "\(comment): \(outcome)")
    }
    #expect(kills >= wanted, "of \(runs) runs")
    for server in home.servers { server.set(.none) }
    let last = try home.sender.sandbox.run(home.sync([]), environment: Household.environment)
    #expect(last.status == 0, "\(comment): \(last)")
    #expect(try home.sender.libre(["store", "check"]).status == 0)
    try check(home, comment)
    let messages = try home.listener.samples().count - home.sender.samples().count
    let lines = try Self.ids(home.path).doubles
    print(
      "SyncCrashTests, \(comment): \(kills) kills in \(runs) runs of at most \(longest) s; "
        + "\(home.hook.repeats) batches came again, \(messages) messages and \(lines) lines too many")
  }

  private func check(_ home: Household, _ comment: String) throws {
    let samples = try home.sender.samples()
    #expect(samples.count > 200)
    let ids = samples.map(\.id).sorted()
    #expect(home.hook.ids.sorted() == ids, "\(comment)")
    #expect(home.hook.changed.isEmpty, "\(comment)")
    expectDelivered(samples, home.site, .nightscout, comment)
    #expect(home.site.held.count == samples.count)
    #expect(Set(try home.listener.samples().map(\.id)) == Set(ids), "\(comment)")
    #expect(try Self.ids(home.path).ids == Set(ids), "\(comment)")
    for name in Household.names {
      let outbox = try home.sender.outbox(name)
      #expect(outbox.pending == 0 && outbox.dead.isEmpty, "\(comment): \(name)")
    }
  }

  /// Of whole lines; a torn one is none.
  private static func ids(_ path: String) throws -> (ids: Set<String>, doubles: Int) {
    let ids = try SampleFile.lines(path).compactMap { try? JSONValue(parsing: $0.utf8)["id"].text }
    return (Set(ids), ids.count - Set(ids).count)
  }
}
