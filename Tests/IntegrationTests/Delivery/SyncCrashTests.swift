// SPDX-License-Identifier: Apache-2.0
import Foundation
import Libre1Core
import Synchronization
import TestSupport
import Testing

/// `kill -9` of the command at random moments of its sending, with imports in between: afterwards each receiver has
/// everything, once where it has a key.
///
/// A moment is a step of the conversation with the receiver, so that it does not depend on how busy the machine is.
/// `LIBRE_SEED` repeats the choices.
@Suite("Sync that is killed", .startsProcesses, .needsMosquitto, .onOwnThreads)
struct SyncCrashTests {
  /// One for each kind of receiver, or 33.
  private static let kills = TestTier.rounds(3, full: 100)

  /// One store and the three receivers that it sends to.
  private struct Household: Sendable {
    let sender: Sender
    let hook = WebhookReceiver()
    let site = NightscoutSite()
    let servers: [FaultyServer]
    let listener: MQTTListener
    let broker: MosquittoBroker
    /// Passes on what the client and the broker send, and counts the pieces.
    let relay: LoopbackServer
    let trap = Trap()
    static let names = ["hook", "night", "topics"]
    static let environment = [
      "LIBRE_SECRET_HOOK": WebhookReceiver.secret, "LIBRE_SECRET_NIGHT": NightscoutSite.secret,
    ]

    init() throws {
      sender = try Sender()
      servers = [try FaultyServer(hook), try FaultyServer(site)]
      broker = try MosquittoBroker(in: sender.sandbox.url)
      listener = try MQTTListener(broker, sender.sandbox)
      relay = try LoopbackServer { [trap, port = broker.port] connection in
        var piece = -1
        connection.relay(to: port) {
          piece += 1
          trap.reached(piece)
        }
      }
      try sender.configure(
        TestedSink.webhook.section(servers[0].url, name: "hook"),
        TestedSink.nightscout.section(servers[1].url, name: "night"),
        MQTTSection.text(port: relay.port, name: "topics"))
    }

    func sync(_ names: [String]) -> [String] {
      ["sync", "--store", Sender.store, "--now"] + names.flatMap { ["--sink", $0] }
    }
  }

  @Test("loses no sample, and duplicates none if samples have a key")
  func kills() throws {
    let seed = ProcessInfo.processInfo.environment["LIBRE_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 1...99_999)
    print("SyncCrashTests: LIBRE_SEED=\(seed)")
    var random = SplitMix64(seed: seed)
    let home = try Household()
    // Slow answers have parts, so that kills fall between what is done and what is known to be done.
    for server in home.servers {
      server.set(.always(.slow))
      server.onPart { [trap = home.trap] in trap.reached($0) }
    }
    var (kills, runs) = (0, 0)
    var age = 600 + Stock.step * 3
    while kills < Self.kills, runs < 10 * Self.kills, age < 20_000 {
      let name = Household.names[runs % Household.names.count]
      runs += 1
      age += 15 * random.number(1...8)
      try home.sender.importDump(age: age)
      // The greeting and its answer, and some messages and their acknowledgements.
      let run = try run(home, name, at: random.number(0...(name == "topics" ? 3 : FaultyServer.lastPart)))
      kills += run.status == 128 + SIGKILL ? 1 : 0
      #expect([0, 128 + SIGKILL].contains(run.status), "seed \(seed): \(run)")
    }
    #expect(kills >= Self.kills, "of \(runs) runs")
    home.trap.arm(nil)
    for server in home.servers { server.set(.none) }
    let last = try home.sender.sandbox.run(home.sync([]), environment: Household.environment)
    #expect(last.status == 0, "seed \(seed): \(last)")
    #expect(try home.sender.libre(["store", "check"]).status == 0)
    try check(home, "seed \(seed)")
  }

  private func run(_ home: Household, _ name: String, at step: Int) throws -> Outcome {
    home.trap.arm(step)
    let program = try home.sender.sandbox.start(
      program: Sandbox.binary, home.sync([name]), environment: Household.environment)
    home.trap.aim(program)
    return try program.outcome()
  }

  private func check(_ home: Household, _ comment: String) throws {
    let samples = try home.sender.samples()
    #expect(samples.count > 100)
    let ids = samples.map(\.id).sorted()
    #expect(home.hook.ids.sorted() == ids, "\(comment)")
    #expect(home.hook.changed.isEmpty, "\(comment)")
    expectDelivered(samples, home.site, .nightscout, comment)
    #expect(home.site.held.count == samples.count)
    #expect(Set(try home.listener.samples().map(\.id)) == Set(ids), "\(comment)")
    for name in Household.names {
      let outbox = try home.sender.outbox(name)
      #expect(outbox.pending == 0 && outbox.dead.isEmpty, "\(comment): \(name)")
    }
  }
}

/// Kills a program when its conversation with a receiver reaches a step.
private final class Trap: Sendable {
  private let state = Mutex<(step: Int?, program: RunningProgram?)>((nil, nil))

  /// For the next program; nil to let it live.
  func arm(_ step: Int?) { state.withLock { $0 = (step, nil) } }

  func aim(_ program: RunningProgram) { state.withLock { $0.program = program } }

  /// Returns when the program has ended, if this is the step.
  func reached(_ step: Int) {
    guard state.withLock({ $0.step == step }) else { return }
    try? eventually("the program is known") { state.withLock { $0.program != nil } }
    let program = state.withLock { $0.program }
    program?.send(SIGKILL)
    _ = program?.ends(by: .distantFuture)
  }
}
