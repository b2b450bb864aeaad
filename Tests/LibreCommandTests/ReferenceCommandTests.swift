// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The command on every real memory, run once, against what an independent decoder found in them.
@Suite(.enabled(if: ReferenceDumps.arePresent, "\(ReferenceDumps.absence)"))
struct ReferenceCommandTests {
  private let sandbox: Sandbox
  private let entries: [ReferenceVector]

  init() throws {
    sandbox = try Sandbox()
    entries = ReferenceDumps.vectors
  }

  /// The documents of all memories, decoded once.
  private static let documents = Result {
    let run = try ReferenceCommandTests()
    return try run.documents(paths(run.entries))
  }

  /// The documents of memories in the order of their paths.
  private func documents(_ paths: [String], _ options: [String] = []) throws -> [JSONValue] {
    let outcome = try sandbox.run(["decode", "--ndjson"] + options + paths)
    let documents = try outcome.ndjson()
    try #require(documents.count == paths.count)
    for (document, path) in zip(documents, paths) { #expect(document["source"]["path"] == .string(path)) }
    #expect(outcome.status == (documents.contains { $0["schema"] == .string("libre.error/1") } ? 65 : 0))
    return documents
  }

  private static func paths(_ entries: [ReferenceVector]) -> [String] {
    entries.map { ReferenceDumps.folder.appendingPathComponent($0.file).path }
  }

  private static let states = [
    1: "not_activated", 2: "warming_up", 3: "active", 4: "expired", 5: "shutdown", 6: "failure",
  ]

  @Test("decode gives for each memory the values of the index")
  func all() throws {
    #expect(entries.count >= 118)
    for (entry, document) in zip(entries, try Self.documents.get()) {
      if entry.isReadable {
        try compare(document, entry)
      } else if entry.isEncrypted {
        #expect(document["recovered_uid"].text == entry.uid, "\(entry.file)")
        #expect(document["sensor"]["uid"] == .null && document["history"].elements.count > 8, "\(entry.file)")
      } else if entry.isPro {
        try comparePro(document, entry)
      } else {
        #expect(document["code"] == .string("crc_mismatch"), "\(entry.file)")
        #expect(document["message"].text?.contains("body") == true, "\(entry.file)")
      }
    }
  }

  /// The index's facts about a Pro's memory; its counts have no glucose values.
  private func comparePro(_ document: JSONValue, _ entry: ReferenceVector) throws {
    let decoded = try #require(entry.decoded)
    let sensor = document["sensor"]
    #expect(sensor["family"] == .string("libre_pro"), "\(entry.file)")
    #expect(sensor["age_minutes"].number.map { Int($0) } == decoded.age, "\(entry.file)")
    #expect(sensor["state"] == .string(decoded.state.flatMap { Self.states[$0] } ?? "unknown"), "\(entry.file)")
    for region in ["header", "body", "footer"] {
      #expect(document["integrity"][region] == .string("ok"), "\(entry.file)")
    }
    #expect(document["trend"].elements.count == 16 && document["calibration"] == .null, "\(entry.file)")
    #expect(document["trend"].elements.allSatisfy { $0["glucose_mg_dl"] == .null }, "\(entry.file)")
    #expect(
      document["problems"].elements.contains { $0["code"] == .string("concentration_withheld") }, "\(entry.file)")
  }

