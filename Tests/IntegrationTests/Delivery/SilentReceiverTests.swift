// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("A receiver that never answers does not delay reading", .startsProcesses, .onOwnThreads)
struct SilentReceiverTests {
  private let sender: Sender
  private let server: FaultyServer

  /// A sink that has everything, and whose receiver is silent from then on.
  init() throws {
    sender = try Sender()
    server = try FaultyServer(WebhookReceiver())
    let section = TestedSink.webhook.section(server.url)
    try sender.sandbox.write("[sync]\nmode = \"automatic\"\n\n\(section)", to: "config/libre/config.toml")
    let first = try sender.sync(environment: TestedSink.webhook.environment)
    #expect(first.status == 0, "\(first.errors)")
    server.set(.always(.silent))
  }

  private func start(_ arguments: String..., waitSeconds: String) throws -> RunningProgram {
    var environment = TestedSink.webhook.environment
    environment["LIBRE_SYNC_WAIT_SECONDS"] = waitSeconds
    return try sender.sandbox.start(
      program: Sandbox.binary, arguments + ["--store", Sender.store, "--ndjson"], environment: environment)
  }

  private func expectAllArrives() throws {
    server.set(.none)
    #expect(try sender.outbox().pending > 0)
    let rest = try sender.sync("--now", environment: TestedSink.webhook.environment)
    #expect(rest.status == 0, "\(rest.text) \(rest.errors)")
    #expect(try sender.outbox().pending == 0)
  }

  @Test("read ends after sync.wait_seconds, reports this, and keeps the remaining samples in the outbox")
  func read() throws {
    let outcome = try start("read", "--reader", "sim:active", waitSeconds: "1").outcome()
    #expect(outcome.status == 0 && outcome.lines.count == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("not everything was sent within 1 s; the rest stays in the outbox"))
    #expect(outcome.errors.contains("Try: libre sync"))
    try expectAllArrives()
  }

  @Test("watch continues to read while the receiver is silent")
  func watch() throws {
    let watch = try start("watch", "--reader", "sim:active:30", "--interval", "0.1", waitSeconds: "1")
    defer { watch.send(SIGKILL) }
    try eventually("a request that nobody answers, and then three more readings") {
      try server.faults > 0 && watch.lines().count > 4
    }
    watch.send(SIGINT)
    #expect(try watch.outcome().status == 130)
    try expectAllArrives()
  }
}
