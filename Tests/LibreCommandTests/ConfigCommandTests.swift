// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

struct ConfigCommandTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private func config(_ text: String) throws { try sandbox.write(text, to: "config/libre/config.toml") }

  @Test("config show prints every setting with its value and where it comes from")
  func show() throws {
    try config("unit = \"mmol/L\"\ncolor = \"never\"\n")
    let outcome = try sandbox.run(
      ["config", "show", "--origin", "--color", "always"], environment: ["LIBRE_LOG_LEVEL": "debug"])
    #expect(outcome.status == 0)
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

  @Test("config check prints the path of the file it read and whether it is valid")
  func check() throws {
    let missing = try sandbox.run("config", "check")
    #expect(missing.status == 0)
    #expect(missing.text.contains(sandbox.path("config/libre/config.toml")))
    try config("unit = \"mg/dL\"\n")
    let good = try sandbox.run("config", "check")
    #expect(good.status == 0 && good.text.hasSuffix(": valid\n"))
  }

  @Test(
    "an invalid file stops every command with status 78, and the error gives its name and the reason",
    arguments: [
      ("unit = \n", "line 1"), ("units = \"mg/dL\"", "units"), ("time_zone = \"Mars/Olympus\"", "Mars/Olympus"),
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

  // MARK: Changing it

  private var text: String? {
    try? String(contentsOfFile: sandbox.path("config/libre/config.toml"), encoding: .utf8)
  }

  @Test("config path prints the path of the file, even if it does not exist or is invalid")
  func path() throws {
    let path = sandbox.path("config/libre/config.toml")
    #expect(try sandbox.run("config", "path").output == Array("\(path)\n".utf8))
    try config("not TOML")
    let outcome = try sandbox.run("config", "path")
    #expect(outcome.status == 0 && outcome.text == "\(path)\n" && outcome.errors.isEmpty)
    let nowhere = try sandbox.run(["config", "path"], environment: ["XDG_CONFIG_HOME": "", "HOME": ""])
    #expect(nowhere.status == 78 && nowhere.output.isEmpty && nowhere.errors.contains("  Try: "))
  }

  @Test("set and unset change one line, and leave the other lines as they were")
  func setting() throws {
    #expect(try sandbox.run("config", "set", "unit", "mmol").status == 0)
    #expect(text == "unit = \"mmol/L\"\n")
    let before = "# mine\r\nunit = \"mg/dL\"  # of course\r\n\r\n[sync]\r\nmode = \"manual\"\r\n"
    try config(before)
    for (key, value) in [("unit", "mmol/L"), ("sync.wait_seconds", "7"), ("time_zone", "Europe/Rome")] {
      let outcome = try sandbox.run("config", "set", key, value)
      #expect(outcome.status == 0 && outcome.output.isEmpty)
      let overridden = "libre: LIBRE_SYNC_WAIT_SECONDS in the environment overrides the file\n"
      #expect(
        outcome.errors
          == "libre: \(key) is \(value) from now on\n" + (key == "sync.wait_seconds" ? overridden : ""))
    }
    #expect(
      text
        == "# mine\r\nunit = \"mmol/L\"  # of course\r\ntime_zone = \"Europe/Rome\"\r\n\r\n[sync]\r\nmode = \"manual\"\r\nwait_seconds = 7\r\n"
    )
    #expect(try sandbox.run("config", "show").lines[0] == "unit = \"mmol/L\"")
    for key in ["sync.wait_seconds", "time_zone"] { #expect(try sandbox.run("config", "unset", key).status == 0) }
    #expect(try sandbox.run("config", "set", "unit", "mg/dL").status == 0)
    #expect(text == before)
    let gone = try sandbox.run("config", "unset", "time_zone")
    #expect(gone.status == 0 && gone.errors == "libre: time_zone is not in the configuration file\n")
  }

  @Test("set and unset can fix a file that stops every other command")
  func mending() throws {
    try config("unit = \"stone\"\nunits = 1\n")
    #expect(try sandbox.run("config", "show").status == 78)
    #expect(try sandbox.run("config", "unset", "units").status == 0)
    #expect(try sandbox.run("config", "set", "unit", "mmol/L").status == 0)
    #expect(try sandbox.run("config", "check").status == 0)
    try config("unit = \n")
    #expect(try sandbox.run("config", "set", "unit", "mmol/L").status == 78)
    #expect(text == "unit = \n")
  }

  @Test(
    "set refuses an invalid value and an unknown key, and names the valid ones",
    arguments: [
      (["unit", "stone"], "mmol/L"), (["store", "here.sqlite"], "begins with /"),
      (["units", "mg/dL"], "unit, time_zone"),
      (["sinks.night.url", "https://x.example"], "libre sink set night url=VALUE"), (["unit"], "value"),
    ])
  func refused(arguments: [String], way: String) throws {
    let outcome = try sandbox.run(["config", "set"] + arguments)
    #expect(
      outcome.status == 64 && outcome.errors.contains(way) && outcome.errors.contains("  Try: "), "\(outcome.errors)")
    #expect(text == nil)
  }

  @Test("unset does not remove a sink")
  func unsetSinks() throws {
    try config("[sinks.out]\ntype = \"file\"\npath = \"/x\"\n")
    for key in ["sinks", "sinks.out.path"] { #expect(try sandbox.run("config", "unset", key).status == 64) }
    #expect(text?.contains("/x") == true)
  }

  @Test("show --describe prints a file that explains each setting, and that is a valid configuration")
  func describe() throws {
    let outcome = try sandbox.run("config", "show", "--describe")
    #expect(
      outcome.lines[..<3] == [
        "# unit in which glucose is shown", "# takes mg/dL, mmol/L; default mg/dL; variable LIBRE_UNIT",
        "unit = \"mg/dL\"",
      ])
    #expect(outcome.lines.count == 3 * outcome.lines.count { !$0.hasPrefix("#") })
    try config(outcome.text)
    #expect(try sandbox.run("config", "show", "--describe").text == outcome.text)
  }

  // MARK: Values as people write them

  @Test("a store path that begins with ~ is below HOME, in the file and in the variable")
  func home() throws {
    try config("store = \"~/data/h.sqlite\"\n")
    #expect(try sandbox.run("add", "104").status == 0)
    #expect(FileManager.default.fileExists(atPath: sandbox.path("home/data/h.sqlite")))
    #expect(!FileManager.default.fileExists(atPath: sandbox.path("~")))
    let variable = try sandbox.run(["config", "show"], environment: ["LIBRE_STORE": "~/other.sqlite"])
    #expect(variable.lines.contains("store = \"\(sandbox.path("home/other.sqlite"))\""))
  }

  @Test("a relative path in the file is refused, because its base directory is not defined")
  func relative() throws {
    try config("store = \"h.sqlite\"\n")
    let outcome = try sandbox.run("latest")
    #expect(outcome.status == 78 && outcome.errors.contains("h.sqlite") && outcome.errors.contains("~/"))
  }

  @Test("config check finds a mistyped variable")
  func variables() throws {
    let outcome = try sandbox.run(["config", "check"], environment: ["LIBRE_UNITS": "mmol/L"])
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("LIBRE_UNITS") && outcome.errors.contains("LIBRE_UNIT,"), "\(outcome.errors)")
  }

  @Test("without HOME, a command names the path that the user must give")
  func noHome() throws {
    let outcome = try sandbox.shell("unset HOME XDG_DATA_HOME XDG_CONFIG_HOME; \"$LIBRE\" latest")
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("HOME") && outcome.errors.contains("--store"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("space"))
  }
}
