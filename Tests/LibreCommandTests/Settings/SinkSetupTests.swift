// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Libre1Core
import SampleSync
import SensorHistory
import TestSupport
import Testing
import TextFormats

@testable import CommandSupport
@testable import LibreKit
@testable import SampleSync

struct SinkSetupTests {
  private static let path = "/c/config.toml"
  private static let variable = ["LIBRE_SECRET_NIGHT": "open sesame"]

  private func file(_ text: String) throws -> ConfigurationFile {
    try ConfigurationFile(path: Self.path, bytes: text.utf8)
  }

  private func setup(_ lines: String) throws -> SinkSetup {
    try #require(try file("[sinks.night]\n\(lines)").sinkSetups()["night"]).get()
  }

  /// One valid section of every type, with the address shown to users.
  private static let kinds = [
    ("nightscout", "url = \"https://site.example/\"", "https://site.example"),
    ("nightscout-v3", "url = \"https://site.example:8443\"", "https://site.example:8443"),
    ("mqtt", "url = \"mqtts://broker.example\"\nuser = \"me\"", "mqtts://broker.example"),
    ("influx", "url = \"http://127.0.0.1:8086\"\nuser = \"me\"", "http://127.0.0.1:8086"),
    ("webhook", "url = \"http://localhost:1/in\"", "http://localhost:1/in"),
    ("vital", "client_user_id = \"white_bear\"", "https://api.sandbox.us.junction.com"),
    ("tidepool", "user = \"ann@example.org\"", "https://api.tidepool.org"),
    ("fhir", "url = \"https://fhir.example/r4\"\npatient = \"Patient/1\"", "https://fhir.example/r4"),
    ("file", "path = \"/x/out.ndjson\"", "/x/out.ndjson"),
    ("ntfy", "url = \"https://ntfy.example/my-topic\"", "https://ntfy.example/my-topic"),
    ("gotify", "url = \"https://gotify.example\"", "https://gotify.example"),
  ]

