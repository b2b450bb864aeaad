// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("libre setup") struct SetupCommandTests {
  private let sandbox = Sandbox.new()

  private var written: [String] {
    ["config/libre/config.toml", "config/libre/secrets/night", ImportedStore.standard].filter(sandbox.has)
  }

  private var configuration: String { sandbox.text(of: "config/libre/config.toml") }

  @Test("setup shows the reader, the store and the sinks; without a terminal it asks nothing and writes nothing")
  func explanation() throws {
    let outcome = try sandbox.run("setup")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    for part in [
      sandbox.path("data/libre/history.sqlite"), sandbox.path("config/libre/config.toml"), "not created yet",
      "No sink is set up", "Not for treatment decisions", "libre config set unit mmol/L", "nightscout", "libre read",
    ] { #expect(outcome.text.contains(part), "\(part)") }
    #expect(!outcome.text.contains("Enter") && written.isEmpty)
    // It says what each sink gets.
    try sandbox.done(
      "sink", "add", "out", "webhook", "url=http://127.0.0.1:9/x", "--send", "glucose.trend", "--send", "sensor")
    let filled = try sandbox.run("setup")
    let line = try #require(filled.lines.first { $0.contains("out (webhook at http://127.0.0.1:9/x) gets: ") })
    #expect(line.contains("a glucose value every minute, the sensor's serial number, state and age"))
    #expect(!line.contains("15 minutes"))
  }

  /// A terminal at which `libre setup` has asked for the unit, the zone and the calibration, which were left.
  private func atSinks() throws -> TerminalProgram {
    let terminal = try sandbox.terminal("setup")
    try terminal.answers([
      "Unit of glucose, ": "\n", "Time zone, ": "\n", "Calibration, ": "\n", "Set one up?": "",
    ])
    return terminal
  }

  @Test("at a terminal setup asks for unit, zone and calibration, writes the answers, and does not ask again")
  func settings() throws {
    let terminal = try sandbox.terminal("setup")
    try terminal.answers([
      "Unit of glucose, ": "stone\n", "invalid value stone for unit": "", "Unit of glucose, ": " mmol \n",
      "Time zone, ": "Europe/Rome\n", "reader gives the values of LibreLink 1.3 to 2.4": "",
      "Calibration, ": "reader\n", "Set one up?": "no\n", "Be told on this desktop": "\n",
    ])
    #expect(terminal.status() == 0, "\(terminal.shown)")
    let answers = "unit = \"mmol/L\"\ntime_zone = \"Europe/Rome\"\ncalibration = \"reader\"\n"
    #expect(configuration == answers)
    let again = try sandbox.terminal("setup")
    try again.answers(["Europe/Rome, set": "", "Set one up?": "\u{4}"])
    #expect(again.status() == 0 && !again.shown.contains("Unit of glucose, "))
    #expect(again.shown.contains("libre config unset time_zone, to follow this computer's"))
    #expect(configuration == answers)
  }

  @Test("at a terminal setup adds a sink like sink add; the secret is not shown")
  func sinkAtTerminal() throws {
    let terminal = try atSinks()
    terminal.type("nightscout\n")
    try terminal.answers([
      "Your name for it": "night\n", "url, ": "https://ns.example.org\n", "it is not shown": "",
    ])
    #expect(!terminal.echoes)
    terminal.type("planteX\u{7F}d\n")
    try terminal.answers([
      "[sinks.night]": "", "Write this to \(sandbox.path("config/libre/config.toml"))?": "",
    ])
    #expect(terminal.echoes && written.isEmpty)
    terminal.type("y\n")
    try terminal.answers([
      "libre sink test night": "", "Set one up?": "\n", "Be told on this desktop": "\n", "libre sync": "",
    ])
    #expect(terminal.status() == 0)
    #expect(!terminal.shown.contains("plante"))
    #expect(
      configuration
        == "[sinks.night]\ntype = \"nightscout\"\nsecret_file = \"secrets/night\"\nurl = \"https://ns.example.org\"\n")
    #expect(sandbox.text(of: "config/libre/secrets/night") == "planted\n")
  }

  @Test(
    "Enter skips a question, Ctrl-D ends the questions, and \"no\" means no: nothing is written",
    arguments: [
      ["\n"], ["No\n"], ["\u{4}"], ["file\n", "\n", "/tmp/out.ndjson\n", "\n", "\n"],
    ])
  func skipping(answers: [String]) throws {
    let terminal = try atSinks()
    let ends = ["Your name for it", "path, ", "Write this", "Set one up?"]
    terminal.type(answers[0])
    for (end, answer) in zip(ends, answers.dropFirst()) { try terminal.answers([end: answer]) }
    if answers != ["\u{4}"] { try terminal.answers(["Be told on this desktop": "\n"]) }
    try terminal.waits(for: "Next")
    #expect(terminal.status() == 0)
    #expect(written.isEmpty)
  }

  @Test("at a terminal setup adds the two alerts that everybody needs, and does not offer them again")
  func alertsAtTerminal() throws {
    let terminal = try atSinks()
    terminal.type("\n")
    try terminal.answers(["Be told on this desktop": "y\n", "libre alerts test scan-due": ""])
    #expect(terminal.status() == 0)
    #expect(try sandbox.run("alerts", "list").lines.dropFirst().map { $0.prefix(4) } == ["low ", "scan"])
    let again = try sandbox.terminal("setup")
    try again.answers(["Unit of glucose, ": "\n\n\n\n"])
    #expect(again.status() == 0 && !again.shown.contains("Be told on this desktop"))
  }

  @Test("an invalid answer is reported with a fix, and the question is asked again")
  func mistakes() throws {
    let terminal = try atSinks()
    terminal.type("gopher\n")
    try terminal.answers([
      "unknown type gopher": "", "Set one up?": "webhook\n", "Your name for it": "hook\n",
      "url, ": "http://example.org\n", "it is not shown": "\n", "unencrypted\n  Try: ": "", "Set one up?": "\u{4}",
    ])
    #expect(terminal.status() == 0)
    #expect(written.isEmpty)
  }

  @Test(
    "sink add --secret-stdin reads a secret without echo; Ctrl-C leaves the terminal and the files as they were"
  )
  func typedSecret() throws {
    let command = ["sink", "add", "night", "webhook", "url=https://example.org", "--secret-stdin"]
    let interrupted = try sandbox.terminal(command)
    try interrupted.waits(for: "Secret of night (it is not shown): ")
    #expect(!interrupted.echoes)
    interrupted.type("pla\u{3}")
    #expect(interrupted.status() == 130 && interrupted.echoes && written.isEmpty)
    let terminal = try sandbox.terminal(command)
    try terminal.answers(["Secret of night": "planted\n"])
    #expect(terminal.status() == 0 && !terminal.shown.contains("planted"))
    #expect(sandbox.text(of: "config/libre/secrets/night") == "planted\n")
  }

  @Test("--no-input prevents waiting for input: a secret that would be typed is an error that names the other ways")
  func refusedSecret() throws {
    let command = ["sink", "add", "night", "webhook", "url=https://example.org", "--secret-stdin"]
    for (more, environment) in [(["--no-input"], [:]), ([], ["LIBRE_NO_INPUT": "true"])] {
      let terminal = try sandbox.terminal(command + more, environment: environment)
      #expect(terminal.status() == 64)
      #expect(terminal.shown.contains("--secret-file FILE") && written.isEmpty, "\(terminal.shown)")
    }
    // There is no user at the other end of a pipe.
    try sandbox.done(command + ["--no-input"], input: Array("planted".utf8))
  }

  @Test("only the first read at a terminal mentions libre setup")
  func firstRead() throws {
    let command = ["read", "--reader", "sim:active", "--store", "s.sqlite"]
    let hint = "Try: libre setup"
    func shown(_ arguments: [String]) throws -> String {
      let terminal = try sandbox.terminal(arguments)
      #expect(terminal.status() == 0, "\(terminal.shown)")
      return terminal.shown
    }
    #expect(try !shown(["read", "--reader", "sim:active"]).contains(hint), "nothing of it is kept")
    #expect(try !shown(["read", "--reader", "sim:active", "--store", "q.sqlite", "--quiet"]).contains(hint))
    #expect(try !sandbox.run(["read", "--reader", "sim:active", "--store", "p.sqlite"]).errors.contains(hint))
    #expect(try shown(command).contains(hint))
    #expect(try !shown(command).contains(hint))
  }
}
