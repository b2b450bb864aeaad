// SPDX-License-Identifier: Apache-2.0
import HostSystem
import SampleSync
import SensorHistory
import TextFormats

package struct Setting: Hashable, Sendable {
  /// The key in the file. A key with a dot may also be in a table: `[sync]`, then `mode`.
  package let key: String
  package let defaultValue: String
  package let summary: String
  package let allowed: String
  /// True for a path. In the environment and in the file it may begin with `~/`; in the file it must not be relative.
  let isPath: Bool
  /// True for what belongs to one person: others do not inherit it, and its variable is the user's.
  package let isPersonal: Bool
  private let spellings: [String: String]
  private let check: @Sendable (String) -> Bool

  init(
    _ key: String, default defaultValue: String, _ summary: String, allowed: String,
    isPath: Bool = false, isPersonal: Bool = false, spellings: [String: String] = [:],
    check: @escaping @Sendable (String) -> Bool
  ) {
    (self.key, self.defaultValue, self.summary, self.allowed) = (key, defaultValue, summary, allowed)
    (self.isPath, self.isPersonal, self.spellings, self.check) = (isPath, isPersonal, spellings, check)
  }

  init(
    _ key: String, default defaultValue: String, _ summary: String, oneOf values: [String],
    spellings: [String: String] = [:]
  ) {
    self.init(
      key, default: defaultValue, summary, allowed: values.joined(separator: ", "), spellings: spellings
    ) { values.contains($0) }
  }

  /// The environment variable: `LIBRE_TIME_ZONE` for `time_zone`.
  package var variable: String { "LIBRE_" + key.uppercased().replacing(".", with: "_") }

  /// The option: `--time-zone` for `time_zone`.
  package var option: String { "--" + key.replacing("_", with: "-").replacing(".", with: "-") }

  package func accepts(_ value: String) -> Bool { check(value) }

  /// The value in its standard spelling: `mmol/L` for `mmol`.
  package func spelled(_ value: String) -> String { spellings[value.lowercased()] ?? value }

  /// The value as written in the file; nil if it is not allowed there.
  package func written(_ value: String) -> String? {
    let text = spelled(value)
    let isPlace = !isPath || text.isEmpty || text.hasPrefix("/") || text.hasPrefix("~/")
    return accepts(text) && isPlace ? text : nil
  }

  package static func == (left: Setting, right: Setting) -> Bool { left.key == right.key }
  package func hash(into hasher: inout Hasher) { hasher.combine(key) }

  package static let unit = Setting(
    "unit", default: GlucoseUnit.milligramsPerDecilitre.rawValue, "unit in which glucose is shown",
    oneOf: GlucoseUnit.allCases.map(\.rawValue),
    spellings: [
      "mmol": "mmol/L", "mmol/l": "mmol/L", "mmol_l": "mmol/L", "mg": "mg/dL", "mg/dl": "mg/dL", "mgdl": "mg/dL",
      "mg_dl": "mg/dL",
    ])
  package static let timeZone = Setting(
    "time_zone", default: "", "time zone for times in tables; empty is this computer's",
    allowed: "a name such as Europe/Rome, or nothing"
  ) { $0.isEmpty || LocalTime.isZone($0) }
  package static let color = Setting(
    "color", default: "auto", "when to use colour on a terminal", oneOf: ["auto", "always", "never"])
  package static let calibration = Setting(
    "calibration", default: "factory", "calibration, which turns counts (raw values) into glucose",
    allowed: CalibrationEntry.usages
  ) { CalibrationChoice($0) != nil }
  package static let reader = Setting(
    "reader", default: "auto", "address of the reader",
    allowed: Catalogue.standard.readerAddresses.joined(separator: ", ")
  ) { (try? ReaderAddress($0)) != nil }
  package static let store = Setting(
    "store", default: "", "path of the store; empty is the default path",
    allowed: "a path that begins with / or ~/, or nothing", isPath: true, isPersonal: true
  ) { !$0.contains("\0") }
  package static let name = Setting(
    "name", default: "", "name of the person, on each page of a report",
    allowed: "up to 128 bytes without control characters, or nothing", isPersonal: true
  ) { $0.utf8.count <= 128 && $0.unicodeScalars.allSatisfy(SafeText.isPrintable) }
  package static let born = Setting(
    "born", default: "", "date of birth of the person, on each page of a report",
    allowed: "a date such as 2010-05-31, or nothing", isPersonal: true
  ) { $0.isEmpty || $0.utf8.count == 10 && Instant(rfc3339: "\($0)T00:00:00Z") != nil }
  package static let retentionDays = Setting(
    "retention_days", default: "0", "days after which libre store vacuum removes samples; 0 keeps them forever",
    allowed: "a number of days up to 36500"
  ) { Int($0).map { (0...36_500).contains($0) } ?? false }
  package static let ignoreSources = Setting(
    "ignore_sources", default: "", "imported sources that are left out of history, statistics and sinks",
    allowed: "names separated by commas, or nothing", isPersonal: true
  ) { _ in true }
  package static let referenceID = Setting(
    ReferenceID.key, default: "",
    "your own name for the person, sent with every value to each sink that supports it",
    allowed: ReferenceID.allowed, isPersonal: true, check: ReferenceID.accepts)
  package static let syncMode = Setting(
    "sync.mode", default: "automatic", "automatic sends new samples after each read; manual leaves that to libre sync",
    oneOf: ["automatic", "manual"])
  package static let syncWaitSeconds = Setting(
    "sync.wait_seconds", default: "5", "seconds that libre read waits for receivers; the rest stays in the outbox",
    allowed: "a whole number of seconds up to 600"
  ) { Int($0).map { (0...600).contains($0) } ?? false }
  package static let serveListen = Setting(
    "serve.listen", default: ListenAddress.standard.description, "address on which serve answers",
    allowed: "HOST:PORT, [IPV6]:PORT or unix:/path"
  ) { ListenAddress($0) != nil }
  package static let serveAllowHosts = Setting(
    "serve.allow_hosts", default: "", "further host names under which browsers may reach serve without a secret",
    allowed: "names separated by commas, or nothing"
  ) { _ in true }
  package static let serveAllowOrigins = Setting(
    "serve.allow_origins", default: "", "web sites whose pages may read what serve answers",
    allowed: "addresses such as https://dashboard.example, separated by commas, or nothing"
  ) { text in names(text).allSatisfy { $0.hasPrefix("http://") || $0.hasPrefix("https://") } }
  package static let serveSecretFile = Setting(
    "serve.secret_file", default: "", "file of mode 0600 with the secret that clients of serve must know",
    allowed: "a path that begins with / or ~/, or nothing", isPath: true, isPersonal: true
  ) { !$0.contains("\0") }
  package static let serveSecretCommand = Setting(
    "serve.secret_command", default: "", "command that writes the secret that clients of serve must know",
    allowed: "a command, or nothing", isPersonal: true
  ) { _ in true }
  package static let logLevel = Setting(
    "log_level", default: "warning", "minimum level of messages on standard error",
    oneOf: ["trace", "debug", "info", "notice", "warning", "error", "critical"])

  package static let logFormat = Setting(
    "log_format", default: "text", "format of standard error", oneOf: ["text", "json"])
  package static let noInput = Setting(
    NoInput.key, default: "false", "true to never ask for input", oneOf: ["true", "false"], spellings: NoInput.spellings
  )

  package static func names(_ text: String) -> Set<String> {
    let names = text.split(separator: ",").map { name in
      String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    return Set(names.filter { !$0.isEmpty })
  }

  /// Environment variables that begin with `LIBRE_` but are unknown, such as typing errors.
  package static func unknownVariables(in environment: [String: String]) -> [String] {
    let known = Set(all.map(\.variable) + [Person.variable])
    return environment.keys.filter { name in
      name.hasPrefix("LIBRE_") && !known.contains(name) && !SecretVariable.isOne(name)
    }.sorted()
  }

  package static let all = [
    unit, timeZone, color, calibration, reader, store, name, born, retentionDays, ignoreSources, referenceID, syncMode,
    syncWaitSeconds, serveListen, serveAllowHosts, serveAllowOrigins, serveSecretFile, serveSecretCommand, logLevel,
    logFormat, noInput,
  ]
}
