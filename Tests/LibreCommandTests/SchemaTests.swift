// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Real output against the published schemas, by a validator that is not ours: Python's jsonschema, in one process.
struct SchemaTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  /// The first Python that has jsonschema: Debian's, or the one on the path.
  private func python() throws -> String {
    for program in ["/usr/bin/python3", "/usr/local/bin/python3", "python3"] {
      let outcome = try sandbox.run(
        program: "/usr/bin/env", [program, "-c", "from jsonschema import Draft202012Validator"],
        environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"])
      if outcome.status == 0 { return program }
    }
    throw NoValidator()
  }

  private struct NoValidator: Error, CustomStringConvertible {
    var description: String { "no python3 has jsonschema; make test installs python3-jsonschema" }
  }

  /// Reads documents.ndjson; prints a line for each fault, and at the end how many documents of which kind there were.
  private static let validator = """
    import collections, json
    from jsonschema import Draft202012Validator
    schemas = {}
    for name in json.load(open("names.json")):
        schema = json.load(open(name + ".schema.json"))
        Draft202012Validator.check_schema(schema)
        schemas["libre." + name + "/1"] = Draft202012Validator(schema)
    counts = collections.Counter()
    for number, line in enumerate(open("documents.ndjson"), 1):
        document = json.loads(line, parse_constant=lambda word: print(number, "is no JSON:", word))
        counts[document["schema"]] += 1
        for fault in schemas[document["schema"]].iter_errors(document):
            print(number, document["schema"], fault.json_path, fault.message[:200])
    print(counts["libre.reading/1"], "readings,", counts["libre.error/1"], "errors")
    """

  private func validate(_ documents: [UInt8]) throws -> [String] {
    try sandbox.write(documents, to: "documents.ndjson")
    let names = [
      "reading", "dump", "readers", "doctor", "import", "history", "sample", "latest", "sensors", "stats", "comparison",
      "error",
      "status", "sinks", "sync", "outbox", "probe", "sink_types",
    ]
    try sandbox.write([UInt8](JSONEncoder().encode(names)), to: "names.json")
    for name in names {
      try sandbox.write(sandbox.run("schema", name).output, to: "\(name).schema.json")
    }
    let outcome = try sandbox.run(
      program: "/usr/bin/env", [try python(), "-c", Self.validator],
      environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.lines
  }

  @Test("what import, history, latest, sensors, stats and compare write is what their schema says")
  func storeDocuments() throws {
    let names = Sandbox.soundDumps
    for name in names { try sandbox.copy(name, to: "dumps/\(name)") }
    try sandbox.write("time,mg_dL\n2024-05-02T10:15:00Z,104\n", to: "reference.csv")
    var documents = try sandbox.run("import", "--recursive", "dumps", "--ndjson").output
    let runs: [[String]] = [
      ["history", "--from", "all", "--ring", "all", "--ndjson"],
      ["history", "--from", "all", "--json", "--unit", "mmol/L"], ["latest", "--json"], ["sensors", "--json"],
      ["stats", "--from", "2024-01-01", "--to", "2024-03-01", "--json"],
      ["history", "--from", "all", "--ring", "all", "--ndjson", "--calibration", "reader"],
      ["compare", "reference.csv", "--json"], ["compare", "--json"],
      ["compare", "--memories", "--recursive", "dumps", "--json"],
    ]
    for arguments in runs {
      let outcome = try sandbox.run(arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
      // Each document on a line of its own.
      let text = arguments.contains("--json") ? outcome.text.split(separator: "\n").joined() + "\n" : outcome.text
      documents += Array(text.utf8)
    }
    let report = try validate(documents)
    #expect(report.dropLast() == [])
  }

  @Test("all dumps of ours, all scenarios with five seeds, and every error there is are what their schema says")
  func documents() throws {
    let made = try sandbox.shell(
      """
      set -e
      mkdir made
      "$LIBRE" simulate --list | while read name rest; do
        for seed in 1 2 3 4 5; do "$LIBRE" simulate --scenario $name --seed $seed --out made/$name-$seed.hex; done
      done
      """)
    #expect(made.status == 0 && made.errors.isEmpty)
    for input in try BadInput.all() { try sandbox.write(input.bytes, to: "bad/\(input.name)") }
    try sandbox.copy("active.hex", to: "active.hex")
    let libre3 = String(repeating: "00", count: 12) + "04" + String(repeating: "00", count: 11)
    let runs: [[String]] = [
      ["--recursive", Sandbox.dumps.path, "made", "bad"],
      ["--recursive", "made", "bad", "--salvage", "--unit", "mmol/L", "--calibration", "linear:0.1,0"],
      ["nothing", "bad", "/dev/zero", "active.hex"], ["active.hex", "--read-at", "mtime"],
      ["active.hex", "--read-at", "1400000000"], ["active.hex", "--uid", "E07AA40000000001"],
      ["bad/random.bin", "--uid", "E007A40000000001", "--patch-info", "9D0830010000"],
      ["bad/random.bin", "--uid", "E007A40000000001", "--patch-info", "2B0A3A080000"],
      ["bad/random.bin", "--patch-info", libre3],
    ]
    var documents: [UInt8] = []
    for dump in ["active", "full-memory", "block-42-missing"] {
      let made = try sandbox.run("convert", Sandbox.dumps.appendingPathComponent("\(dump).hex").path, "--to", "json")
      documents += made.text.split(separator: "\n").joined().utf8 + [0x0A]
    }
    for arguments in runs { documents += try sandbox.run(["decode", "--ndjson"] + arguments).output }
    let report = try validate(documents)
    #expect(report.dropLast() == [])
    let counts = try #require(report.last?.wholeMatch(of: /([0-9]+) readings, ([0-9]+) errors/))
    #expect((Int(counts.1) ?? 0) > 300 && (Int(counts.2) ?? 0) > 80, "\(report.last ?? "")")
  }

  @Test("a reading of a sensor whose patch info contradicts its memory is what its schema says")
  func contradictions() throws {
    try sandbox.copy("active.hex", to: "active.hex")
    let libre3 = String(repeating: "00", count: 12) + "04" + String(repeating: "00", count: 11)
    var documents: [UInt8] = []
    for info in ["9D0830010000", "2B0A3A080000", "700010010000", "000070010000", "010000000000", libre3] {
      documents += try sandbox.run("decode", "--ndjson", "active.hex", "--patch-info", info).output
    }
    let report = try validate(documents)
    #expect(report.dropLast() == [])
  }

  @Test("readings of sensors, the readers and the doctor's answer are what their schemas say, with and without PC/SC")
  func readers() throws {
    var documents: [UInt8] = []
    for address in ["sim:active", "sim:blank-ones", "sim:nothing", "replay:nothing"] {
      documents += try sandbox.run("read", "--ndjson", "--reader", address).output
    }
    for environment in [[:], ["PCSCLITE_CSOCK_NAME": sandbox.path("nothing")]] {
      for command in ["readers", "doctor"] {
        let outcome = try sandbox.run([command, "--json"], environment: environment)
        documents += outcome.text.split(separator: "\n").joined().utf8 + [0x0A]
      }
    }
    #expect(try validate(documents) == ["1 readings, 3 errors"])
  }

  @Test("the schemas refuse what is not one of their documents")
  func strictness() throws {
    try sandbox.copy("active.hex", to: "active.hex")
    let line = try sandbox.run("decode", "--ndjson", "active.hex").text
    let broken = [
      line.replacingOccurrences(of: "\"state\":\"active\"", with: "\"state\":\"fine\""),
      line.replacingOccurrences(of: "\"quality\":\"ok\"", with: "\"quality\":\"good\""),
      line.replacingOccurrences(of: "\"age_minutes\":15730", with: "\"age_minutes\":\"15730\""),
      line.replacingOccurrences(of: "\"trend\":[", with: "\"trends\":["),
      "{\"schema\":\"libre.readers/1\",\"tool\":\"x\",\"readers\":[{}],\"ways\":[]}\n",
      "{\"schema\":\"libre.doctor/1\",\"outlook\":\"fine\"}\n",
      "{\"schema\":\"libre.error/1\",\"code\":\"x\",\"message\":\"m\",\"source\":{\"path\":null}}\n",
    ]
    for document in broken {
      #expect(document != line)
      #expect(try validate(Array(document.utf8)).count > 1, "\(document.prefix(120))")
    }
  }
}
