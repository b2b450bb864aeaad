// SPDX-License-Identifier: Apache-2.0
import Foundation
import Libre1Core
import LibreDocuments
import TestSupport
import Testing

/// Real output, checked against the published schemas by Python's jsonschema, in one run of Python for each test. A member
/// that a schema does not name is a fault too.
struct SchemaTests {
  private let sandbox = Sandbox.new()

  /// The schemas as the command prints them, once in a run of the tests.
  private static let printed = Result {
    try Dictionary(
      uniqueKeysWithValues: SchemaDocument.all.map { ($0.name, try Sandbox.new().done("schema", $0.name)) })
  }

  /// A line for each fault, which begins with the number of the document from 1; the last line has the counts.
  private func validate(_ documents: [UInt8]) throws -> [String] {
    let schemas = try Self.printed.get().map { name, outcome in
      #expect(try outcome.json()["title"] == .string("libre.\(name)/1"))
      return try sandbox.write(outcome.output, to: "schemas/\(name).schema.json")
    }
    let outcome = try ForeignPython.run(
      "schemas.py", of: "LibreCommandTests", schemas, input: documents, by: .jsonschema, in: sandbox)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.lines
  }

  /// A document on a line of its own.
  private func line(_ outcome: Outcome) -> [UInt8] {
    Array((outcome.text.split(separator: "\n").joined() + "\n").utf8)
  }

  @Test("the documents of import, history, latest, sensors, stats and compare are valid by their schemas")
  func storeDocuments() throws {
    // In mid-life, not started, with gaps, with a torn memory, and another product; all dumps in `make full`.
    let few = ["active", "not-activated", "gaps", "torn", "pro"].map {
      $0 + ".hex"
    }
    let names = TestTier.current == .full ? Sandbox.soundDumps : few
    for name in names { try sandbox.copy(name, to: "dumps/\(name)") }
    try sandbox.copy("active.hex", to: "official/scan.hex")
    try sandbox.write(
      #"{"vectors": [{"file": "scan.hex", "official": {"history": [{"minute": 15600, "mgdl": 104}]}}]}"#,
      to: "official/INDEX.json")
    try sandbox.write("time,mg_dL\n2024-05-02T10:15:00Z,104\n", to: "reference.csv")
    try sandbox.write("time,mg_dL\n2024-05-02T10:15:00Z,204\n", to: "other.csv")
    // Enough days for a profile.
    let study = (0..<1_200).map { "S\($0 % 2),\(1_714_608_000 + $0 * 900),\(60 + $0 % 180)\n" }.joined()
    try sandbox.write("subject,time,mg_dL\n" + study, to: "study.csv")
    _ = try sandbox.run("alerts", "add", "high", "--above", "30mg", "--tell", "journal")
    _ = try sandbox.run("read", "--reader", "sim:active", "--store", "now.sqlite")
    var documents = try sandbox.run("import", "--recursive", "dumps", "--ndjson").output
    let runs: [[String]] = [
      ["import", "reference.csv", "--ndjson"], ["import", "other.csv", "--ndjson"], ["imports", "--json"],
      ["find", "dumps", "--json"], ["alerts", "--json"], ["alerts", "check", "--json", "--store", "now.sqlite"],
      ["stats", "--by", "subject", "study.csv", "--json", "--unit", "mmol/L"],
      ["stats", "--by", "file", "reference.csv", "dumps/active.hex", "--json"],
      ["history", "--from", "all", "--ring", "all", "--ndjson"],
      ["history", "--from", "all", "--json", "--unit", "mmol/L"], ["latest", "--json"], ["sensors", "--json"],
      ["stats", "--from", "2024-01-01", "--to", "2024-03-01", "--json"],
      ["stats", "--from", "all", "--by", "sensor", "--json", "--samples"],
      ["stats", "--from", "all", "--by", "hour", "--json", "--unit", "mmol/L"],
      ["history", "--from", "all", "--ring", "all", "--ndjson", "--calibration", "reader"],
      ["compare", "reference.csv", "--json"], ["compare", "--json"],
      ["compare", "--memories", "--recursive", "dumps", "--json"], ["compare", "--official", "official", "--json"],
    ]
    for arguments in runs {
      let outcome = try sandbox.done(arguments)
      documents += arguments.contains("--json") ? line(outcome) : outcome.output
    }
    // Two sensors at the same time, of which one does not count.
    let two = ["--store", "two.sqlite"]
    for seed in ["8", "9"] {
      try sandbox.done("simulate", "--seed", seed, "--out", "\(seed).hex")
      try sandbox.done(["import", "--mine", "\(seed).hex", "--read-at", "2024-05-02T10:15:00Z"] + two)
    }
    let history = try sandbox.run(["history", "--from", "all", "--ndjson"] + two)
    #expect(history.text.contains("superseded_by"))
    documents += history.output
    documents += line(try sandbox.run(["stats", "--from", "all", "--by", "sensor", "--json"] + two))
    let report = try validate(documents)
    #expect(report.dropLast() == [])
  }

