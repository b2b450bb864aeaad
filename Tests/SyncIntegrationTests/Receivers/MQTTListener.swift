// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Debian's own client, which writes down everything that a broker gets, from its start to its end.
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
      ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", "#", "-t", "$SYS/broker/uptime", "-F", "%t %r %p"])
    // The broker says this to everyone who begins to listen.
    while try !program.lines().contains(where: { $0.hasPrefix("$SYS/") }) { Thread.sleep(forTimeInterval: 0.01) }
  }

  deinit { program.send(SIGKILL) }

  private static let mark = "end-of-this-test"

  /// All messages that have come: topic, whether it was kept there from before, payload.
  ///
  /// Waits until a message of our own has come, which is after all others.
  func messages() throws -> [(topic: String, isRetained: Bool, payload: String)] {
    let word = UUID().uuidString
    try ProgramRun.output(
      "mosquitto_pub", ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", Self.mark, "-m", word], in: sandbox.url)
    var lines = try program.lines()
    while !lines.contains(where: { $0.hasSuffix(word) }) {
      Thread.sleep(forTimeInterval: 0.01)
      lines = try program.lines()
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
