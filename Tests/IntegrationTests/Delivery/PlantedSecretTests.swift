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

  /// The commands that show how sending has gone.
  private static let commands = [
    ["sync", "--now", "--json", "-v", "-v"], ["status", "--json", "-v", "-v"], ["outbox", "list", "--json"],
  ]
  /// The commands that show the set-up, and the same for people.
  private static let others = [
    ["sync", "--dry-run", "--now"], ["sync", "--dry-run", "--now", "--json", "-v", "-v"],
    ["sync", "--now", "-v", "-v"],
    ["config", "show"], ["config", "check"], ["sink", "list", "--json"], ["sink", "test", "--json", "-v", "-v"],
    ["sink", "show", TestedSink.name, "--json"], ["sink", "test"], ["status", "--probe"], ["outbox", "list"],
  ]

  /// Servers that repeat the request in each kind of refusal, and in the place of a redirect.
  ///
  /// In `make full` every sink meets all of them. Otherwise each meets one, after Nightscout has met the first.
  private func plans(_ way: PlantedSecret.Way, _ sink: TestedSink) -> [(name: String, plan: FaultPlan)] {
    let encoded = secret.text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let plans: [(String, FaultPlan)] =
      [401, 400, 500].map { ("echo \($0)", .always(.echo($0))) } + [
        ("redirect", .always(.status(302, ["Location: http://127.0.0.1:9/\(encoded)?secret=\(encoded)"])))
      ]
    guard way == .file else { return Array(plans.prefix(1)) }
    if TestTier.current == .full { return plans }
    let position = TestedSink.allCases.firstIndex(of: sink) ?? 0
    return [plans[position % plans.count]]
  }

  @Test("does not appear in the output of any command, for any answer of the receivers")
  func outputs() async throws {
    // What happens to the secret does not depend on where it came from: the other ways are for a few sinks only.
    let others: [TestedSink] = TestTier.current == .full ? [.nightscout, .nightscoutV3, .influx] : [.nightscout]
    let pairs = PlantedSecret.Way.allCases.flatMap { way in
      (way == .file ? TestedSink.allCases : others).map { (way: way, sink: $0) }
    }
    try await atOnce(pairs) { way, sink in
      let sender = try Sender(.single)
      let server = try FaultyServer(WebhookReceiver())
      let origin = try origin(way, of: TestedSink.name, in: sender.sandbox)
      try sender.configure(sink.section(server.url) + origin.line)
      for (name, plan) in plans(way, sink) {
        server.set(plan)
        // The commands that show the set-up do so for every sink in the same way.
        let isShown = name == "echo 401" && (sink == .nightscout || TestTier.current == .full)
        for command in (isShown ? Self.others : []) + Self.commands {
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
      // The receiver did get it, but for the webhook, which signs with it.
      let got = server.requests.contains { !secret.found(in: Array("\($0.line) \($0.headers)".utf8)).isEmpty }
      #expect(got == (sink != .webhook), "\(sink)")
      try expectHidden(in: sender.sandbox, "\(sink), \(way)")
    }
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

  @Test(
    "does not appear anywhere if it is the password of a broker", .needsMosquitto,
    arguments: TestTier.current == .full ? PlantedSecret.Way.allCases : [.file])
  func broker(_ way: PlantedSecret.Way) throws {
    let sender = try Sender(.single)
    // Next to the sandbox, whose files are searched.
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

  @Test("does not appear in errors: a file that others can read, a failed command, an address with a password")
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
    // The command prints the secret and fails: the error does not show its output.
    try sender.configure(section + "secret_command = \"cat '\(path)'; exit 3\"\n")
    expectHidden(try sender.libre(["sync", "-v", "-v"]), "a command that fails")
    #expect(server.requests.isEmpty)
    // A secret that a user puts into the wrong place is not repeated either.
    let address = "http://ann:\(secret.text.filter { $0.isLetter || $0.isNumber })@127.0.0.1:\(server.port)"
    try sender.configure()
    expectHidden(
      try sender.libre(["sink", "add", "one", "webhook", "url=\(address)"]), "a password in an address")
    expectHidden(
      try sender.libre(["sink", "add", "one", "webhook", "url=\(server.url)", "secret=\(secret.text)"]),
      "a secret as an argument")
    try expectHidden(in: sender.sandbox, "mistakes")
  }

  @Test("is stored in one file, readable by its owner only, if it is given on standard input")
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
