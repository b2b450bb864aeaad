// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A secret that is planted in every way, with receivers that say it back, is seen by nobody else.
@Suite("A secret stays one", .timeLimit(.minutes(3)))
struct PlantedSecretTests: Sendable {
  private let secret = PlantedSecret()
  private static let file = "secrets/one"

  /// The place of a sink's secret in its section, and what the environment gets.
  private func origin(_ way: PlantedSecret.Way, of name: String, in sandbox: Sandbox) throws
    -> (line: String, environment: [String: String])
  {
    try sandbox.write("\(secret.text)\n", to: Self.file)
    chmod(sandbox.path(Self.file), 0o600)
    switch way {
    case .file: return ("secret_file = \"\(sandbox.path(Self.file))\"\n", [:])
    case .command: return ("secret_command = \"sleep 0.05; cat '\(sandbox.path(Self.file))'\"\n", [:])
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

  /// What shows how sending has gone.
  private static let commands = [
    ["sync", "--now", "--json", "-v", "-v"], ["status", "--json", "-v", "-v"], ["outbox", "list", "--json"],
  ]
  /// What shows how it is set up, and the same for people.
  private static let others = [
    ["sync", "--dry-run", "--now"], ["sync", "--dry-run", "--now", "--json", "-v", "-v"],
    ["sync", "--now", "-v", "-v"],
    ["config", "show"], ["config", "check"], ["sink", "list", "--json"], ["sink", "test", "--json", "-v", "-v"],
    ["sink", "show", TestedSink.name, "--json"], ["sink", "test"], ["status", "--probe"], ["outbox", "list"],
  ]

  /// Servers that say back what they were asked, as each kind of refusal, and as the place of a redirect.
  private func plans(_ way: PlantedSecret.Way) -> [(name: String, plan: FaultPlan)] {
    let encoded = secret.text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let plans: [(String, FaultPlan)] =
      [401, 400, 500].map { ("echo \($0)", .always(.echo($0))) } + [
        ("redirect", .always(.status(302, ["Location: http://127.0.0.1:9/\(encoded)?secret=\(encoded)"])))
      ]
    return way == .file ? plans : Array(plans.prefix(1))
  }

  @Test("in all that any command writes, whatever the receivers answer", arguments: PlantedSecret.Way.allCases)
  func outputs(_ way: PlantedSecret.Way) async throws {
    // What becomes of it does not depend on where it came from.
    let others: [TestedSink] = way == .file ? [] : [.webhook, .vital, .tidepool, .fhir, .influx2]
    try await TestedSink.each(except: others) { sink in
      let sender = try Sender(.single)
      let server = try FaultyServer(WebhookReceiver())
      let origin = try origin(way, of: TestedSink.name, in: sender.sandbox)
      try sender.configure(sink.section(server.url) + origin.line)
      for (name, plan) in plans(way) {
        server.set(plan)
        for command in (name == "echo 401" ? Self.others : []) + Self.commands {
          let outcome =
            command[0] == "config"
            ? try sender.sandbox.run(command, environment: origin.environment)
            : try sender.libre(command, environment: origin.environment)
          #expect(outcome.status != 64, "\(command): \(outcome.errors)")
          expectHidden(outcome, "\(sink), \(way), \(name), \(command.joined(separator: " "))")
        }
        let enabled = try sender.libre(["sink", "enable", TestedSink.name], environment: origin.environment)
        expectHidden(enabled, "\(sink), \(way), \(name), sink enable")
      }
      // The receiver did get it, if only as the key of a signature.
      let got = server.requests.contains { !secret.found(in: Array("\($0.line) \($0.headers)".utf8)).isEmpty }
      #expect(got == (sink != .webhook), "\(sink)")
      try expectHidden(in: sender.sandbox, "\(sink), \(way)")
    }
  }

  @Test(
    "in the table of processes, for others and for programs that are started", arguments: PlantedSecret.Way.allCases)
  func processes(_ way: PlantedSecret.Way) throws {
    let sender = try Sender(.single)
    let server = try FaultyServer(NightscoutSite(), .always(.status(401)))
    let origin = try origin(way, of: TestedSink.name, in: sender.sandbox)
    // A secret from the environment is no business of the program that gives another.
    let other = "secret_command = \"env > '\(sender.sandbox.path("other"))'; sleep 0.1; echo word\"\n"
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

  @Test("with a broker, whose password it is", .needsMosquitto, arguments: PlantedSecret.Way.allCases)
  func broker(_ way: PlantedSecret.Way) throws {
    let sender = try Sender(.single)
    // Beside the sandbox, whose files are looked through.
    let folder = try Sandbox()
    let origin = try origin(way, of: TestedSink.name, in: sender.sandbox)
    try ProgramRun.output(
      "mosquitto_passwd", ["-b", "-c", "users", PlantedSecret.user, secret.text], in: folder.url)
    try ProgramRun.output("chmod", ["600", "users"], in: folder.url)
    let broker = try MosquittoBroker(in: folder.url, settings: "password_file \(folder.path("users"))")
    try sender.configure(MQTTSection.text(port: broker.port, "user = \"\(PlantedSecret.user)\"") + origin.line)
    for command in [
      ["sync", "--dry-run"], ["sync", "--json", "-v", "-v"], ["sink", "show", "one"], ["sink", "test"],
    ] {
      let outcome = try sender.libre(command, environment: origin.environment)
      #expect(outcome.status == 0, "\(command) \(outcome.errors)")
      expectHidden(outcome, "\(way), \(command)")
    }
    let wrong = try MosquittoBroker(
      in: folder.url, settings: "password_file \(try folder.write("nobody:$7$101$AAAA$AAAA\n", to: "none"))")
    try sender.configure(
      MQTTSection.text(port: wrong.port, name: "two", "user = \"\(PlantedSecret.user)\"") + origin.line)
    let environment = origin.environment.isEmpty ? [:] : ["LIBRE_SECRET_TWO": secret.text]
    for command in [["sync", "-v", "-v"], ["status", "--probe"], ["sink", "show", "two", "--json"]] {
      expectHidden(try sender.libre(command, environment: environment), "\(way), \(command)")
    }
    try expectHidden(in: sender.sandbox, "\(way)")
  }

  @Test("when it is given wrongly: a file that others can read, a command that fails, an address with a password")
  func mistakes() throws {
    let sender = try Sender(.single)
    let server = try FaultyServer(WebhookReceiver())
    let path = sender.sandbox.path(Self.file)
    _ = try origin(.file, of: "one", in: sender.sandbox)
    let section = TestedSink.nightscout.section(server.url)
    chmod(path, 0o640)
    try sender.configure(section + "secret_file = \"\(path)\"\n")
    for command in [["sync"], ["sink", "test"], ["sync", "--dry-run"], ["sink", "show", "one"], ["status"]] {
      let outcome = try sender.libre(command)
      expectHidden(outcome, "\(command)")
      if command == ["sync"] {
        #expect([77, 78].contains(outcome.status))
        #expect((outcome.errors + outcome.text).contains("chmod 600 \(path)"), "\(outcome)")
      }
    }
    chmod(path, 0o600)
    // It gives the secret, and fails: the words of the failure do not show what it gave.
    try sender.configure(section + "secret_command = \"cat '\(path)'; exit 3\"\n")
    expectHidden(try sender.libre(["sync", "-v", "-v"]), "a command that fails")
    #expect(server.requests.isEmpty)
    // What a user puts into the wrong place is not said again either.
    let address = "http://ann:\(secret.text.filter { $0.isLetter || $0.isNumber })@127.0.0.1:\(server.port)"
    try sender.configure()
    expectHidden(
      try sender.libre(["sink", "add", "one", "webhook", "url=\(address)"]), "a password in an address")
    expectHidden(
      try sender.libre(["sink", "add", "one", "webhook", "url=\(server.url)", "secret=\(secret.text)"]),
      "a secret as an argument")
    try expectHidden(in: sender.sandbox, "mistakes")
  }

  @Test("given by standard input, it is in one file, which is its owner's alone")
  func standardInput() throws {
    let sender = try Sender(.single)
    let receiver = NightscoutSite()
    let server = try FaultyServer(receiver)
    let outcome = try sender.sandbox.run(
      [
        "sink", "add", "night", "nightscout", "url=\(server.url)", "--backfill-days", "36500", "--secret-stdin",
        "--store", Sender.store,
      ], input: Array("\(secret.text)\n".utf8))
    #expect(outcome.status == 0, "\(outcome.errors)")
    expectHidden(outcome, "sink add")
    // What was given to it is in the sandbox too.
    let files = try secret.files(in: sender.sandbox.url, except: []).filter { !$0.hasSuffix(".in") }
    #expect(files.count == 1, "\(files)")
    let file = try #require(files.first)
    #expect(!file.hasSuffix("config.toml"))
    let mode = try FileManager.default.attributesOfItem(atPath: sender.sandbox.path(file))[.posixPermissions] as? Int
    #expect(mode == 0o600)
    // And it is the one that is used.
    #expect(try sender.libre(["sync"]).status == 77)
    #expect(server.requests.last?["api-secret"] == secret.forms[1])
  }
}
