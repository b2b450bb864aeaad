// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Debian's own client, which records everything that a broker gets from its start to its end.
final class MQTTListener: Sendable {
  private let program: RunningProgram
  private let sandbox: Sandbox
  private let port: Int

  /// Listens when this returns.
  init(_ broker: MosquittoBroker, _ sandbox: Sandbox) throws {
    port = broker.port
    self.sandbox = sandbox
    program = try sandbox.start(
      program: "/usr/bin/mosquitto_sub",
      ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", "#", "-t", "$SYS/broker/version", "-F", "%t %r %p"])
    // The broker sends this to every client that begins to listen.
    try eventually("the listener has been accepted") { try program.lines().contains { $0.hasPrefix("$SYS/") } }
  }

  deinit { program.send(SIGKILL) }

  private static let mark = "end-of-this-test"

  /// All messages so far: topic, whether the broker had kept it from before, payload.
  ///
  /// Publishes a message of our own and waits for it: all earlier messages have come before it.
  func messages() throws -> [(topic: String, isRetained: Bool, payload: String)] {
    let word = UUID().uuidString
    try ProgramRun.output(
      "mosquitto_pub", ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", Self.mark, "-m", word], in: sandbox.url)
    var lines: [String] = []
    try eventually("the listener gets our own message") {
      lines = try program.lines()
      return lines.contains { $0.hasSuffix(word) }
    }
    return lines.compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3, parts[0] != Self.mark, !parts[0].hasPrefix("$SYS/") else { return nil }
      return (parts[0], parts[1] == "1", parts[2])
    }
  }

  /// The samples among them, doubles included.
  func samples() throws -> [(id: String, value: HeldValue)] {
    try messages().filter { $0.topic.hasSuffix("/sample") }.compactMap { message in
      let json = try JSONValue(parsing: message.payload.utf8)
      guard let id = json["id"].text, let value = HeldValue(json["time"].text, json["glucose_mg_dl"].number) else {
        return nil
      }
      return (id, value)
    }
  }
}
