// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import CommandSupport
@testable import LibreKit

struct ConfigurationTests {
  private func configuration(
    _ text: String? = nil, flags: [Setting: String] = [:], environment: [String: String] = [:]
  ) throws -> Configuration {
    let file = try text.map { try ConfigurationFile(path: "/c/config.toml", bytes: $0.utf8) }
    return try Configuration(flags: flags, environment: environment, file: file)
  }

  @Test("a flag wins over a variable, a variable over the file, the file over the default, and hides what is invalid")
  func precedence() throws {
    let hiding = try configuration(
      "unit = \"worse\"", flags: [.unit: "mg/dL"], environment: ["LIBRE_UNIT": "nonsense"])
    #expect(hiding.unit == .milligramsPerDecilitre)
    let layered = try configuration(
      "unit = \"mmol/L\"\ncolor = \"never\"\nlog_level = \"info\"\n", flags: [.unit: "mg/dL"],
      environment: ["LIBRE_UNIT": "mmol/L", "LIBRE_COLOR": "always", "UNIT": "x"])
    #expect(layered[.unit] == .init(text: "mg/dL", origin: .flag))
    #expect(layered[.color] == .init(text: "always", origin: .variable("LIBRE_COLOR")))
    #expect(layered[.logLevel] == .init(text: "info", origin: .file("/c/config.toml")))
    #expect(layered[.calibration] == .init(text: "factory", origin: .standard))
    #expect(layered.unit == .milligramsPerDecilitre)
  }

  @Test("an error in TOML names line, column and reason, but not the content, which may be a secret")
  func reasons() {
    let reason = "line 2, column 9: expected true, false, a number of up to 64 bits, or text in quotes"
    #expect(throws: LibreError.configuration(.notTOML(path: "/c/config.toml", reason: reason))) {
      try configuration("unit = \"mmol/L\"\nstore = hunter2\n")
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
    let standard = try configuration()
    for setting in Setting.all {
      #expect(standard[setting] == .init(text: setting.defaultValue, origin: .standard))
      #expect(setting.accepts(setting.defaultValue))
    }
    // Any text is valid as a path, as a command, and as the name of a program, a computer or a person.
    let free: Set<Setting> = [
      .store, .name, .ignoreSources, .referenceID, .serveAllowHosts, .serveSecretFile, .serveSecretCommand,
    ]
    for (setting, value) in good {
      for configuration in [
        try configuration(flags: [setting: value]), try configuration(environment: [setting.variable: value]),
        try configuration("\(setting.key) = \"\(value)\""),
      ] {
        #expect(configuration[setting].text == value)
      }
      if free.contains(setting) { continue }
      let (bad, allowed) = ("no such thing", setting.allowed)
      func refusal(_ origin: String) -> LibreError {
        .configuration(.badValue(origin: origin, key: setting.key, value: bad, allowed: allowed))
      }
      #expect(throws: LibreError.configuration(.badOption(name: setting.option, value: bad, allowed: allowed))) {
        try configuration(flags: [setting: bad])
      }
      #expect(throws: refusal(setting.variable)) { try configuration(environment: [setting.variable: bad]) }
      #expect(throws: refusal("/c/config.toml")) { try configuration("\(setting.key) = \"\(bad)\"") }
    }
  }

  @Test("the file is in XDG_CONFIG_HOME, else in .config of the home directory, and may be missing, but no directory")
  func place() throws {
    func path(_ environment: [String: String]) -> String? { ConfigurationFile.path(environment: environment) }
    #expect(path(["XDG_CONFIG_HOME": "/x", "HOME": "/h"]) == "/x/libre/config.toml")
    #expect(path(["HOME": "/h"]) == "/h/.config/libre/config.toml")
    // The XDG specification: empty is unset, relative paths are to be ignored.
    #expect(path(["XDG_CONFIG_HOME": "", "HOME": "/h"]) == "/h/.config/libre/config.toml")
    #expect(path(["XDG_CONFIG_HOME": "x", "HOME": "/h"]) == "/h/.config/libre/config.toml")
    #expect(path(["HOME": ""]) == nil)
    let folder = try TemporaryDirectory()
    #expect(try ConfigurationFile.load(environment: ["XDG_CONFIG_HOME": folder.path]) == nil)
    let written = try folder.write("# mine\nunit = \"mmol/L\" # at home\r\n", to: "libre/config.toml")
    let file = try #require(try ConfigurationFile.load(environment: ["XDG_CONFIG_HOME": folder.path]))
    #expect(file.path == written)
    #expect(try Configuration(flags: [:], environment: [:], file: file).unit == .millimolesPerLitre)
    try folder.write("", to: "other/libre/config.toml/file")
    let error = #expect(throws: LibreError.self) {
      try ConfigurationFile.load(environment: ["XDG_CONFIG_HOME": folder.path("other")])
    }
    guard case .unreadable(folder.path("other/libre/config.toml"), _) = error?.cause as? ConfigurationError else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("a key that nothing reads is an error", arguments: [("units", "units = \"x\""), ("a", "[a]\nunit = \"x\"")])
  func unknownKey(key: String, text: String) throws {
    let known = Setting.all.map(\.key) + ["[sinks.NAME]", "[alerts.NAME]"]
    #expect(throws: LibreError.configuration(.unknownKey(path: "/c/config.toml", key: key, known: known))) {
      try configuration(text)
    }
  }

  @Test(
    "invalid values of any type are refused, and the error repeats what the user wrote",
    arguments: [
      ("0x10", "16"), ("true", "true"), ("[\"a\", 'b']", "a,b"), ("-1_000.5e+3", "-1_000.5e+3"),
      ("[1]", "a list with values other than text"), ("{}", "a table"),
    ])
  func otherTypes(value: String, shown: String) throws {
    let error = #expect(throws: LibreError.self) { try configuration("unit = \(value)") }
    guard case .badValue("/c/config.toml", "unit", shown, _) = error?.cause as? ConfigurationError else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
