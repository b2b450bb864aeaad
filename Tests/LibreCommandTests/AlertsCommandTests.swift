// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite("libre alerts", .startsProcesses)
struct AlertsCommandTests {
  private let sandbox = Sandbox.new()

  private func alerts(_ arguments: String...) throws -> Outcome { try sandbox.run(["alerts"] + arguments) }

  private static let file = "config/libre/config.toml"

  /// A program that writes the facts of each alert into `told.txt`, and ends with this status.
  private func teller(status: Int = 0) throws -> String {
    try sandbox.write(
      "#!/bin/sh\nenv | grep '^ALERT_' | sort >> told.txt\ncat >> told.ndjson\nexit \(status)\n", to: "tell.sh")
    _ = try sandbox.shell("chmod +x tell.sh")
    return sandbox.path("tell.sh")
  }

  private func told() throws -> [JSONValue] { try sandbox.shell("cat told.ndjson").ndjson() }

  @Test("adds, lists, silences and removes rules, and says what alerts are not")
  func rules() throws {
    #expect(try alerts().errors.contains("no alerts are set up"))
    let added = try alerts("add", "low", "--below", "3.9mmol", "--quiet-hours", "22:00-07:00")
    #expect(added.status == 0 && added.errors.contains("no medical alarm"), "\(added.errors)")
    #expect(try alerts("add", "scan-due", "--name", "scan", "--tell", "journal").status == 0)
    #expect(sandbox.text(of: Self.file).contains("[alerts.low]\nkind = \"low\"\nbelow = \"3.9mmol\"\n"))
    let list = try alerts("list", "--json").json()["alerts"].elements
    #expect(list.map { $0["name"].text } == ["low", "scan"])
    #expect(list.map { $0["tell"][0].text } == ["desktop", "journal"])
    let limit = try #require(list[0]["limit"].number)
    #expect(abs(limit - 70.27) < 0.01 && list[1]["limit"] == .number(15))
    #expect(try alerts("off", "low").status == 0)
    #expect(try alerts("snooze", "30m", "scan").status == 0)
    let table = try alerts().text
    #expect(table.contains("off") && table.contains("silent until"), "\(table)")
    #expect(try sandbox.run("status").text.contains("low (off), scan (silent until"))
    #expect(try alerts("on").status == 0)
    #expect(try sandbox.run("status").text.contains("low, scan\n"))
    #expect(try alerts("remove", "scan").status == 0)
    #expect(try alerts("list", "--json").json()["alerts"].elements.count == 1)
  }

  @Test(
    "refuses what does not fit, and names what does",
    arguments: [
      (["add", "low", "--above", "70"], "--below"), (["add", "low", "--below", "900"], "70 mg/dL"),
      (["add", "scan-due", "--before", "0m"], "5m"), (["add", "noise"], "sensor-ends"),
      (["add", "low", "--tell", "smoke"], "journal"), (["add", "low", "--quiet-hours", "22-7"], "22:00-07:00"),
      (["add", "low", "--name", "A b"], "lower-case"), (["remove"], "libre alerts remove"),
      (["test", "missing"], "libre alerts add"), (["snooze", "2d"], "up to 1d"),
      (["add", "sensor-ends", "--before", "1d"], "without it"),
    ])
  func refusals(_ arguments: [String], _ way: String) throws {
    let refused = try sandbox.run(["alerts"] + arguments)
    #expect(refused.status == 64 || refused.status == 78, "\(refused.errors)")
    #expect(refused.errors.contains("Try: ") && refused.errors.contains(way), "\(refused.errors)")
  }