  @Test("the memory map of good and of damaged dumps, and a reading of records alone, are valid by their schemas")
  func memoryMaps() throws {
    let names = [
      "active", "torn", "pro", "full-memory", "libre2", "block-42-missing", "x-bad-body", "x-blank-ones", "x-truncated",
    ]
    var documents: [UInt8] = []
    for name in names {
      try sandbox.copy("\(name).hex", to: "\(name).hex")
      documents += line(try sandbox.run("inspect", "--json", "\(name).hex"))
    }
    #if SQLite
      let path = sandbox.path("sas.db")
      let state = LibreLinkState(SimulatedSensor(seed: 3), newestTrend: 6_007, newestHistory: 6_000)
      try LibreLinkFile(path).keep(state, at: 1_714_644_900_346)
      documents += line(try sandbox.run("decode", "--json", path))
    #endif
    #expect(try validate(documents).dropLast() == [])
  }

  @Test("the documents about meters and their records are valid by their schemas")
  func meters() throws {
    let environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(sandbox.path("no-bus"))"]
    var documents: [UInt8] = []
    for meter in ["sim:meter", "sim:cuff", "sim:onetouch"] {
      for format in ["--json", "--ndjson"] {
        let outcome = try sandbox.done("meter", "read", meter, "--all", "--store", "s.sqlite", format)
        documents += format == "--json" ? line(outcome) : outcome.output
      }
    }
    documents += line(try sandbox.run(["meters", "--json", "--store", "s.sqlite"], environment: environment))
    let entries = try sandbox.run("export", "--from", "all", "--format", "ndjson", "--store", "s.sqlite")
    #expect(entries.text.contains("libre.blood_pressure/1") && entries.text.contains("finger_stick"))
    documents += entries.output + line(try sandbox.run("compare", "--json", "--store", "s.sqlite"))
    #expect(try validate(documents).dropLast() == [])
  }

  @Test("the documents for webhooks and about sinks are valid by their schemas, with few and with all members")
  func sending() throws {
    try sandbox.copy("active.hex", to: "dump.hex")
    try ImportedStore.copy(to: ImportedStore.standard, in: sandbox, readAt: nil)
    try sandbox.done("add", "118", "--at", "-1h", "--note", "before lunch")
    let all = ["glucose.history", "glucose.trend", "sensor", "raw", "statistics", "finger_sticks", "imported"]
      .flatMap { ["--send", $0] }
    for (name, parts) in [("few", []), ("all", all + ["user=white_bear"])] {
      try sandbox.done(["sink", "add", name, "webhook", "url=http://127.0.0.1:9"] + parts)
    }
    let events = try sandbox.run("sync", "--dry-run", "--json")
    let bodies = try events.ndjson().compactMap { event in
      event["request"].text.flatMap { $0.split(separator: "\n").last { $0.hasPrefix("{") } }
    }
    #expect(bodies.contains { $0.contains("before lunch") })
    #expect(bodies.count >= 3 && bodies.allSatisfy { $0.contains("libre.batch/1") })
    var documents = events.output + Array((bodies.joined(separator: "\n") + "\n").utf8)
    for command in [
      ["status"], ["sink", "list"], ["sink", "list", "--supported"], ["sink", "test"], ["outbox", "list"],
      ["config", "show"],
    ] {
      documents += line(try sandbox.run(command + ["--json"]))
    }
    for command in [["sync", "--now"], ["read", "--reader", "sim:active", "--no-store"], ["decode", "nothing"]] {
      documents += try sandbox.run(command + ["-v", "-v", "--log-format", "json"]).errors.utf8
    }
    #expect(try validate(documents) == ["0 readings, 0 errors"])
  }

