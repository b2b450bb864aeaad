// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

struct ConfigCommandTests {
  private let sandbox = Sandbox.new()

  private func config(_ text: String) throws { try sandbox.write(text, to: "config/libre/config.toml") }

  @Test("config show prints every setting with its value and where it comes from")
  func show() throws {
    try config("unit = \"mmol/L\"\ncolor = \"never\"\n")
    let outcome = try sandbox.done(
      ["config", "show", "--origin", "--color", "always"], environment: ["LIBRE_LOG_LEVEL": "debug"])
    for line in [
      "unit = \"mmol/L\"  # \(sandbox.path("config/libre/config.toml"))", "color = \"always\"  # flag",
      "store = \"\(sandbox.path("data/libre/history.sqlite"))\"  # default",
      "log_level = \"debug\"  # LIBRE_LOG_LEVEL", "sync.mode = \"automatic\"  # default",
    ] { #expect(outcome.lines.contains(line), "\(line)") }
    let plain = try sandbox.run("config", "show")
    #expect(plain.lines[0] == "unit = \"mmol/L\"")
    // The printed settings are a valid configuration file.
    try config(plain.text)
    #expect(try sandbox.run("config", "show").text == plain.text)
    // The file explains each setting if --describe is given.
    try config("")
    let described = try sandbox.run("config", "show", "--describe")
    #expect(
      described.lines[..<3] == [
        "# unit in which glucose is shown", "# takes mg/dL, mmol/L; default mg/dL; variable LIBRE_UNIT",
        "unit = \"mg/dL\"",
      ])
    #expect(described.lines.count == 3 * described.lines.count { !$0.hasPrefix("#") })
    try config(described.text)
    #expect(try sandbox.run("config", "show", "--describe").text == described.text)
  }

  @Test("every setting of the file affects decode")
  func effects() throws {
    try sandbox.copy("active.hex", to: "dump.hex")
    try config(
      """
      unit = "mmol/L"
      time_zone = "Asia/Kolkata"
      color = "always"
      calibration = "linear:0.1,0"
      log_level = "info"
      """)
    let outcome = try sandbox.run("decode", "dump.hex")
    for part in ["mmol/L", "+05:30", "\u{1B}[", "linear, version 1"] { #expect(outcome.text.contains(part), "\(part)") }
    #expect(outcome.errors.contains("libre: info: "))
  }

  @Test(
    "an invalid file stops every command with status 78, and the error gives its name and the reason",
    arguments: [
      ("unit = \n", "line 1"), ("units = \"mg/dL\"", "units"), ("time_zone = \"Mars/Olympus\"", "Mars/Olympus"),
      // A relative path: the directory that it starts from is not defined.
      ("store = \"h.sqlite\"", "~/"),
    ])
  func broken(text: String, part: String) throws {
    try sandbox.copy("active.hex", to: "dump.hex")
    try config(text)
    // Whatever is wrong in the file, all commands read it in the same way; all of both in `make full`.
    let isFirst = part == "line 1"
    let others = [["config", "show"], ["decode", "--json", "dump.hex"], ["formats"]]
    for arguments in [["config", "check"]] + (isFirst || TestTier.current == .full ? others : []) {
      let outcome = try sandbox.run(arguments)
      #expect(outcome.status == 78, "\(arguments)")
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.contains(sandbox.path("config/libre/config.toml")) && outcome.errors.contains(part))
      #expect(outcome.errors.contains("\n  Try: "))
    }
  }

  private var text: String { sandbox.text(of: "config/libre/config.toml") }

  @Test(
    "config path prints the path of the file, whatever is wrong with it; config check says that it is valid"
  )
  func path() throws {
    let path = sandbox.path("config/libre/config.toml")
    #expect(try sandbox.run("config", "path").output == Array("\(path)\n".utf8))
    try config("not TOML")
    let outcome = try sandbox.run("config", "path")
    #expect(outcome.status == 0 && outcome.text == "\(path)\n" && outcome.errors.isEmpty)
    for text in ["", "unit = \"mg/dL\"\n"] {
      try config(text)
      #expect(try sandbox.run("config", "check").text == "\(path): valid\n")
    }
    let nowhere = try sandbox.run(["config", "path"], environment: ["XDG_CONFIG_HOME": "", "HOME": ""])
    #expect(nowhere.status == 78 && nowhere.output.isEmpty && nowhere.errors.contains("  Try: "))
  }

