// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreDocuments
import SampleSync
import TextFormats

@testable import CommandSupport
@testable import LibreKit
@testable import SampleSync

/// A configuration file: refused with a reason that names what is wrong, or what it says is there; a section of a sink as
/// libre would write it says the same.
enum ConfigurationTarget {
  static let all = [
    FuzzTarget(name: "config", seeds: { seeds.map { Array($0.utf8) } }, words: words, testRuns: 600, run: run)
  ]

  private static let path = "/c/config.toml"

  private static let seeds: [String] =
    [
      Setting.all.map { "\($0.key.replacing(".", with: "_")) = \"\($0.defaultValue)\"\n" }.joined(),
      Setting.all.filter { !$0.key.contains(".") && $0.accepts($0.defaultValue) }
        .map { "\($0.key) = \"\($0.defaultValue)\"\n" }.joined() + "\n[sync]\nmode = \"manual\"\n",
      "unit = \"mmol/L\"\nreader = \"sim:active\"\ncalibration = \"linear:0.1,0\"\nno_such_key = 1\n",
    ]
    + SinkType.all.map { type in
      "[sinks.night]\ntype = \"\(type.name)\"\n"
        + type.parameters.map { "\($0.key) = \"\($0.key == "url" ? "https://site.example" : "x1")\"\n" }.joined()
        + "send = [\"glucose.history\", \"glucose.trend\"]\nbackfill_days = 7\nallow_http = false\nenabled = true\n"
        + "timeout_seconds = 20\nsecret_file = \"/x\"\n"
    }

  private static let words =
    Setting.all.map { "\($0.key) = " } + SinkSetup.commonKeys.map { "\($0) = " } + SinkType.all.map(\.name)
    + SinkType.all.flatMap(\.parameters).map { "\($0.key) = " } + [
      "[sinks.", "[sync]", "]\n", "\"\"\"", "'''", "true", "false", "[[", "{ ", " }", "inf", "nan",
      "1979-05-27T07:32:00Z", "0x", "1e9", "\\u0000", "\\U0010FFFF", "\\\n", "a.b.", "{a.b=", "\r\n", "\u{FEFF}",
      "\"glucose.history\"", "\"raw\"", "mg/dL", "mmol/L", "https://", "mqtts://",
    ]

  private static func run(_ bytes: [UInt8]) throws {
    let file: ConfigurationFile
    do {
      file = try ConfigurationFile(path: path, bytes: bytes)
    } catch {
      guard let reason = error.cause as? ConfigurationError else { throw OracleFailure(description: "\(error)") }
      if case .unknownKey(_, let key, let known) = reason {
        try require(!Setting.all.contains { $0.key == key } && !known.isEmpty, "\(key) is known")
        try require(error.message.contains(key), "the key that nothing reads is named")
      }
      if case .notTOML(_, let reason) = reason {
        let hasPlace = reason.hasPrefix("line ") && reason.contains(", column ")
        try require(hasPlace || bytes.count > 32 << 10, "no line and column in: \(reason)")
      }
      return try require(!error.message.isEmpty && !error.resolution.isEmpty, "a reason in words")
    }
    do {
      let configuration = try Configuration(flags: [:], environment: [:], file: file)
      for setting in Setting.all {
        let value = configuration[setting]
        try require(setting.accepts(value.text), "\(setting.key) = \(value.text)")
        let isFiles = value.origin == .file(path)
        try require(isFiles == (file.values[setting] != nil), "\(setting.key): \(value.origin)")
      }
    } catch let error as LibreError {
      guard case .badValue(path, let key, _, _) = error.cause as? ConfigurationError else {
        throw OracleFailure(description: "\(error)")
      }
      try require(Setting.all.contains { $0.key == key }, "a bad value of \(key), which is no setting")
    }
    try sinks(of: file)
  }

  private static func sinks(of file: ConfigurationFile) throws {
    for (name, result) in file.sinkSetups() {
      let setup: SinkSetup
      switch result {
      case .failure(let error):
        try require(error.exitStatus == 78 && !error.message.isEmpty, "\(name): \(error)")
        continue
      case .success(let success): setup = success
      }
      try require(setup.name == name && SinkSetup.isName(name), "a sink by its name")
      let again = try ConfigurationFile(path: path, bytes: setup.section.text.utf8)
      try require(
        again.sinkSections()[name] == .success(setup.section), "written and read it is the same: \(setup.section.text)")
      // With a secret at hand: none is looked for in a file that the input names.
      if (try? setup.check(secret: Secret("open sesame"), environment: [:])) != nil {
        try require(!setup.receiver.isEmpty, "a sink has a receiver")
      }
    }
  }
}