  @Test("readings of all scenarios, and every kind of error, are valid by their schemas")
  func documents() throws {
    let made = try sandbox.shell("mkdir made; cp \(Repository.dumps.path)/*.hex made")
    #expect(made.status == 0, "\(made.errors)")
    for input in try BadInput.all() { try sandbox.write(input.bytes, to: "bad/\(input.name)") }
    try sandbox.copy("active.hex", to: "active.hex")
    let libre3 = String(repeating: "00", count: 12) + "04" + String(repeating: "00", count: 11)
    // A sensor whose patch info contradicts its memory.
    let dump = String(
      decoding: try Data(contentsOf: Repository.dumps.appendingPathComponent("active.hex")), as: UTF8.self)
    for info in ["9D0830010000", "2B0A3A080000", "700010010000", "000070010000", "010000000000", libre3] {
      let text = dump.replacing(/# patch-info: .*/, with: "# patch-info: \(info)")
      #expect(text != dump)
      try sandbox.write(text, to: "contradictions/\(info).hex")
    }
    // What is not damaged differs by the unit and the calibration alone.
    let damaged = try FileManager.default.contentsOfDirectory(atPath: sandbox.path("made")).filter {
      $0.hasPrefix("x-")
    }
    let salvaged = TestTier.current == .full ? ["made"] : (["active.hex"] + damaged).map { "made/\($0)" }
    let runs: [[String]] = [
      ["--recursive", "made", "bad", "contradictions"],
      ["--recursive"] + salvaged + ["bad", "--salvage", "--unit", "mmol/L", "--calibration", "linear:0.1,0"],
      ["nothing", "bad", "/dev/zero", "active.hex"], ["active.hex", "--read-at", "mtime"],
      ["active.hex", "--read-at", "1400000000"], ["active.hex", "--uid", "E07AA40000000001"],
      ["active.hex", "--patch-info", "9D0830010000"],
      ["bad/random.bin", "--uid", "E007A40000000001", "--patch-info", "9D0830010000"],
      ["bad/random.bin", "--uid", "E007A40000000001", "--patch-info", "2B0A3A080000"],
      ["bad/random.bin", "--patch-info", libre3],
    ]
    var documents: [UInt8] = []
    for dump in ["active", "full-memory", "block-42-missing"] {
      documents += try line(sandbox.run("convert", "made/\(dump).hex", "--to", "json"))
    }
    for arguments in runs { documents += try sandbox.run(["decode", "--ndjson"] + arguments).output }
    let lines = try line(sandbox.run("convert", "made/active.hex", "--to", "json")) + Array("bad\n".utf8)
    for options in [[], ["--keep-members"]] {
      documents += try sandbox.run(["decode", "--ndjson", "-"] + options, input: lines).output
    }
    let report = try validate(documents)
    #expect(report.dropLast() == [])
    let counts = try #require(report.last?.wholeMatch(of: /([0-9]+) readings, ([0-9]+) errors/))
    let (readings, errors) = (try #require(Int(counts.1)), try #require(Int(counts.2)))
    #expect(readings > 40 && errors > 15, "\(report.last ?? "")")
  }

  @Test(
    "readings, lists of choices, readers and a Flipper's files, and what doctor says are valid, with and without PC/SC"
  )
  func readers() async throws {
    var flipper = FlipperEmulator()
    flipper.files = ["/ext/nfc/libre.nfc": [0x41], "/ext/nfc/old/first.nfc": []]
    let device = try FlipperOnPort(flipper)
    var documents = line(try await sandbox.libre(["flipper", "list", "--json", "--port", device.port.path]))
    for address in ["sim:active", "sim:blank-ones", "sim:nothing", "replay:nothing"] {
      documents += try sandbox.run("read", "--ndjson", "--reader", address).output
    }
    for command in [["formats"], ["simulate", "--list"], ["readers", "--supported"]] {
      documents += line(try sandbox.run(command + ["--json"]))
    }
    for environment in [[:], ["PCSCLITE_CSOCK_NAME": sandbox.path("nothing")]] {
      for command in ["readers", "doctor"] {
        documents += line(try sandbox.run([command, "--json"], environment: environment))
      }
    }
    #expect(try validate(documents) == ["1 readings, 3 errors"])
  }

  @Test("the schemas refuse documents with a wrong value, a wrong type or a missing member")
  func strictness() throws {
    try sandbox.copy("active.hex", to: "active.hex")
    let line = try sandbox.run("decode", "--ndjson", "active.hex").text
    let broken = [
      line.replacingOccurrences(of: "\"state\":\"active\"", with: "\"state\":\"fine\""),
      line.replacingOccurrences(of: "\"age_minutes\":15730", with: "\"age_minutes\":\"15730\""),
      line.replacingOccurrences(of: "\"trend\":[", with: "\"trends\":["),
      "{\"schema\":\"libre.readers/1\",\"tool\":\"x\",\"readers\":[{}],\"ways\":[]}\n",
      "{\"schema\":\"libre.doctor/1\",\"outlook\":\"fine\"}\n",
      "{\"schema\":\"libre.error/1\",\"code\":\"x\",\"message\":\"m\",\"source\":{\"path\":null}}\n",
    ]
    let report = try validate(Array((line + broken.joined()).utf8)).dropLast()
    let numbers = Set(report.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } })
    for (index, document) in broken.enumerated() {
      #expect(document != line)
      #expect(numbers.contains(index + 2), "\(document.prefix(120))")
    }
    #expect(!numbers.contains(1), "the document before it was broken is valid")
  }
}