  private func compare(_ document: JSONValue, _ entry: ReferenceVector) throws {
    let (name, decoded) = (entry.file, try #require(entry.decoded))
    let sensor = document["sensor"]
    #expect(document["schema"] == .string("libre.reading/1"), "\(name)")
    #expect(sensor["state"].text == decoded.state.flatMap { Self.states[$0] }, "\(name)")
    #expect(
      sensor["age_minutes"].number.map { Int($0) } == decoded.age.map { $0 - (entry.hasTornBody ? 1 : 0) }, "\(name)")
    #expect(document["integrity"]["body"] == .string(entry.hasTornBody ? "torn" : "ok"), "\(name)")
    #expect(document["integrity"]["footer"] == .string(entry.crc?.footer == true ? "ok" : "bad"), "\(name)")
    let i6 = entry.crc?.footer == true ? decoded.calibration?.i6 : nil
    if i6 != nil { #expect(sensor["max_life_minutes"].number.map { Int($0) } == decoded.maxLife, "\(name)") }
    for (ring, rows, newest) in [
      ("trend", decoded.trend, decoded.newestTrendMinute), ("history", decoded.history, decoded.newestHistoryMinute),
    ] {
      let rows = try #require(rows)
      let samples = document[ring].elements
      try #require(samples.count == rows.count, "\(name), \(ring)")
      if let first = samples.first { #expect(first["minute"].number.map { Int($0) } == newest, "\(name), \(ring)") }
      for (sample, row) in zip(samples, rows) { compare(sample, row, i6: i6, "\(name), \(ring) \(row.minute)") }
    }
  }

  private func compare(_ sample: JSONValue, _ row: ReferenceVector.Row, i6: Int?, _ place: String) {
    let raw = sample["raw"]
    let found = [sample["minute"], raw["glucose"], raw["temperature"], raw["temperature_adjustment"]].map {
      $0.number.map { Int($0) }
    }
    #expect(found == [row.minute, row.glucose, row.temperature, row.adjustment], "\(place)")
    #expect(raw["has_error"] == .bool(row.hasError), "\(place)")
    #expect(raw["error_field"].number.map { Int($0) & 0x1FF } == row.quality, "\(place)")
    #expect(sample["errors"].elements.count == (row.hasError ? row.quality.nonzeroBitCount : 0), "\(place)")
    // The rows are bare arithmetic; the contract leaves out what is flagged, empty or physically impossible.
    let celsius = i6.map { row.celsius(i6: $0) }
    let isLeftOut = row.hasError || row.glucose == 0 || celsius.map { !(0...50).contains($0) } ?? true
    let value = sample["model_glucose_mg_dl"].number.map { Int($0.rounded()) }
    #expect(value == (isLeftOut ? nil : row.milligrams), "\(place)")
  }

  @Test("decode gives the same for a memory whatever the name of its file", .onlyInFull)
  func misleadingNames() throws {
    let truth = try Self.documents.get()
    var names: [String] = []
    for (number, entry) in entries.enumerated() {
      // In a folder of the tests that is gone with them; nothing is kept.
      let name = "named/\(number)\([".bin", ".hex", "-encrypted.json", "-librepro", ".txt"][number % 5])"
      try sandbox.write(
        [UInt8](try Data(contentsOf: ReferenceDumps.folder.appendingPathComponent(entry.file))), to: name)
      names.append(name)
    }
    for (one, other) in zip(truth, try documents(names)) {
      #expect(one["schema"] == other["schema"] && one["code"] == other["code"] && one["family"] == other["family"])
      for key in ["id", "sensor", "integrity", "calibration", "trend", "history", "current", "problems"] {
        #expect(one[key] == other[key], "\(one["source"]["path"].text ?? "")")
      }
    }
  }

  @Test("an encrypted memory with UID and patch info decodes to the same bytes as its decrypted copy")
  func encrypted() throws {
    let encrypted = entries.filter(\.isEncrypted)
    #expect(encrypted.count >= 4)
    for entry in encrypted {
      let (uid, info) = (try #require(entry.uid), try #require(entry.patchInfo))
      let twin = try #require(entries.first { $0.file == entry.encrypted?.decryptsTo })
      let key = ["--uid", uid, "--patch-info", info]
      let both = try documents(Self.paths([entry, twin]), key)
      let (document, plain) = (both[0], both[1])
      for member in ["id", "sensor", "integrity", "calibration", "trend", "history", "current", "problems", "memory"] {
        #expect(document[member] == plain[member], "\(entry.file): \(member)")
      }
      #expect(document["history"].elements.count > 20, "\(entry.file)")
      let family = entry.kind.hasPrefix("libre2") ? "libre2" : "libre_us14day"
      #expect(document["sensor"]["family"] == .string(family), "\(entry.file)")
      let converted = try sandbox.run(
        ["convert", "--decrypt", "--to", "raw", try #require(Self.paths([entry]).first)] + key)
      #expect(converted.output == (try ReferenceDumps.bytes(of: twin.file)), "\(entry.file)")
      let wrong = [
        ["--uid", String(uid.dropLast()) + (uid.hasSuffix("0") ? "1" : "0"), "--patch-info", info],
        ["--uid", uid, "--patch-info", String(info.dropLast()) + (info.hasSuffix("0") ? "1" : "0")],
      ]
      for key in wrong {
        for salvage in TestTier.current == .full ? [[], ["--salvage"]] : [["--salvage"]] {
          let refused = try documents(Self.paths([entry]), key + salvage)[0]
          #expect(refused["code"] == .string("cannot_decrypt"), "\(entry.file) \(key)")
          #expect(refused["family"] == .string(family), "\(entry.file)")
        }
      }
    }
  }

  @Test("the worked example of a warming-up sensor has 102.4808 mg/dL by the model, and no usable value")
  func workedExample() throws {
    let path = ReferenceDumps.folder.appendingPathComponent("lm-test-age55.bin").path
    let newest = try sandbox.run("decode", "--json", path).json()["trend"][0]
    #expect(newest["minute"] == .number(54))
    #expect(newest["model_glucose_mg_dl"] == .number(102.480_8) && newest["glucose_mg_dl"] == .null)
    let millimoles = try sandbox.run("decode", "--json", "--unit", "mmol/L", path).json()["trend"][0]
    #expect(millimoles["model_glucose_mmol_l"] == .number(5.6876) && millimoles["glucose_mmol_l"] == .null)
    let table = try sandbox.run("decode", "--unit", "mmol/L", path)
    let row = try #require(table.lines.first { $0.split(separator: " ").first == "54" })
    #expect(row.split(separator: " ")[1] == "–")
  }
}
