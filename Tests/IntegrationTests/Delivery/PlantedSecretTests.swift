// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A secret is given in every way, to receivers that repeat it in their answers; it must appear nowhere else.
@Suite("A secret stays secret", .startsProcesses, .onOwnThreads)
struct PlantedSecretTests: Sendable {
  private let secret = PlantedSecret()
  private static let file = "secrets/one"

  /// The line of a sink's section that says where its secret is, and the environment that has it. A command runs
  /// `before` first.
  private func origin(
    _ way: PlantedSecret.Way, of name: String, in sandbox: Sandbox, before: String = ":"
  ) throws -> (line: String, environment: [String: String]) {
    try sandbox.write("\(secret.text)\n", to: Self.file)
    chmod(sandbox.path(Self.file), 0o600)
    switch way {
    case .file: return ("secret_file = \"\(sandbox.path(Self.file))\"\n", [:])
    case .command: return ("secret_command = \"\(before); cat '\(sandbox.path(Self.file))'\"\n", [:])
    case .environment:
      let variable = "LIBRE_SECRET_\(name.uppercased().replacingOccurrences(of: "-", with: "_"))"
      return ("", [variable: secret.text])
    }
  }

  private func expectHidden(_ outcome: Outcome, _ comment: String) {
    #expect(secret.found(in: outcome.output) == [], "\(comment): standard output")
    #expect(secret.found(in: Array(outcome.errors.utf8)) == [], "\(comment): standard error")
  }

  /// All files that the commands have left.
  private func expectHidden(in sandbox: Sandbox, _ comment: String) throws {
    #expect(try secret.files(in: sandbox.url, except: [Self.file]) == [], "\(comment)")
  }

  /// The commands that show how sending has gone, and the set-up, to programs and to people.
  private static let commands = [
    ["sync", "--dry-run", "--now"], ["sync", "--dry-run", "--now", "--json", "-v", "-v"],
    ["sync", "--now", "-v", "-v"], ["sink", "enable", TestedSink.name], ["sync", "--now", "--json", "-v", "-v"],
    ["config", "show"], ["config", "check"], ["sink", "list", "--json"], ["sink", "test", "--json", "-v", "-v"],
    ["sink", "show", TestedSink.name, "--json"], ["sink", "test"], ["status", "--probe"],
    ["status", "--json", "-v", "-v"], ["outbox", "list"], ["outbox", "list", "--json"],
    ["sink", "enable", TestedSink.name],
  ]

  /// SinkConformanceTests have every kind of sink; this is what the commands print of one.
  @Test(
    "does not appear in the output of any command, if the receiver repeats it",
    arguments: PlantedSecret.Way.allCases)
  func outputs(_ way: PlantedSecret.Way) throws {
    let encoded = secret.text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let redirect = Fault.status(302, ["Location: http://127.0.0.1:9/\(encoded)?secret=\(encoded)"])
    let sender = try Sender(.single)
    let server = try FaultyServer(WebhookReceiver())
    let origin = try origin(way, of: TestedSink.name, in: sender.sandbox)
    try sender.configure(TestedSink.nightscout.section(server.url) + origin.line)
    for answer in way == .file ? [Fault.echo(401), redirect] : [.echo(401)] {
      server.set(.always(answer))
      for command in Self.commands {
        let outcome =
          command[0] == "config"
          ? try sender.sandbox.run(command, environment: origin.environment)
          : try sender.libre(command, environment: origin.environment)
        #expect(outcome.status != 64, "\(command): \(outcome.errors)")
        expectHidden(outcome, "\(way), \(answer), \(command.joined(separator: " "))")
      }
    }
    #expect(server.requests.contains { !secret.found(in: Array("\($0.line) \($0.headers)".utf8)).isEmpty })
    try expectHidden(in: sender.sandbox, "\(way)")
  }

  @Test(
    "does not appear in the process table, for other users or for child processes",
    arguments: PlantedSecret.Way.allCases)
  func processes(_ way: PlantedSecret.Way) throws {
    let sender = try Sender(.single)
    let server = try FaultyServer(NightscoutSite(), .always(.status(401)))
    let origin = try origin(
      way, of: TestedSink.name, in: sender.sandbox, before: ProcessTree.waiting(for: sender.sandbox.path("seen-one")))
    // The program that prints one secret must not get another one in its environment.
    let wait = ProcessTree.waiting(for: sender.sandbox.path("seen-other"))
    let other = "secret_command = \"env > '\(sender.sandbox.path("other"))'; \(wait); echo word\"\n"
    try sender.configure(
      TestedSink.webhook.section(server.url, name: "other") + other,
      TestedSink.nightscout.section(server.url) + origin.line)
    let program = try sender.sandbox.start(
      program: Sandbox.binary, ["sync", "-v", "-v", "--store", Sender.store], environment: origin.environment)
    let tree = ProcessTree(watching: program)
    expectHidden(try program.outcome(), "\(way)")
    #expect(server.requests.count == 2)
    #expect(tree.commands.contains { String(decoding: $0, as: UTF8.self).contains("sync") })
    for command in tree.commands { #expect(secret.found(in: command) == [], "\(way): cmdline") }
    #expect(!tree.environments.isEmpty, "the command for the secret was not seen")
    for environment in tree.environments { #expect(secret.found(in: environment) == [], "\(way): environ of a child") }
    if way != .environment { #expect(secret.found(in: tree.ownEnvironment) == [], "\(way): environ") }
    try expectHidden(in: sender.sandbox, "\(way)")
    #expect(FileManager.default.fileExists(atPath: sender.sandbox.path("other")))
  }
}
