// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import CommandSupport
@testable import LibreKit

struct ConfigurationTests {
  private func file(_ text: String) throws -> ConfigurationFile {
    try ConfigurationFile(path: "/c/config.toml", bytes: text.utf8)
  }

  @Test("a flag wins over a variable, a variable over the file, the file over the default, and hides what is invalid")
  func precedence() throws {
    #expect(
      try Configuration(
        flags: [.unit: "mg/dL"], environment: ["LIBRE_UNIT": "nonsense"], file: file("unit = \"worse\"")
      )
      .unit == .milligramsPerDecilitre)
    let file = try file("unit = \"mmol/L\"\ncolor = \"never\"\nlog_level = \"info\"\n")
    let configuration = try Configuration(
      flags: [.unit: "mg/dL"], environment: ["LIBRE_UNIT": "mmol/L", "LIBRE_COLOR": "always", "UNIT": "x"], file: file)
    #expect(configuration[.unit] == .init(text: "mg/dL", origin: .flag))
    #expect(configuration[.color] == .init(text: "always", origin: .variable("LIBRE_COLOR")))
    #expect(configuration[.logLevel] == .init(text: "info", origin: .file("/c/config.toml")))
    #expect(configuration[.calibration] == .init(text: "factory", origin: .standard))
    #expect(configuration.unit == .milligramsPerDecilitre)
  }

  @Test("an error in TOML names line, column and reason, but not the content, which may be a secret")
  func reasons() {
    let reason = "line 2, column 9: expected true, false, a number of up to 64 bits, or text in quotes"
    #expect(throws: LibreError.configuration(.notTOML(path: "/c/config.toml", reason: reason))) {
      try file("unit = \"mmol/L\"\nstore = hunter2\n")
    }
  }

  @Test("every setting can be set in three ways; an invalid value is refused in each, with its location")
  func everySetting() throws {
    let good = [
      Setting.unit: "mmol/L", .timeZone: "UTC", .color: "always", .calibration: "linear:0.1,0",
      .reader: "sim:active", .store: "/data/history.sqlite", .retentionDays: "365", .ignoreSources: "libreview",
      .referenceID: "anna", .name: "Anna Example", .born: "2012-03-04",
      .syncMode: "manual", .syncWaitSeconds: "30", .serveListen: "unix:/run/libre", .serveAllowHosts: "pi.lan",
      .serveAllowOrigins: "https://dashboard.example", .serveSecretFile: "/etc/secret", .serveSecretCommand: "pass x",
      .logLevel: "debug", .logFormat: "json", .noInput: "true",
    ]
    #expect(Set(good.keys) == Set(Setting.all))
    let standard = try Configuration(flags: [:], environment: [:], file: nil)
    for setting in Setting.all {
      #expect(standard[setting] == .init(text: setting.defaultValue, origin: .standard))
      #expect(setting.accepts(setting.defaultValue))
    }
    for (setting, value) in good {
      let file = try file("\(setting.key) = \"\(value)\"")
      for configuration in [
        try Configuration(flags: [setting: value], environment: [:], file: nil),
        try Configuration(flags: [:], environment: [setting.variable: value], file: nil),
        try Configuration(flags: [:], environment: [:], file: file),
      ] {
        #expect(configuration[setting].text == value)
      }
      // Any text is valid as a path, as a command, and as the name of a program, a computer or a person.
      let isFree: Set<Setting> = [
        .store, .name, .ignoreSources, .referenceID, .serveAllowHosts, .serveSecretFile, .serveSecretCommand,
      ]
      if isFree.contains(setting) { continue }
      let bad = "no such thing"
      #expect(throws: LibreError.configuration(.badOption(name: setting.option, value: bad, allowed: setting.allowed)))
      {
        try Configuration(flags: [setting: bad], environment: [:], file: nil)
      }
      #expect(
        throws: LibreError.configuration(
          .badValue(origin: setting.variable, key: setting.key, value: bad, allowed: setting.allowed))
      ) {
        try Configuration(flags: [:], environment: [setting.variable: bad], file: nil)
      }
      let badFile = try self.file("\(setting.key) = \"\(bad)\"")
      #expect(
        throws: LibreError.configuration(
          .badValue(origin: "/c/config.toml", key: setting.key, value: bad, allowed: setting.allowed))
      ) {
        try Configuration(flags: [:], environment: [:], file: badFile)
      }
    }
  }

  // MARK: File

  @Test("the file is in XDG_CONFIG_HOME, else in .config of the home directory, else nowhere")
  func place() {
    func path(_ environment: [String: String]) -> String? { ConfigurationFile.path(environment: environment) }
    #expect(path(["XDG_CONFIG_HOME": "/x", "HOME": "/h"]) == "/x/libre/config.toml")
    #expect(path(["HOME": "/h"]) == "/h/.config/libre/config.toml")
    // The XDG specification: empty is unset, relative paths are to be ignored.
    #expect(path(["XDG_CONFIG_HOME": "", "HOME": "/h"]) == "/h/.config/libre/config.toml")
    #expect(path(["XDG_CONFIG_HOME": "x", "HOME": "/h"]) == "/h/.config/libre/config.toml")
    #expect(path(["HOME": ""]) == nil)
  }

  @Test("an existing file is loaded; a missing file is not an error")
  func load() throws {
    let folder = try TemporaryDirectory()
    #expect(try ConfigurationFile.load(environment: ["XDG_CONFIG_HOME": folder.path]) == nil)
    let path = try folder.write("# mine\nunit = \"mmol/L\" # at home\r\n", to: "libre/config.toml")
    let file = try #require(try ConfigurationFile.load(environment: ["XDG_CONFIG_HOME": folder.path]))
    #expect(file.path == path)
    #expect(try Configuration(flags: [:], environment: [:], file: file).unit == .millimolesPerLitre)
  }

  @Test("a key that nothing reads is an error", arguments: [("units", "units = \"x\""), ("a", "[a]\nunit = \"x\"")])
  func unknownKey(key: String, text: String) throws {
    let known = Setting.all.map(\.key) + ["[sinks.NAME]", "[alerts.NAME]"]
    #expect(throws: LibreError.configuration(.unknownKey(path: "/c/config.toml", key: key, known: known))) {
      try file(text)
    }
  }

  @Test(
    "invalid values of any type are refused, and the error repeats what the user wrote",
    arguments: [
      ("0x10", "16"), ("true", "true"), ("[\"a\", 'b']", "a,b"), ("-1_000.5e+3", "-1_000.5e+3"),
      ("[1]", "a list with values other than text"), ("{}", "a table"),
    ])
  func otherTypes(value: String, shown: String) throws {
    let error = #expect(throws: LibreError.self) {
      try Configuration(flags: [:], environment: [:], file: try file("unit = \(value)"))
    }
    guard case .badValue("/c/config.toml", "unit", shown, _) = error?.cause as? ConfigurationError else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("an unreadable file, such as a directory in its place, is an error")
  func unreadable() throws {
    let folder = try TemporaryDirectory()
    try folder.write("", to: "libre/config.toml/file")
    let error = #expect(throws: LibreError.self) {
      try ConfigurationFile.load(environment: ["XDG_CONFIG_HOME": folder.path])
    }
    guard case .unreadable(let path, _) = error?.cause as? ConfigurationError else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(path == "\(folder.path)/libre/config.toml")
  }
}