  @Test(
    "a section of each type makes a sink of that type, for history or alerts, ninety days back if its receiver keeps values",
    arguments: kinds)
  func everyKind(type: String, lines: String, destination: String) throws {
    #expect(Self.kinds.map(\.0) == SinkType.all.map(\.name), "each type of the build has its section here")
    let setup = try setup("type = \"\(type)\"\n\(lines)")
    #expect(setup.name == "night" && setup.type.name == type)
    let parts: Set<SampleBatch.Part> = ["ntfy", "gotify"].contains(type) ? [] : [.history]
    #expect(setup.parts == parts && setup.rings == (parts.isEmpty ? [] : [.history]))
    #expect(setup.backfillDays == (type == "mqtt" ? 0 : 90))
    #expect(!setup.allowsHTTP && setup.isEnabled && setup.timeoutSeconds == 30 && setup.intervalMinutes == 0)
    let sink = try setup.sink(environment: Self.variable)
    #expect(sink.destination == destination)
    #expect(setup.receiver.hasPrefix("\(type) "))
    for parameter in setup.type.parameters { #expect(setup.values[parameter.key] != nil) }
  }

  @Test("the unit is that of the setting, unless the sink has its own")
  func unit() throws {
    let section = "[sinks.night]\ntype = \"mqtt\"\nurl = \"mqtt://localhost\"\n"
    for (lines, unit) in [
      (section, "mg/dL"), ("unit = \"mmol/L\"\n" + section, "mmol/L"), ("unit = \"mmol\"\n" + section, "mmol/L"),
      ("unit = \"mmol/L\"\n" + section + "unit = \"mg/dL\"\n", "mg/dL"),
    ] {
      #expect(try file(lines).sinkSetups()["night"]?.get().values["unit"] == unit, "\(lines)")
    }
    // A person's sink has the user's unit, and nothing that is personal.
    let folder = try TemporaryDirectory()
    let ann = try #require(Person("ann")).environment(from: ["XDG_CONFIG_HOME": folder.path])
    try folder.write("unit = \"mmol/L\"\nreference_id = \"me\"\n", to: "libre/config.toml")
    try folder.write(section, to: "libre/persons/ann/config.toml")
    let setup = try #require(try ConfigurationFile.load(environment: ann)?.sinkSetups()["night"]).get()
    #expect(setup.values["unit"] == "mmol/L")
    #expect(try setup.person(environment: ann) == nil)
  }

  @Test("every common key is accepted, as text, number and Boolean")
  func commonKeys() throws {
    let setup = try setup(
      """
      type = "webhook"
      url = "http://hook.example/in"
      send = ["glucose.history", "glucose.trend", "raw"]
      backfill_days = 0
      interval = "15m"
      allow_http = true
      timeout_seconds = 600
      enabled = false
      secret_file = "~/secret"
      secret_command = "pass show x"
      """)
    #expect(setup.parts == [.history, .trend, .raw] && setup.rings == [.history, .trend])
    #expect(setup.backfillDays == 0 && setup.allowsHTTP && setup.timeoutSeconds == 600)
    #expect(!setup.isEnabled && setup.intervalMinutes == 15)
    for (text, minutes) in [("immediate", 0), ("1m", 1), ("2h", 120), ("1d", 1_440)] {
      #expect(try self.setup("type = \"file\"\npath = \"/x\"\ninterval = \"\(text)\"").intervalMinutes == minutes)
    }
    #expect(setup.secretFile == "~/secret" && setup.secretCommand == "pass show x")
    #expect(try self.setup("type = \"file\"\npath = \"/x\"\nbackfill_days = \"36500\"").backfillDays == 36_500)
    #expect(try self.setup("type = \"file\"\npath = \"/x\"\nallow_http = \"false\"").allowsHTTP == false)
    #expect(try self.setup("type = \"file\"\npath = \"/x\"\nsend = [\"glucose.trend\"]").rings == [.trend])
    // A number for a parameter that is a text.
    #expect(try self.setup("type = \"file\"\npath = 7").values["path"] == "7")
  }

  private static let nightscout = "type = \"nightscout\"\nurl = \"https://site.example\"\n"

  /// Lines with one error each: the key, its value, and the values that it can have.
  private static let bad: [(lines: String, key: String, value: String, allowed: String)] = [
    ("type = \"nightscuot\"", "type", "nightscuot", SinkType.all.map(\.name).joined(separator: ", ")),
    (nightscout + "send = [\"glucose.history\", \"raw\"]", "send", "raw", parts),
    (nightscout + "send = []", "send", "without samples", samples),
    ("type = \"webhook\"\nsend = [\"sensor\", \"raw\"]", "send", "without samples", samples),
    (nightscout + "backfill_days = -1", "backfill_days", "-1", days),
    (nightscout + "backfill_days = 36501", "backfill_days", "36501", days),
    (nightscout + "backfill_days = \"many\"", "backfill_days", "many", days),
    (nightscout + "timeout_seconds = 0", "timeout_seconds", "0", seconds),
    (nightscout + "timeout_seconds = 601", "timeout_seconds", "601", seconds),
    (nightscout + "interval = 15", "interval", "15", interval),
    (nightscout + "interval = \"15s\"", "interval", "15s", interval),
    (nightscout + "interval = \"0m\"", "interval", "0m", interval),
    (nightscout + "interval = \"2d\"", "interval", "2d", interval),
    (nightscout + "allow_http = \"yes\"", "allow_http", "yes", "true or false"),
    (nightscout + "enabled = \"\"", "enabled", "", "true or false"),
    (nightscout + "calibration = \"linear:0.1,0\"", "calibration", "linear:0.1,0", "factory, reader"),
  ]
  private static let parts = "finger_sticks, glucose.history, glucose.trend, imported"
  private static let samples = "glucose.history, glucose.trend, finger_sticks, imported"
  private static let days = "a whole number from 0 to 36500"
  private static let seconds = "a whole number from 1 to 600"
  private static let interval = "immediate, or a time from 1m to 1d, such as 15m"

  @Test("an invalid value in a section is refused with the key and the valid values")
  func refused() throws {
    for (lines, key, value, allowed) in Self.bad {
      let error = LibreError.sink(.option(sink: "night", .bad(key: key, value: value, allowed: allowed)))
      #expect(throws: error, "\(lines)") { try setup(lines) }
    }
    let missing = LibreError.sink(.option(sink: "night", .missing(key: "type")))
    #expect(throws: missing) { try setup("url = \"https://x.example\"") }
    // A receiver of alerts alone has no parts.
    #expect(throws: LibreError.self) {
      try setup("type = \"ntfy\"\nurl = \"https://ntfy.example/x\"\nsend = [\"glucose.history\"]")
    }
  }

