// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("libre sync, outbox, status and webhook") struct SyncCommandTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.copy("active.hex", to: "dump.hex")
    try ImportedStore.copy(to: ImportedStore.standard, in: sandbox, readAt: nil)
  }

  private func lines(_ name: String) -> [String] {
    sandbox.text(of: name).split(separator: "\n").map(String.init)
  }

  /// Replaces the store by one that was read a day ago, so that its sensor is not worn at the same time as one that is
  /// read now: only one of them would count.
  private func useStoreOfYesterday() throws {
    let yesterday = Int(Date().timeIntervalSince1970) - 86_400
    try ImportedStore.copy(to: ImportedStore.standard, in: sandbox, readAt: "\(yesterday)")
  }

  private func addFile(_ name: String, _ arguments: String...) throws {
    try sandbox.done(["sink", "add", name, "file", "path=\(name).ndjson"] + arguments)
  }

  @Test("sync sends each sample once, oldest first, and reports each event")
  func events() throws {
    try addFile("out", "--send", "glucose.history,glucose.trend")
    let outcome = try sandbox.run("sync", "--json")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    let events = try outcome.ndjson()
    try #require(events.map { $0["event"] } == [.string("syncing"), .string("success"), .string("completed")])
    let sent = lines("out.ndjson")
    #expect(sent.count == 48 && events[1]["samples"].elements.count == 48 && events[1]["accepted"] == .number(48))
    #expect(events[1]["stage"] == .string("historical") && events[2]["pending"] == .number(0))
    let times = try sent.map { try JSONValue(parsing: $0.utf8)["time"].text ?? "" }
    #expect(times == times.sorted())
    #expect(try sandbox.run("sync", "--json").ndjson().map { $0["event"] } == [.string("nothingToSync")])
    #expect(lines("out.ndjson") == sent)
  }

  @Test("the daemon waits for a first sink, follows the store and the configuration, and ends after a signal")
  func daemon() throws {
    try useStoreOfYesterday()
    #expect(try sandbox.run("sync").status == 78, "by hand it does not wait")
    let daemon = try sandbox.start(["sync", "--daemon", "--interval", "1"])
    defer { daemon.send(SIGKILL) }
    try eventually("it says that it waits") { try daemon.errorText().contains("no sink is configured yet; waiting") }
    try addFile("out")
    try eventually("the first sink gets everything") { lines("out.ndjson").count == 32 }
    #expect(try daemon.errorText().components(separatedBy: "no sink is configured").count == 2, "said once")
    let store = sandbox.path("data/libre/history.sqlite")
    try sandbox.done(
      ["read", "--reader", "sim:active", "--mine", "--store", store], environment: ["LIBRE_SYNC_MODE": "manual"])
    try eventually("the samples of the new reading are sent") { lines("out.ndjson").count == 64 }
    try sandbox.done("sink", "remove", "out")
    try addFile("more")
    try eventually("all samples are sent to the new sink") { lines("more.ndjson").count == 64 }
    daemon.send(SIGTERM)
    #expect(try daemon.outcome().status == 130)
    #expect(lines("out.ndjson").count == 64)
  }

  @Test("--dry-run shows what would be sent, with a placeholder for the secret, and changes nothing")
  func rehearsal() throws {
    try sandbox.done(
      ["sink", "add", "night", "nightscout", "url=http://127.0.0.1:9", "--secret-stdin"], input: Array("planted".utf8))
    let before = try sandbox.run("sink", "show", "night", "--json").text
    let outcome = try sandbox.run("sync", "--dry-run")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.lines.contains("POST http://127.0.0.1:9/api/v1/entries.json"))
    #expect(outcome.lines.contains("api-secret: (secret)") && !outcome.text.contains("planted"))
    let body = try #require(outcome.lines.first { $0.hasPrefix("[") })
    #expect(try JSONValue(parsing: body.utf8).elements.count == 32)
    let events = try sandbox.run("sync", "--dry-run", "--json").ndjson()
    #expect(events.map { $0["event"] } == [.string("wouldSync"), .string("wouldSend")])
    #expect(try sandbox.run("sink", "show", "night", "--json").text == before)
    // It goes on where a real run needs the receiver's answer.
    let tidepool = ["sink", "add", "it", "tidepool", "url=http://127.0.0.1:9", "user=me", "--secret-stdin"]
    try sandbox.done(tidepool, input: Array("planted".utf8))
    let invented = try sandbox.run("sync", "--dry-run", "--sink", "it")
    #expect(invented.status == 0 && !invented.text.contains("planted"))
    #expect(invented.lines.contains { $0.hasSuffix("the requests below use an invented response") })
    #expect(invented.lines.contains { $0.hasPrefix("# historical, ") })
  }

  @Test("without a sink of that name, or without a store, sync reports this and suggests the next step")
  func nothing() throws {
    #expect(try sandbox.run("sync").errors.contains("Try: libre sink add"))
    try addFile("out")
    // An empty name is not all of them.
    for name in ["", "nobody"] { #expect(try sandbox.run("sync", "--sink", name).status == 64) }
    #expect(lines("out.ndjson").isEmpty)
    #expect(try sandbox.run("sync", "--store", "nowhere.sqlite").status == 66)
    #expect(!sandbox.has("nowhere.sqlite"))
  }

  @Test(
    "undelivered samples wait, status 75 and the time of the next attempt are reported; another sink gets its samples")
  func waiting() throws {
    try sandbox.done("sink", "add", "hook", "webhook", "url=http://127.0.0.1:9")
    try addFile("out")
    let outcome = try sandbox.run("sync", "--json")
    #expect(outcome.status == 75)
    let events = try outcome.ndjson()
    let hook = events.filter { $0["sink"] == .string("hook") }.map { $0["event"].text }
    #expect(hook == ["syncing", "failed", "failed", "failed", "retryScheduled", "completed"])
    #expect(lines("out.ndjson").count == 32)
    let status = try sandbox.run("status", "--json").json()["sinks"]
    #expect(status[0]["status_code"] == .number(1) && status[0]["pending"] == .number(32))
    #expect(status[0]["retry_at"].text != nil && status[0]["last_error"].text != nil)
    #expect(status[1]["status_code"] == .number(3))
    #expect(try sandbox.run("outbox", "list", "--json").json()["sinks"][0]["pending"] == .number(32))
    #expect(try sandbox.run("outbox", "drop", "--sink", "hook", "--pending").status == 64)
    let rehearsal = try sandbox.run("outbox", "drop", "--sink", "hook", "--pending", "--dry-run")
    #expect(rehearsal.text == "hook: 32 queued samples would be discarded\n")
    try sandbox.done("outbox", "drop", "--sink", "hook", "--pending", "--yes")
    try sandbox.done("sync", "--sink", "hook")
  }

  @Test("a sink with an interval gets a run at most that often, says when it is due, and --status shows its runs")
  func interval() throws {
    try useStoreOfYesterday()
    let added = try sandbox.run("sink", "add", "out", "file", "path=out.ndjson", "interval=15m")
    #expect(added.status == 0 && added.text.contains("15m"), "\(added.errors)")
    #expect(try sandbox.run("sync").status == 0 && lines("out.ndjson").count == 32)
    let store = sandbox.path("data/libre/history.sqlite")
    try sandbox.done("read", "--reader", "sim:active", "--mine", "--store", store)
    let waiting = try sandbox.run("sync")
    #expect(waiting.status == 0 && waiting.errors.contains("out: next due at "), "\(waiting.errors)")
    #expect(waiting.errors.contains("Try: libre sync --now --sink out") && lines("out.ndjson").count == 32)
    let event = try #require(try sandbox.run("sync", "--json").ndjson().first)
    #expect(event["event"].text == "waitsForInterval" && event["pending"] == .number(32))
    let sink = try sandbox.run("sync", "--status", "--json").json()["sinks"][0]
    #expect(sink["retry_at"].text == event["retry_at"].text && sink["runs"].elements.count == 1)
    #expect(try sandbox.run("status", "--json").json()["sinks"][0]["runs"] == sink["runs"])
    let text = try sandbox.run("sync", "--status").text
    #expect(text.contains("next attempt at ") && text.contains("done  32 delivered, 0 parked, 0 queued"), "\(text)")
    #expect(try sandbox.run("sync", "--dry-run").text.contains("nothing is sent: it is due at "))
    #expect(try sandbox.run("sync", "--status", "--dry-run").status == 64)
    #expect(try sandbox.run("sync", "--now").status == 0 && lines("out.ndjson").count == 64)
    #expect(try sandbox.run("sync", "--status", "--json").json()["sinks"][0]["runs"].elements.count == 2)
  }

  @Test("a wait that the receiver asked for is at most a day, and is named with its reason and the way to end it")
  func askedToWait() throws {
    let server = try LoopbackServer.answering(
      "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 99999999999999999999\r\nContent-Length: 9\r\n\r\nslow down")
    let url = "http://127.0.0.1:\(server.port)"
    try sandbox.done("sink", "add", "hook", "webhook", "url=\(url)")
    for _ in 0..<2 {
      let outcome = try sandbox.run("sync")
      #expect(outcome.status == 75, "\(outcome.text)")
      let line = (outcome.text + outcome.errors).split(separator: "\n").first { $0.contains("next attempt at") }
      #expect(line?.hasSuffix(" (it asked to wait: HTTP 429: slow down)") == true, "\(line ?? "")")
      #expect((outcome.text + outcome.errors).contains("Try: libre sync --now --sink hook"))
    }
    let event = try sandbox.run("sync", "--json").ndjson().first { $0["event"].text == "retryScheduled" }
    #expect(event?["reason"].text == "HTTP 429: slow down")
    let status = try sandbox.run("status", "--json").json()["sinks"][0]
    let next = try Date(try #require(status["retry_at"].text), strategy: .iso8601)
    #expect(next <= Date(timeIntervalSinceNow: 86_400))
    #expect(status["reason"].text == "it asked to wait: HTTP 429: slow down", "\(status)")
    #expect(status["resolution"].text == "libre sync --now --sink hook", "\(status)")
  }

  @Test("samples that were added since the last sync are discarded too, not only those counted then")
  func freshDrop() throws {
    try sandbox.write(
      "[sinks.out]\ntype = \"file\"\npath = \"\(sandbox.path("out.ndjson"))\"\n", to: "config/libre/config.toml")
    #expect(try sandbox.run("sink", "enable", "out").text == "out: enabled, 32 queued\n")
    #expect(
      try sandbox.run("outbox", "drop", "--sink", "out", "--pending", "--yes").text
        == "out: 32 queued samples discarded\n")
    try sandbox.done("sync")
    #expect(lines("out.ndjson").isEmpty)
  }

  @Test("read sends new samples to the sinks of its store only; in manual mode it leaves this to sync")
  func automatic() throws {
    try useStoreOfYesterday()
    try addFile("out")
    let elsewhere = try sandbox.run("read", "--reader", "sim:active", "--store", "other.sqlite")
    #expect(elsewhere.status == 0 && elsewhere.errors.isEmpty, "\(elsewhere.errors)")
    #expect(lines("out.ndjson").isEmpty)
    let store = sandbox.path("data/libre/history.sqlite")
    let manual = try sandbox.run(
      ["read", "--reader", "sim:active", "--mine", "--store", store], environment: ["LIBRE_SYNC_MODE": "manual"])
    #expect(manual.status == 0 && lines("out.ndjson").isEmpty)
    try sandbox.done("read", "--reader", "sim:active", "--mine", "--store", store)
    #expect(lines("out.ndjson").count == 64)
  }

  @Test("of several sync commands one sends, the others wait, and nothing is sent twice")
  func together() throws {
    try addFile("out")
    let runs = try (0..<4).map { _ in try sandbox.start(["sync"]) }
    for run in runs { #expect(try run.outcome().status == 0) }
    #expect(lines("out.ndjson").count == 32)
  }

  @Test("status shows readers, store, sensor, newest value and sinks, also if there are none")
  func status() throws {
    // Read a moment ago, however long the other tests take.
    try FileManager.default.removeItem(atPath: sandbox.path(ImportedStore.standard))
    try sandbox.done("import", "dump.hex", "--read-at", "\(Int(Date().timeIntervalSince1970))")
    try addFile("out")
    let text = try sandbox.run("status").text
    for part in ["Readers  ", "Store  ", "Sensor  ", "Newest value  ", "out  file  enabled  32 queued"] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
    let status = try sandbox.run("status", "--json").json()
    #expect(status["readers"]["status_code"] == .number(0) && status["store"]["sensors"] == .number(1))
    #expect(status["sensor"]["state_now"] == .string("active") && status["latest"]["stale"] == .bool(false))
    let bare = try sandbox.done(["status", "--json"], environment: ["XDG_DATA_HOME": sandbox.path("none")])
    #expect(try bare.json()["store"]["sensors"] == .null && bare.json()["latest"] == .null)
    let probed = try sandbox.run("status", "--probe", "--json")
    #expect(try probed.json()["readers"]["status_code"] == .number(1))
  }

  @Test("webhook verify judges the signature of a file by the secret of the environment and the tolerance")
  func verify() throws {
    try sandbox.write("{\"a\":1}", to: "body.json")
    // Terra's own numbers (terra-client-python 1.1.0): secret `secret`, t 1723808700.
    let good = "t=1723808700,v1=0cf63d9a898086058a3800766e56b0f61a76b4fb376dc097f7f2d4bb61b81318"
    func verify(_ options: String..., secret: String = "secret") throws -> Outcome {
      try sandbox.run(
        ["webhook", "verify", "body.json", "--signature", good] + options, environment: ["LIBRE_WEBHOOK_SECRET": secret]
      )
    }
    #expect(try verify("--tolerance", "2000000000").text == "the signature is valid\n")
    #expect(try verify().status == 77)
    #expect(try verify(secret: "").errors.contains("LIBRE_WEBHOOK_SECRET"))
  }
}