  @Test("set and unset change one line, leave the other lines as they were, and say what overrides the file")
  func setting() throws {
    let before = "# mine\r\nunit = \"mg/dL\"  # of course\r\n\r\n[sync]\r\nmode = \"manual\"\r\n"
    try config(before)
    for (key, value, more) in [
      ("unit", "mmol/L", ""), ("time_zone", "Europe/Rome", ""),
      ("sync.wait_seconds", "7", "libre: LIBRE_SYNC_WAIT_SECONDS in the environment overrides the file\n"),
    ] {
      let outcome = try sandbox.run("config", "set", key, value)
      #expect(outcome.status == 0 && outcome.output.isEmpty)
      #expect(outcome.errors == "libre: \(key) is \(value) from now on\n\(more)")
    }
    #expect(try sandbox.run("config", "show").lines[0] == "unit = \"mmol/L\"" && text.contains("wait_seconds = 7\r\n"))
    for key in ["sync.wait_seconds", "time_zone"] { try sandbox.done("config", "unset", key) }
    try sandbox.done("config", "set", "unit", "mg/dL")
    #expect(text == before)
    let gone = try sandbox.run("config", "unset", "time_zone")
    #expect(gone.status == 0 && gone.errors == "libre: time_zone is not in the configuration file\n")
  }

  @Test("set and unset can fix a file that stops every other command")
  func mending() throws {
    try config("unit = \"stone\"\nunits = 1\n")
    #expect(try sandbox.run("config", "show").status == 78)
    try sandbox.done("config", "unset", "units")
    try sandbox.done("config", "set", "unit", "mmol/L")
    try sandbox.done("config", "check")
    try config("unit = \n")
    #expect(try sandbox.run("config", "set", "unit", "mmol/L").status == 78)
    #expect(text == "unit = \n")
  }

  @Test(
    "set and unset refuse an invalid value, an unknown key and a sink, and name what is valid",
    arguments: [
      (["set", "unit", "stone"], "mmol/L"), (["set", "store", "here.sqlite"], "begins with /"),
      (["set", "units", "mg/dL"], "unit, time_zone"), (["set", "unit"], "value"),
      (["set", "sinks.night.url", "https://x.example"], "libre sink set night url=VALUE"),
      (["unset", "sinks"], ""), (["unset", "sinks.out.path"], ""),
    ])
  func refused(arguments: [String], way: String) throws {
    let before = "[sinks.out]\ntype = \"file\"\npath = \"/x\"\n"
    try config(before)
    let outcome = try sandbox.run(["config"] + arguments)
    #expect(
      outcome.status == 64 && (way.isEmpty || outcome.errors.contains(way)) && outcome.errors.contains("  Try: "),
      "\(outcome.errors)")
    #expect(text == before)
  }

  @Test(
    "a path that begins with ~ is below HOME; without HOME, and for a mistyped variable, the error says what to write")
  func home() throws {
    try config("store = \"~/data/h.sqlite\"\n")
    try sandbox.done("add", "104")
    #expect(sandbox.has("home/data/h.sqlite") && !sandbox.has("~"))
    let variable = try sandbox.run(["config", "show"], environment: ["LIBRE_STORE": "~/other.sqlite"])
    #expect(variable.lines.contains("store = \"\(sandbox.path("home/other.sqlite"))\""))
    let mistyped = try sandbox.run(["config", "check"], environment: ["LIBRE_UNITS": "mmol/L"])
    #expect(mistyped.status == 78 && mistyped.errors.contains("LIBRE_UNITS") && mistyped.errors.contains("LIBRE_UNIT,"))
    let homeless = try sandbox.shell("unset HOME XDG_DATA_HOME XDG_CONFIG_HOME; \"$LIBRE\" latest")
    #expect(homeless.status == 78 && homeless.errors.contains("HOME") && homeless.errors.contains("--store"))
  }
}