  @Test("a program gets the facts of an alert once, though two commands evaluate the store")
  func facts() throws {
    try sandbox.done(["alerts", "add", "high", "--above", "30mg", "--run", teller(), "--loud"])
    _ = try sandbox.run("read", "--reader", "sim:active", "--store", "s.sqlite")
    let first = try alerts("check", "--store", "s.sqlite", "--json")
    #expect(first.status == 0, "\(first.errors)")
    #expect(try alerts("check", "--store", "s.sqlite").text.isEmpty)
    let alert = try #require(try told().first)
    #expect(try told().count == 1 && first.json() == alert)
    #expect(alert["schema"] == .string("libre.alert/1") && alert["kind"] == .string("high"))
    let variables = try sandbox.shell("cat told.txt").text
    #expect(
      variables.contains("ALERT_RULE=high\n") && variables.contains("ALERT_TITLE=Glucose is high\n"), "\(variables)")
    #expect(variables.contains("ALERT_GLUCOSE_MG_DL=\(try #require(alert["glucose_mg_dl"].number))"), "\(variables)")
  }

  @Test("an alert that could not be told is told the next time")
  func failing() throws {
    try sandbox.done(["alerts", "add", "high", "--above", "30mg", "--run", teller(status: 3)])
    _ = try sandbox.run("read", "--reader", "sim:active", "--store", "s.sqlite")
    let failed = try alerts("check", "--store", "s.sqlite")
    #expect(failed.status == 75 && failed.errors.contains("ended with status 3"), "\(failed.errors)")
    _ = try teller()
    #expect(try alerts("check", "--store", "s.sqlite").status == 0)
    #expect(try told().count == 2)
    #expect(try alerts("check", "--store", "s.sqlite").status == 0)
    #expect(try told().count == 2)
  }

  @Test("a way that fails is named by the next one")
  func otherWay() throws {
    try sandbox.write(
      "[alerts.high]\nkind = \"high\"\nabove = \"30 mg/dL\"\ntell = [\"desktop\"]\nrun = [\"\(teller())\"]\n",
      to: Self.file)
    let environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(sandbox.path("no-bus"))"]
    let tested = try sandbox.run(["alerts", "test"], environment: environment)
    #expect(tested.status == 0, "\(tested.errors)")
    let alert = try #require(try told().first)
    #expect(alert["test"] == .bool(true))
    #expect(alert["text"].text?.contains("Not told by desktop: no desktop session can be reached") == true, "\(alert)")
  }

  @Test("a snooze while an alert is told is kept")
  func snoozedMeanwhile() throws {
    // The program silences its own rule before it ends.
    try sandbox.write("#!/bin/sh\nexec $LIBRE alerts snooze 30m --store s.sqlite\n", to: "tell.sh")
    _ = try sandbox.shell("chmod +x tell.sh")
    #expect(try alerts("add", "high", "--above", "30mg", "--run", sandbox.path("tell.sh")).status == 0)
    _ = try sandbox.run("read", "--reader", "sim:active", "--store", "s.sqlite")
    let told = try sandbox.shell("$LIBRE alerts check --store s.sqlite")
    #expect(told.status == 0 && told.text.contains("Glucose is high"), "\(told.errors)")
    let rule = try alerts("list", "--json", "--store", "s.sqlite").json()["alerts"][0]
    #expect(rule["silent_until"].text != nil && rule["told_at"].text != nil, "\(rule)")
  }

  @Test("a receiver gets the document, and one that takes no alerts or is not set up is named")
  func receivers() async throws {
    let server = try LoopbackServer.answering("HTTP/1.1 204 No Content\r\n\r\n")
    try sandbox.done("sink", "add", "home", "webhook", "url=\(server.url("/in"))")
    try sandbox.done("sink", "add", "out", "file", "path=out.ndjson")
    for (kind, sink) in [("low", "home"), ("high", "out"), ("rising", "away")] {
      try sandbox.done("alerts", "add", kind, "--tell", "sink:\(sink)")
    }
    let told = try await sandbox.libre(["alerts", "test", "low"])
    #expect(told.status == 0, "\(told.errors)")
    let request = try #require(server.requests.first)
    #expect(try JSONValue(parsing: request.body)["kind"] == .string("low"))
    let file = try alerts("test", "high")
    #expect(file.status == 75 && file.errors.contains("a sink of the type file takes no alerts"), "\(file.errors)")
    let missing = try alerts("test", "rising")
    #expect(missing.status == 75 && missing.errors.contains("away") && missing.errors.contains("home"))
  }

  @Test("a server for a phone gets title and sentence, never a value by itself, and its token from where it is kept")
  func phone() async throws {
    let server = try LoopbackServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    let added = try sandbox.run("sink", "add", "phone", "ntfy", "url=\(server.url("/my-topic"))")
    #expect(added.errors.contains("Try: libre alerts add low --tell sink:phone"), "\(added.errors)")
    #expect(try alerts("add", "high", "--above", "30mg", "--tell", "sink:phone").status == 0)
    _ = try await sandbox.libre(["read", "--reader", "sim:active", "--store", "s.sqlite"])
    let environment = ["LIBRE_SECRET_PHONE": "tk_one"]
    let synced = try await sandbox.libre(["sync", "--store", "s.sqlite"], environment: environment)
    #expect(synced.status == 0 && server.requests.isEmpty, "\(synced.errors)")
    let told = try await sandbox.libre(["alerts", "check", "--store", "s.sqlite"], environment: environment)
    #expect(told.status == 0, "\(told.errors)")
    let request = try #require(server.requests.first)
    let message = try JSONValue(parsing: request.body)
    #expect(request.line.hasPrefix("POST / ") && request["Authorization"] == "Bearer tk_one")
    #expect(message["topic"] == .string("my-topic") && message["title"] == .string("Glucose is high"))
    #expect(server.requests.count == 1)
    let shown = try sandbox.run("sink", "show", "phone").lines
    #expect(shown.contains { $0.hasPrefix("  sends ") && $0.hasSuffix(" alerts") }, "\(shown)")
  }

  @Test("watch tells while it reads, and each person is told of their own")
  func watching() throws {
    try sandbox.done("person", "add", "ann")
    try sandbox.done("alerts", "add", "high", "--above", "30mg", "--tell", "journal", "--person", "ann")
    let watch = ["watch", "--reader", "sim:active", "--count", "1"]
    let own = try sandbox.run(watch + ["--store", "s.sqlite"])
    #expect(!own.errors.contains("Glucose is high"), "\(own.errors)")
    let anns = sandbox.path("data/libre/persons/ann/history.sqlite")
    _ = try sandbox.run("read", "--reader", "sim:active", "--store", anns)
    let checked = try alerts("check")
    #expect(checked.text.hasPrefix("ann: Glucose is high: "), "\(checked.text) \(checked.errors)")
    let config = "[alerts.all]\nkind = \"high\"\nabove = \"30 mg/dL\"\ntell = [\"journal\"]\n"
    try sandbox.write(config, to: Self.file)
    let told = try sandbox.run(watch + ["--store", "t.sqlite"])
    #expect(told.errors.contains("Glucose is high: "), "\(told.errors)")
  }

  @Test("an invalid rule is named by the check of the configuration, and stops no other")
  func invalid() throws {
    try sandbox.write(
      """
      [alerts.bad]
      kind = "low"
      below = "7"
      [alerts.good]
      kind = "high"
      above = "30 mg/dL"
      tell = ["journal"]
      """, to: Self.file)
    let checked = try sandbox.run("config", "check")
    #expect(checked.status == 78 && checked.errors.contains("alerts.bad.below"), "\(checked.errors)")
    _ = try sandbox.run("read", "--reader", "sim:active", "--store", "s.sqlite")
    let told = try alerts("check", "--store", "s.sqlite")
    #expect(told.text.contains("Glucose is high") && told.errors.contains("alerts.bad.below"), "\(told.errors)")
    let tested = try alerts("test")
    #expect(tested.status == 78 && tested.errors.contains("Test: Glucose is high"), "\(tested.errors)")
    try sandbox.done("alerts", "snooze", "30m")
    try sandbox.done("alerts", "off")
    #expect(sandbox.text(of: Self.file).contains("below = \"7\"\nenabled = false\n"))
    try sandbox.done("alerts", "remove", "bad")
    try sandbox.done("config", "check")
  }
}
