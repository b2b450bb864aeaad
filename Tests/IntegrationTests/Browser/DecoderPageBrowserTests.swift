// SPDX-License-Identifier: Apache-2.0
import Foundation
import Libre1Core
import TestSupport
import Testing

/// The page of `make web`: its script without a browser on all dumps, and the page in Debian's Chromium. Pictures of what it
/// showed are in `.build/decode`, to be looked at.
@Suite("The page that decodes memories in the browser", .onOwnThreads, .startsProcesses)
struct DecoderPageBrowserTests {
  private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let page = Repository.root.appendingPathComponent(".build/web/libre.html").path

  /// The page is made once, before the first test.
  private static let made = Result {
    try tool(in: Sandbox(), Repository.root.appendingPathComponent("tools/web").path, [])
  }

  private static let needsNode = ConditionTrait.enabled("node is not installed: apt-get install nodejs") {
    Installed.has("/usr/bin/node")
  }

  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    let made = try Self.made.get()
    try #require(made.status == 0, "\(made.errors)")
  }

  private func tool(_ program: String, _ arguments: [String]) throws -> Outcome {
    try Self.tool(in: sandbox, program, arguments)
  }

  /// Runs a program that is found as the user's own are: Swift may lie anywhere.
  private static func tool(in sandbox: Sandbox, _ program: String, _ arguments: [String]) throws -> Outcome {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try sandbox.run(program: "/usr/bin/env", [program] + arguments, environment: ["PATH": path])
  }

  // MARK: The script alone

  private func decoded(_ arguments: [String]) throws -> [JSONValue] {
    let script = Self.here.appendingPathComponent("decode.mjs").path
    let run = try tool("node", [script, Self.page] + arguments)
    try #require(run.status == 0, "\(run.errors)")
    return try JSONValue(parsing: run.output).elements
  }

  @Test(
    "gives the numbers, words, times and errors of libre decode for every dump",
    needsNode)
  func sameNumbers() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Repository.dumps.path)
      // Libre finds the wrong digit of one and the byte too many of the other, the page the memory that is there.
      .filter { $0.hasSuffix(".hex") && !["pro.hex", "x-345-bytes.hex", "x-not-hex.hex"].contains($0) }.sorted()
    let results = try decoded(names.map { Repository.dumps.appendingPathComponent($0).path })
    try #require(results.count == names.count)
    var (sound, failed) = (0, 0)
    for (name, result) in zip(names, results) {
      let memory = try #require(result["memories"].elements.first, "\(name)")
      let reading = try sandbox.run("decode", "--json", Repository.dumps.appendingPathComponent(name).path)
      let expected = try JSONValue(parsing: reading.output)
      if expected["schema"].text == "libre.reading/1" {
        expectSame(memory, expected, name)
        sound += 1
      } else {
        // Of a dump that is too short the page knows only which blocks it lacks.
        #expect(memory["error"]["code"] == expected["code"] || name == "x-truncated.hex", "\(name): \(memory["error"])")
        failed += 1
      }
    }
    #expect(sound > 20 && failed > 5)
  }

  private func expectSame(_ memory: JSONValue, _ reading: JSONValue, _ name: String) {
    #expect(memory["error"] == .null, "\(name)")
    for member in ["read_at", "integrity", "salvaged", "recovered_uid", "current"] {
      #expect(memory[member] == reading[member], "\(name): \(member)")
    }
    for member in [
      "uid", "serial", "patch_info", "family", "product", "region", "state", "age_minutes", "max_life_minutes",
      "initializations", "activated_at", "expires_at",
    ] {
      #expect(memory["sensor"][member] == reading["sensor"][member], "\(name): \(member)")
    }
    for ring in ["history", "trend"] {
      let (ours, theirs) = (memory[ring].elements, reading[ring].elements)
      #expect(ours.count == theirs.count, "\(name): \(ring)")
      for (one, other) in zip(ours, theirs) {
        for member in [
          "ring", "minute", "time", "quality", "errors", "temperature_c", "glucose_mg_dl", "model_glucose_mg_dl",
        ] {
          #expect(one[member] == other[member], "\(name): \(ring), \(one["minute"]), \(member)")
        }
        for member in ["glucose", "temperature", "temperature_adjustment", "has_error"] {
          #expect(one["raw"][member] == other["raw"][member], "\(name): \(ring), \(one["minute"]), \(member)")
        }
      }
    }
  }

  @Test(
    "finds the memory in every format that libre writes, in base64, gzip, numbers and noise, and none elsewhere",
    needsNode)
  func finds() throws {
    for format in ["json", "proxmark-json", "flipper", "xxd", "hexdump", "diable", "proxmark-eml", "hex", "raw"] {
      #expect(try sandbox.run("simulate", "--scenario", "active", "--format", format, "--out", format).status == 0)
    }
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: sandbox.path("raw"))))
    let base64 = Data(bytes).base64EncodedString(options: .lineLength76Characters)
    try sandbox.write(base64, to: "base64")
    try sandbox.write("{\"data\": [{\"memory\": \"\(Data(bytes).base64EncodedString())\"}]}", to: "base64.json")
    let (open, close) = (String(repeating: "[", count: 20_000), String(repeating: "]", count: 20_000))
    try sandbox.write("\(open)\"\(Data(bytes).base64EncodedString())\"\(close)", to: "deep.json")
    try sandbox.write("{\"raw\": \(bytes.map { Int(Int8(bitPattern: $0)) })}", to: "signed.json")
    try sandbox.write(
      "let memory: [UInt8] = [\(bytes.map { "0x\(String($0, radix: 16).count < 2 ? "0" : "")\(String($0, radix: 16))" }.joined(separator: ", "))]",
      to: "code.swift")
    var random = SplitMix64(seed: 56)
    let noise = (0..<20_001).map { _ in UInt8.random(in: 0...255, using: &random) }
    try sandbox.write(noise + bytes + noise, to: "noise")
    // These numbers are only called UIDs.
    try sandbox.write(
      "{\"device_uid\": \"1122334455667788\", \"data\": \(Array(noise.prefix(30)) + bytes)}", to: "device.json")
    #expect(try sandbox.shell("gzip -k base64").status == 0)
    let found = [
      "json", "proxmark-json", "flipper", "xxd", "hexdump", "diable", "proxmark-eml", "hex", "raw", "base64",
      "base64.json", "deep.json",
      "signed.json", "code.swift", "noise", "device.json", "base64.gz",
    ]
    try sandbox.write(noise, to: "only-noise")
    try sandbox.write("The sum is \(String(repeating: "5a", count: 32)), and nothing else is here.", to: "sum.txt")
    let results = try decoded((found + ["only-noise", "sum.txt"]).map(sandbox.path))
    let expected = try decoded([sandbox.path("raw")])[0]["memories"][0]["history"]
    #expect(expected.elements.count == 32)
    for (name, result) in zip(found, results) {
      let memories = result["memories"].elements
      #expect(memories.count == 1 && memories.first?["error"] == .null, "\(name)")
      let values = { (history: JSONValue) in history.elements.map { $0["glucose_mg_dl"] } }
      #expect(memories.first.map { values($0["history"]) } == values(expected), "\(name)")
    }
    #expect(results.suffix(2).allSatisfy { $0["memories"].elements.isEmpty }, "\(results.suffix(2))")
  }

  @Test(
    "what it saves as JSON is a dump that libre decodes to the same values",
    needsNode)
  func savedDump() throws {
    for name in ["active.hex", "libre2.hex", "gaps.hex"] {
      let dump = Repository.dumps.appendingPathComponent(name).path
      let results = try decoded([dump])
      try sandbox.write(try #require(results.first?["saved"].text), to: "saved.json")
      let (saved, own) = (try sandbox.run("decode", "--json", "saved.json"), try sandbox.run("decode", "--json", dump))
      #expect(try saved.json()["history"] == own.json()["history"], "\(name)")
      #expect(try saved.json()["sensor"] == own.json()["sensor"], "\(name)")
    }
  }

  @Test(
    "takes a UID from whichever end its maker says, and refuses a small file that unpacks to a large one",
    needsNode)
  func ends() throws {
    #expect(try sandbox.run("simulate", "--scenario", "active", "--format", "raw", "--out", "raw").status == 0)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: sandbox.path("raw"))))
    // One sensor in 256 has E0 at its other end too; 07 and 7A are the makers of sensors.
    let cases: [(written: String, taken: String?)] = [
      ("E007A000012345E0", "E007A000012345E0"), ("E04523 0100A007E0", "E007A000012345E0"),
      ("E011223344556677", "E011223344556677"), ("E0112233445566E0", nil), ("E0071122334407E0", nil),
    ]
    let numbers = bytes.map { "\($0)" }.joined(separator: " ")
    for (index, item) in cases.enumerated() {
      try sandbox.write("uid: \(item.written)\n\(numbers)\n", to: "\(index)")
    }
    #expect(try sandbox.shell("head -c 70000000 /dev/zero | gzip > large.gz").status == 0)
    let results = try decoded((cases.indices.map(String.init) + ["large.gz"]).map(sandbox.path))
    for (item, result) in zip(cases, results) {
      #expect(result["memories"][0]["sensor"]["uid"] == item.taken.map(JSONValue.string) ?? .null, "\(item)")
    }
    #expect(results.last?["refused"].text?.hasPrefix("it unpacks to more than 64 MB") == true)
  }

  // MARK: The page

  @Test(
    "decodes, merges, salvages, decrypts and saves in a browser, by mouse and keyboard, without a request",
    .enabled("chromium is not installed: apt-get install chromium") { Installed.has("/usr/bin/chromium") })
  func visited() throws {
    let report = try visit()
    for view in report["views"].elements { expectSound(view) }
    #expect(report["views"].elements.count == 4)
    for list in ["console", "exceptions", "requests"] { #expect(report[list].elements.isEmpty, "\(report[list])") }
    // A script that tried to would be stopped.
    #expect(report["refused"] == .array([.string("connect-src"), .string("img-src")]))
    #expect(report["removed"]["sections"].elements.isEmpty && report["again"].text?.contains("shown already") == true)
    #expect(report["nothing"].text?.contains("no sensor memory") == true)
    #expect(report["letter"].text?.contains("ZIP archive, as Word files are") == true)
    try expectActive(report)
    try expectScans(report)
    expectLocked(report)
    expectKeyboard(report["keyboard"])
  }

  private func visit() throws -> JSONValue {
    let directory = "files"
    func write(_ name: String, _ arguments: String...) throws {
      let made = try sandbox.run(["simulate", "--out", "\(directory)/\(name)"] + arguments)
      try #require(made.status == 0, "\(made.errors)")
    }
    try sandbox.write("letter", to: "\(directory)/word/document.xml")
    #expect(try sandbox.shell("cd \(directory) && python3 -m zipfile -c letter.docx word").status == 0)
    try write("active.bin", "--scenario", "active", "--seed", "4", "--format", "raw")
    try write("mmol.hex", "--scenario", "active", "--seed", "9")
    try write("keyless.bin", "--scenario", "libre2", "--seed", "3", "--format", "raw")
    try write("encrypted.bin", "--scenario", "us-14-day", "--seed", "3", "--format", "raw")
    try write("key.json", "--scenario", "us-14-day", "--seed", "3", "--format", "json")
    try write("damaged.hex", "--scenario", "bad-body", "--seed", "30")
    // The second scan is two hours after the oldest value that the first one could have left.
    let sensor = SimulatedSensor(seed: 1)
    for (name, age) in [("first", 2_400), ("second", 2_400 + 600)] {
      try sandbox.write(sensor.image(atAge: age).hexDump, to: "\(directory)/\(name).hex")
    }
    let pictures = Repository.root.appendingPathComponent(".build/decode").path
    let visited = try tool(
      "python3", [Self.here.appendingPathComponent("decode.py").path, Self.page, sandbox.path(directory), pictures])
    try #require(visited.status == 0, "\(visited.errors)")
    return try visited.json()
  }

  private func expectSound(_ view: JSONValue) {
    let name = view["name"].text ?? "?"
    for list in [
      "console", "exceptions", "requests", "policyViolations", "sticking", "cut", "overlaps", "weak", "doubleIds",
    ] {
      #expect(view[list].elements.isEmpty, "\(name), \(list): \(view[list])")
    }
    #expect(view["sections"].elements.count == 4, "\(name)")
    #expect(view["sections"].elements.allSatisfy { $0["visible"] == .bool(true) }, "\(name)")
    #expect(view["scrollsSideways"] == .bool(false) && view["headingsInOrder"] == .bool(true), "\(name)")
    #expect(view["namelessSVGs"] == .number(0) && view["tablesWithoutHead"] == .number(0), "\(name)")
  }

  private func expectActive(_ report: JSONValue) throws {
    let section = report["active"]["sections"][0]
    #expect(section["rows"] == .number(48) && section["dots"] == .number(48) && section["bytes"] == .number(344))
    // A raw file has neither a UID nor a time.
    for fact in ["Serial number", "UID", "Patch info", "Started", "Read"] {
      #expect(section["facts"][fact] == .string("–"), "\(fact): \(section["facts"][fact])")
    }
    #expect(section["verdicts"].elements.compactMap(\.text).allSatisfy { $0.hasSuffix("checksum ok") })
    let expected = try sandbox.run("decode", "--json", "files/active.bin").json()
    let current = try #require(expected["current"]["glucose_mg_dl"].number)
    #expect(section["value"] == .string("\(Int(current.rounded())) → mg/dL"))
    for ring in ["history", "trend"] {
      #expect(
        report["json"][ring].elements.map { $0["glucose_mg_dl"] } == expected[ring].elements.map { $0["glucose_mg_dl"] }
      )
    }
    #expect(report["csv"].text?.split(separator: "\n").count == 49)
    #expect(report["pasted"]["sections"][0]["value"] == section["value"])
    let key = report["keyless"]["sections"][0]
    #expect(key["notes"][0].text?.contains("its key was computed from the memory itself") == true, "\(key)")
    #expect(key["facts"]["UID"] == .string("–") && key["rows"] == .number(48))
  }

  private func expectScans(_ report: JSONValue) throws {
    let sections = report["scans"]["sections"].elements
    #expect(sections.count == 1 && sections[0]["facts"]["Scans"].text?.hasPrefix("2,") == true)
    // A gap of two hours stays one.
    #expect(sections[0]["lines"] == .array([.number(2)]))
    let rows = try #require(report["scansCSV"].text).split(separator: "\n").dropFirst().map {
      $0.split(separator: ",")[2...3]
    }
    #expect(rows.count == 96 && Set(rows.map { $0.joined(separator: " ") }).count == 96)
    #expect(sections[0]["rows"] == .number(96))
  }

  private func expectLocked(_ report: JSONValue) {
    let (damaged, salvaged) = (report["damaged"]["sections"][0], report["salvaged"]["sections"][0])
    #expect(
      damaged["warnings"][0].text?.hasPrefix("The body's checksum is wrong: ") == true && damaged["rows"] == .number(0))
    #expect(damaged["verdicts"][1].text?.hasSuffix("checksum bad") == true)
    #expect(salvaged["rows"] == .number(48) && salvaged["warnings"][0].text?.contains("may be wrong") == true)
    #expect(report["salvaged"]["focus"] == salvaged["title"])
    let locked = report["encrypted"]["sections"][0]
    #expect(locked["fields"] == .array([.string("UID, 8 bytes"), .string("Patch info, 6 to 24 bytes")]))
    #expect(report["withoutDigits"].text?.hasPrefix("The UID must have 16 hex digits") == true)
    let opened = report["decrypted"]["sections"][0]
    #expect(opened["title"].text?.hasPrefix("FreeStyle Libre 14 day (US) 0M") == true && opened["rows"] == .number(48))
    #expect(report["decrypted"]["focus"] == opened["title"])
  }

  private func expectKeyboard(_ keyboard: JSONValue) {
    let empty = keyboard["empty"].elements.compactMap { $0["name"].text }
    #expect(empty == ["Choose files", "Paste text instead"])
    let full = keyboard["full"].elements
    #expect(
      full.compactMap { $0["name"].text } == [
        "Choose files", "Paste text instead", "Hex, base64 or JSON", "Read the text", "mmol/L", "Save JSON", "Save CSV",
        "Remove all", "Curve of glucose", "All 48 values", "Memory map",
      ])
    #expect(full.allSatisfy { $0["outline"] == .bool(true) }, "\(full)")
    #expect(keyboard["read"]["status"].text?.hasPrefix("pasted text: FreeStyle Libre 0M") == true)
    #expect(keyboard["unit"].text?.hasSuffix("mmol/L") == true)
    let tips = keyboard["tips"].elements
    #expect(tips.count == 3 && Set(tips.compactMap { $0[0].text }).count == 3, "\(tips)")
    #expect(
      tips.allSatisfy { $0[0].text?.contains("mmol/L") == true && $0[1].text?.contains("mmol/L") == true }, "\(tips)")
  }
}