  @Test("reference_id names the person, the variable wins over the file, and the receiver stays the same")
  func person() throws {
    let section = "[sinks.night]\ntype = \"webhook\"\nurl = \"https://x.example\"\nshape = \"terra\"\n"
    let named = try #require(
      try file("reference_id = \"white bear\"\n\(section)").sinkSetups()["night"]
    ).get()
    let unnamed = try #require(try file(section).sinkSetups()["night"]).get()
    let variable = ["LIBRE_REFERENCE_ID": "cub"]
    #expect(try named.person(environment: [:]) == "white bear" && named.person(environment: variable) == "cub")
    #expect(try unnamed.person(environment: [:]) == nil && named.receiver == unnamed.receiver)
    // Terra's shape needs a name: the name of the person is enough.
    #expect(throws: Never.self) { try named.sink(environment: [:]) }
    #expect(throws: LibreError.self) { try unnamed.sink(environment: [:]) }
    for bad in ["ann@example.org", "a\u{7}b", String(repeating: "é", count: 65)] {
      #expect(throws: LibreError.self) { try named.person(environment: ["LIBRE_REFERENCE_ID": bad]) }
    }
  }

  @Test("an unknown key is named together with the known keys")
  func unknownKey() throws {
    let error = try #require(throws: LibreError.self) { try setup(Self.nightscout + "ulr = \"x\"") }
    guard case .unknownKey("night", "ulr", let known) = error.sinkError else {
      Issue.record("\(error)")
      return
    }
    #expect(known == ["url", "auth"] + SinkSetup.commonKeys)
    // A key of another type is unknown too.
    #expect(throws: LibreError.self) { try setup(Self.nightscout + "bucket = \"x\"") }
  }

  @Test("a name has lower-case letters, digits and -, and starts with a letter or a digit")
  func names() throws {
    func setup(_ name: String) throws -> SinkSetup {
      try SinkSetup(SinkSection(path: Self.path, name: name, values: ["type": "file", "path": "/x"], send: nil))
    }
    let (longest, tooLong) = (String(repeating: "a", count: 64), String(repeating: "a", count: 65))
    for name in ["0", "a-b", longest] { #expect(try setup(name).name == name) }
    for name in ["", tooLong, "-a", "a_b", "Night", "a/b", "é", "a\u{301}", "a\n", "a\0"] {
      #expect(throws: LibreError.sink(.badName(name))) { try setup(name) }
    }
  }

  @Test("an error of the sink type itself is reported with the sink's name and a solution")
  func options() throws {
    func error(_ lines: String, _ environment: [String: String] = Self.variable) throws -> LibreError {
      let setup = try setup(lines)
      return try #require(throws: LibreError.self) { try setup.sink(environment: environment) }
    }
    #expect(try error("type = \"nightscout\"") == .sink(.option(sink: "night", .missing(key: "url"))))
    let plain = try error("type = \"nightscout\"\nurl = \"http://site.example\"")
    #expect(plain == .sink(.option(sink: "night", .plainHTTP(url: "http://site.example"))))
    _ = try setup("type = \"nightscout\"\nurl = \"http://site.example\"\nallow_http = true")
      .sink(environment: Self.variable)
    let bare = try error(Self.nightscout, [:])
    #expect(bare == .sink(.option(sink: "night", .secretMissing)))
    // A sink type that needs no secret has none.
    _ = try setup("type = \"webhook\"\nurl = \"https://x.example\"").sink(environment: [:])
  }

  // MARK: The file

  @Test("sections are read by name, whatever else is in the file")
  func sections() throws {
    let file = try file(
      """
      unit = "mmol/L"
      [sinks.two]
      type = "file"
      path = "/2"
      [sinks.one]
      type = "file"
      path = "/1"
      [sync]
      mode = "manual"
      """)
    #expect(try file.sinkSetups().mapValues { try $0.get().values["path"] } == ["one": "/1", "two": "/2"])
    #expect(file.values == [.unit: "mmol/L", .syncMode: "manual"])
    #expect(try self.file("sinks.one = { type = \"file\", path = \"/1\" }").sinkSetups()["one"]?.get().name == "one")
    #expect(try self.file("[sinks]\n").sinkSetups().isEmpty)
  }

  /// The error in each file, with the error of the section; `good` is the section of another sink.
  private static let wrongSections = [
    ("[sinks.night]\ntype = \"nightscuot\"", "sink_option_bad", "nightscuot"),
    ("[sinks.NIGHT]\ntype = \"file\"", "bad_sink_name", "NIGHT"),
    ("sinks.night = 3", "configuration_bad_value", "sinks.night"),
    ("[sinks.night]\nurl = 1.5", "configuration_bad_value", "sinks.night.url"),
    ("[sinks.night.url]\nx = 1", "configuration_bad_value", "sinks.night.url"),
    ("[sinks.night]\nsend = \"raw\"", "configuration_bad_value", "sinks.night.send"),
    ("[sinks.night]\nsend = [1]", "configuration_bad_value", "sinks.night.send"),
  ]

  @Test(
    "an invalid section affects no other part of the file, and is reported when it is used",
    arguments: wrongSections)
  func wrongSection(text: String, code: String, culprit: String) throws {
    let file = try file("unit = \"mmol/L\"\nsinks.good = { type = \"file\", path = \"/1\" }\n\(text)\n")
    #expect(try Configuration(flags: [:], environment: [:], file: file).unit == .millimolesPerLitre)
    let setups = file.sinkSetups()
    #expect(try setups["good"]?.get().name == "good" && setups.count == 2)
    let night = try #require(setups.first { $0.key != "good" }).value
    let error = try #require(throws: LibreError.self) { try night.get() }
    #expect(error.message.contains(culprit), "\(error.message)")
    #expect(error.code.hasPrefix(code), "\(error.code)")
  }

  // MARK: Written text

  @Test("a written section reads back unchanged, with the type first")
  func roundTrip() throws {
    var random = SplitMix64(seed: 6)
    let hostile = [
      "", "\"\"\"", "'", "a\"b\\c", "\\n", "\r\n", "\t", "\u{1F}", "\u{7F}", "\u{85}", "e\u{301}", "🙂", "[sinks.other]",
      "a = 1", "#", "true ", "TRUE", "12", "0x10", "007", "-0", "1_000", "1e3", "9223372036854775807",
      "9223372036854775808", "\\u0041", "\u{FEFF}x",
    ]
    // TOMLReader refuses U+0000.
    let drawn = (0..<200).map { _ in
      String(String.UnicodeScalarView(random.text(random.number(0...40)).unicodeScalars.filter { $0 != "\0" }))
    }
    for text in hostile + drawn {
      let section = SinkSection(
        path: Self.path, name: "night", values: ["type": "file", "path": text, "secret_command": "x \(text)"],
        send: [text, "raw"])
      #expect(try file(section.text).sinkSections() == ["night": .success(section)], "\(text.debugDescription)")
      #expect(section.text.hasPrefix("[sinks.night]\ntype = \"file\"\n"))
      // One line for each key: users who add a section by hand find the expected lines.
      #expect(section.text.split(separator: "\n", omittingEmptySubsequences: false).count == 6)
    }
  }
}
