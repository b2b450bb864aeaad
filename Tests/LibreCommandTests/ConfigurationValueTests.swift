// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Values of settings in the forms in which people write them.
struct ConfigurationValueTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private func configure(_ text: String) throws { try sandbox.write(text, to: "config/libre/config.toml") }

  @Test("a store path that begins with ~ is below HOME, in the file and in the variable")
  func home() throws {
    try configure("store = \"~/data/h.sqlite\"\n")
    #expect(try sandbox.run("add", "104").status == 0)
    #expect(FileManager.default.fileExists(atPath: sandbox.path("home/data/h.sqlite")))
    #expect(!FileManager.default.fileExists(atPath: sandbox.path("~")))
    let variable = try sandbox.run(["config", "show"], environment: ["LIBRE_STORE": "~/other.sqlite"])
    #expect(variable.lines.contains("store = \"\(sandbox.path("home/other.sqlite"))\""))
  }

  @Test("a relative path in the file is refused, because its base directory is not defined")
  func relative() throws {
    try configure("store = \"h.sqlite\"\n")
    let outcome = try sandbox.run("latest")
    #expect(outcome.status == 78 && outcome.errors.contains("h.sqlite") && outcome.errors.contains("~/"))
  }

  @Test("a number needs no quotes, and a list can be written as names separated by commas")
  func types() throws {
    try configure("retention_days = 30\nignore_sources = [\"a\", \"b\"]\n")
    let lines = try sandbox.run("config", "show").lines
    #expect(lines.contains("retention_days = \"30\"") && lines.contains("ignore_sources = \"a,b\""), "\(lines)")
    #expect(try sandbox.run("config", "check").status == 0)
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
