// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("libre sink") struct SinkCommandTests {
  private let sandbox = Sandbox.new(["active.hex": "dump.hex"])

  private var configuration: String { sandbox.text(of: "config/libre/config.toml") }

  private func importDump() throws {
    try ImportedStore.copy(to: ImportedStore.standard, in: sandbox, readAt: nil)
  }

  private func sink(_ name: String) throws -> JSONValue {
    try sandbox.run("sink", "show", name, "--json").json()["sinks"][0]
  }

  private func add(_ arguments: String..., input: String = "") throws -> Outcome {
    try sandbox.run(["sink", "add"] + arguments, input: Array(input.utf8))
  }

  @Test("add writes a section and a secret, and queues the last 90 days")
  func add() throws {
    try importDump()
    let outcome = try add("night", "nightscout", "url=http://127.0.0.1:9", "--secret-stdin", input: "planted\nmore\n")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.contains("queued        32"))
    #expect(
      configuration
        == "[sinks.night]\ntype = \"nightscout\"\nsecret_file = \"secrets/night\"\nurl = \"http://127.0.0.1:9\"\n")
    #expect(sandbox.text(of: "config/libre/secrets/night") == "planted\n")
    let shown = try sink("night")
    #expect(shown["status"] == .string("enabled") && shown["status_code"] == .number(3))
    #expect(shown["pending"] == .number(32) && shown["send"] == .array([.string("glucose.history")]))
    #expect(try add("night", "file", "path=-").status == 64)
    try sandbox.done("config", "check")
  }

  @Test("a secret next to the configuration moves with it to another user")
  func move() throws {
    #expect(
      try add("night", "nightscout", "url=http://127.0.0.1:9", "--secret-stdin", input: "planted\n").status == 0)
    let key = sandbox.path("config/libre/own-key")
    try "other\n".write(toFile: key, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    #expect(try add("day", "nightscout", "url=http://127.0.0.1:9", "--secret-file", key).status == 0)
    try sandbox.write("", to: "config/libre/ca.pem")
    let broker = try add("home", "mqtt", "url=mqtts://broker.example", "ca_file=config/libre/ca.pem")
    #expect(broker.status == 0 && configuration.contains("ca_file = \"ca.pem\""), "\(configuration)")
    #expect(!configuration.contains(sandbox.path("config")))
    try FileManager.default.moveItem(atPath: sandbox.path("config"), toPath: sandbox.path("moved"))
    let moved = ["XDG_CONFIG_HOME": sandbox.path("moved")]
    try sandbox.done(["config", "check"], environment: moved)
    let shown = try sandbox.run(["sink", "show", "night", "--json"], environment: moved).json()["sinks"][0]
    #expect(shown["secret_from"].text == sandbox.path("moved/libre/secrets/night"))
  }

  @Test("a broker gets the newest value and later ones, in the unit of the setting, and add says so")
  func broker() throws {
    try importDump()
    try sandbox.done("config", "set", "unit", "mmol/L")
    let outcome = try add("home", "mqtt", "url=mqtt://127.0.0.1:9")
    #expect(outcome.status == 0 && outcome.text.contains("unit          mmol/L"), "\(outcome.text) \(outcome.errors)")
    #expect(outcome.text.contains("queued        1"), "\(outcome.text)")
    #expect(outcome.errors.contains("a broker keeps no past values") && outcome.errors.contains("--backfill-days"))
    let requests = try sandbox.run("sync", "--dry-run").text
    #expect(requests.contains("\"unit_of_measurement\":\"mmol/L\"") && requests.contains("\"expire_after\":1200"))
    let more = try add("past", "mqtt", "url=mqtt://127.0.0.1:9", "--backfill-days", "36500", "unit=mg/dL")
    #expect(more.text.contains("queued        32") && more.text.contains("unit          mg/dL"), "\(more.text)")
  }

  @Test("add --dry-run shows the section and writes nothing, not even the secret")
  func rehearsal() throws {
    let outcome = try add(
      "home", "mqtt", "url=mqtts://broker.example.org", "expire_after=1200", "user=me", "--send", "glucose.trend",
      "--backfill-days", "7", "--secret-stdin", "--dry-run", input: "planted")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines.first == "[sinks.home]")
    #expect(outcome.lines.contains("backfill_days = 7") && outcome.lines.contains("send = [\"glucose.trend\"]"))
    #expect(configuration.isEmpty && !outcome.text.contains("planted"))
    #expect(!sandbox.has("config/libre/secrets/home") && !sandbox.has(ImportedStore.standard))
  }

  @Test(
    "add, set and enable refuse invalid input, name it, and change nothing",
    arguments: [
      (["add", "Night", "file", "path=/x"], 64, "Night"), (["add", "a", "gopher", "path=/x"], 64, "gopher"),
      (["add", "a", "file", "path=/x", "colour=red"], 78, "colour"),
      (["add", "a", "file", "path"], 64, "KEY=VALUE"), (["add", "a", "file", "path=/x", "path=/y"], 64, "path"),
      (["add", "a", "file", "path=/x", "type=mqtt"], 64, "type"),
      (["add", "a", "webhook", "url=https://me:planted@example.org"], 78, "url"),
      (["add", "a", "webhook", "url=https://example.org", "secret=planted"], 64, "--secret-stdin"),
      (["add", "a", "nightscout", "url=https://example.org", "--secret-file", "/nowhere"], 77, "/nowhere"),
      (["add", "a", "file", "path=/x", "--backfill-days", "40000"], 78, "backfill_days"),
      (["set", "nobody", "path=/y"], 64, "hook"), (["set", "hook", "url="], 78, "url"),
      (["set", "hook", "secret=planted"], 64, "secret_file=FILE"),
      (["set", "hook", "secret_file=/nowhere"], 77, "/nowhere"), (["set", "hook", "type="], 78, "type"),
      (["set", "hook"], 64, "key=value"), (["set", "inline", "path=/y"], 78, "edit [sinks.inline]"),
      (["enable", "off"], 78, "enabled"),
    ])
  func refusals(arguments: [String], status: Int32, culprit: String) throws {
    let text = """
      sinks.inline = { type = "file", path = "/x" }
      sinks.off = { type = "file", path = "/x", enabled = false }
      [sinks.hook]
      type = "webhook"
      url = "https://example.org"

      """
    try sandbox.write(text, to: "config/libre/config.toml")
    let outcome = try sandbox.run(["sink"] + arguments)
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains(culprit) && outcome.errors.contains("Try: "), "\(outcome.errors)")
    #expect(!outcome.errors.contains("planted") && configuration == text)
    #expect(arguments[0] != "add" || !sandbox.has(ImportedStore.standard))
  }

  @Test("add and remove do not change the rest of the file, including comments and line endings")
  func editing() throws {
    let before = ["# mine", "unit = \"mmol/L\"  # of course", "", "# about sending", "[sync]", "mode = \"manual\"", ""]
      .joined(separator: "\r\n")
    try sandbox.write(before, to: "config/libre/config.toml")
    #expect(try sandbox.shell("chmod 644 config/libre/config.toml").status == 0)
    #expect(try add("new", "file", "path=out.ndjson", "--backfill-days", "1").status == 0)
    #expect(
      configuration.hasPrefix(before)
        && configuration.hasSuffix("backfill_days = 1\r\npath = \"\(sandbox.path("out.ndjson"))\"\r\n"))
    try sandbox.done("sink", "remove", "new")
    #expect(configuration == before)
    let mode = try FileManager.default.attributesOfItem(atPath: sandbox.path("config/libre/config.toml"))[
      .posixPermissions]
    #expect(mode as? Int == 0o644)
    #expect(try sandbox.run("sink", "remove", "new").status == 64)
  }

  @Test("disable keeps the queue of a sink, enable continues it, --skip-gap skips it")
  func enabling() throws {
    try importDump()
    #expect(try add("out", "file", "path=out.ndjson").status == 0)
    try sandbox.done("sink", "disable", "out")
    let disabled = try sink("out")
    #expect(disabled["status_code"] == .number(2) && disabled["pending"] == .number(32))
    let skipped = try sandbox.run("sync", "--json")
    #expect(try skipped.status == 0 && skipped.ndjson().map { $0["event"] } == [.string("paused")])
    #expect(try sandbox.run("sink", "enable", "out", "--skip-gap").text == "out: enabled, 0 queued\n")
    #expect(try sandbox.run("sync", "--json").ndjson().map { $0["event"] } == [.string("nothingToSync")])
    #expect(try sandbox.run("sink", "disable", "nobody").status == 64)
  }

  @Test("remove deletes the section, the secret and the queue; parked samples only with --purge; the history stays")
  func remove() throws {
    try importDump()
    #expect(try add("hook", "webhook", "url=http://127.0.0.1:9", "--secret-stdin", input: "planted").status == 0)
    let rehearsal = try sandbox.run("sink", "remove", "hook", "--dry-run")
    #expect(rehearsal.text.contains("32 queued samples would be removed") && !configuration.isEmpty)
    let secret = "config/libre/secrets/hook"
    #expect(sandbox.has(secret))
    try sandbox.done("sink", "remove", "hook")
    #expect(configuration.isEmpty && !sandbox.has(secret))
    #expect(try sandbox.run("sink", "list", "--json").json()["sinks"].elements.isEmpty)
    #expect(try sandbox.run("history", "--from", "all", "--ndjson").lines.count == 32)
  }

  @Test("test distinguishes a file that can be written from one that cannot, and changes neither")
  func testing() throws {
    #expect(try add("good", "file", "path=new.ndjson").status == 0)
    try sandbox.done("sink", "test")
    #expect(!sandbox.has("new.ndjson"))
    #expect(try add("bad", "file", "path=nowhere/new.ndjson").status == 0)
    let outcome = try sandbox.run("sink", "test", "--json")
    #expect(outcome.status == 78)
    let sinks = try outcome.json()["sinks"].elements
    #expect(sinks.map { $0["state"] } == [.string("error"), .string("success")])
    #expect(sinks[0]["error"] == .string("misdirected"))
    #expect(try sandbox.run("sink", "test", "nobody").status == 64)
  }

  @Test("set changes keys, and removes one without a value; --dry-run shows the new section and writes nothing")
  func setting() throws {
    #expect(try add("out", "file", "path=/x", "--backfill-days", "7").status == 0)
    let before = configuration
    let set = ["sink", "set", "out", "path=/y", "send=glucose.trend", "backfill_days="]
    let outcome = try sandbox.run(set + ["--dry-run"])
    #expect(outcome.text == "[sinks.out]\ntype = \"file\"\npath = \"/y\"\nsend = [\"glucose.trend\"]\n")
    #expect(outcome.errors.contains("would have a new receiver") && outcome.errors.contains("libre sink enable out"))
    #expect(configuration == before)
    #expect(try sandbox.run(set).status == 0 && configuration == outcome.text)
  }

  @Test("set explains the effect of a new destination, and enable continues")
  func setReceiver() throws {
    try importDump()
    #expect(try add("out", "file", "path=one").status == 0)
    try sandbox.done("sync")
    let same = try sandbox.run("sink", "set", "out", "timeout_seconds=9")
    #expect(same.status == 0 && same.errors.isEmpty, "\(same.errors)")
    let other = try sandbox.run("sink", "set", "out", "path=two")
    #expect(other.status == 0 && other.errors.hasSuffix("  Try: libre sink enable out\n"), "\(other.errors)")
    #expect(try sandbox.run("sync").status == 78)
    try sandbox.done("sink", "enable", "out")
    try sandbox.done("sync")
    #expect(!sandbox.has("two"))
  }
}
