// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Foundation
import Libre1Core
import LibreDocuments
import LibreKit
import TestSupport
import Testing
import TextFormats

/// The document's members are those of LibreDocuments/Contract, "Reading", in its order.
struct ReadingJSONTests {
  private func text(
    _ bytes: [UInt8], unit: GlucoseUnit = .milligramsPerDecilitre, indented: Bool = true,
    _ change: (inout DecodeOptions) -> Void = { _ in }
  ) throws -> String {
    var options = DecodeOptions()
    options.uid = LiteralMemory.uid
    options.patchInfo = LiteralMemory.patchInfo
    options.readTime = .at(LiteralMemory.readAt)
    change(&options)
    let reading = try DumpDecoder(options: options).decode(bytes, path: "dump.bin")
    var writer = JSONWriter(indented: indented)
    ReadingJSON.write(reading, unit: unit, to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The keys that stand at `depth` levels of two blanks, in order.
  private func keys(_ text: String, depth: Int) -> [String] {
    text.split(separator: "\n").compactMap { line in
      guard line.prefix(while: { $0 == " " }).count == 2 * depth, let match = line.firstMatch(of: /^ *"([a-z0-9_]+)":/)
      else { return nil }
      return String(match.1)
    }
  }

  @Test("the document has the documented members, in the documented order")
  func members() throws {
    let text = try text(LiteralMemory().bytes)
    #expect(
      keys(text, depth: 1) == [
        "schema", "id", "read_at", "read_at_source", "source", "reader", "sensor", "integrity", "calibration",
        "history", "trend", "current", "problems", "memory",
      ])
    #expect(
      keys(text, depth: 2) == [
        "tool", "path", "format", "dump", "sha256",  // source
        "uid", "serial", "patch_info", "fingerprint", "family", "region", "state", "age_minutes", "max_life_minutes",
        "initializations", "activated_at", "expires_at", "end_of_life", "failure",  // sensor
        "header", "body", "footer",  // integrity
        "model", "version", "provenance", "i1", "i2", "i3", "i4", "i5", "i6",  // calibration
        "minute", "glucose_mg_dl", "rate_mg_dl_per_min", "direction",  // current
        "bytes", "missing_blocks",  // memory
      ])
    #expect(
      Array(keys(text, depth: 3).prefix(10)) == [
        "id", "ring", "minute", "time", "raw", "quality", "errors", "temperature_c", "glucose_mg_dl",
        "model_glucose_mg_dl",
      ])
    #expect(
      Array(keys(text, depth: 4).prefix(5)) == [
        "glucose", "temperature", "temperature_adjustment", "has_error", "error_field",
      ])
  }

  @Test("the document has the documented values for the documented sample")
  func sample() throws {
    let document = try JSONValue(parsing: text(LiteralMemory(age: 55).bytes).utf8)
    #expect(
      try document["history"][0]
        == JSONValue(
          parsing: """
            { "id": "d1f5603b-c12a-549e-be27-e59866f73323", "ring": "history", "minute": 45,
              "time": "2024-05-02T10:05:00Z",
              "raw": { "glucose": 1319, "temperature": 6552, "temperature_adjustment": -8, "has_error": false,
                       "error_field": 800 },
              "quality": "warm_up", "errors": [], "temperature_c": 32.03, "glucose_mg_dl": null,
              "model_glucose_mg_dl": 108.3719 }
            """.utf8))
  }

  @Test("the document describes the sensor and the dump")
  func sensor() throws {
    let document = try JSONValue(parsing: text(LiteralMemory().bytes).utf8)
    #expect(document["schema"] == .string("libre.reading/1"))
    #expect(document["read_at"] == .string("2024-05-02T10:15:00Z"))
    #expect(document["read_at_source"] == .string("option"))
    #expect(document["reader"] == .null)
    #expect(document["source"]["tool"] == .string("libre 0.1.0"))
    #expect(document["source"]["path"] == .string("dump.bin"))
    #expect(document["source"]["format"] == .string("raw"))
    #expect(
      try document["sensor"]
        == JSONValue(
          parsing: """
            { "uid": "E007A0000025905E", "serial": "0M00009DHCR", "patch_info": "DF0000010000",
              "fingerprint": "000100009650140796805A00EDA60323", "family": "libre1",
              "region": "european", "state": "active", "age_minutes": 1000, "max_life_minutes": 20630,
              "initializations": 0, "activated_at": "2024-05-01T17:35:00Z", "expires_at": "2024-05-16T01:25:00Z",
              "end_of_life": [], "failure": null }
            """.utf8))
    #expect(
      try document["calibration"]
        == JSONValue(
          parsing:
            #"{"model":"factory","version":1,"provenance":"Abbott's static formula with the sensor's own numbers","i1":0,"i2":803,"i3":18,"i4":6931,"i5":8804,"i6":6536}"#
            .utf8))
    #expect(
      try document["current"]
        == JSONValue(
          parsing: #"{"minute":1000,"glucose_mg_dl":108.3719,"rate_mg_dl_per_min":0,"direction":"Flat"}"#.utf8))
    #expect(document["problems"] == .array([]))
    #expect(document["trend"].elements.compactMap { $0["minute"].number } == (985...1_000).reversed().map(Double.init))
    #expect(document["history"].elements.count == 32)
  }

  @Test("values that follow a software name it with its versions, and their rate has four decimals")
  func software() throws {
    func document(_ calibration: CalibrationChoice) throws -> JSONValue {
      try JSONValue(
        parsing: text(SimulatedSensor(seed: 1).image(atAge: 5_000).bytes) { $0.calibration = calibration }.utf8)
    }
    let reader = try document(#require(CalibrationChoice("reader")))
    let names = ["model", "version", "provenance", "series", "software"] + (1...6).map { "i\($0)" }
    #expect(reader["calibration"].keys == Set(names))
    #expect(reader["calibration"]["software"] == .string(ReaderCalibration.software))
    let factory = try document(.factory)
    #expect(!factory["calibration"].keys.contains("software"))
    for rate in [reader, factory].map({ $0["current"]["rate_mg_dl_per_min"].number }) {
      let scaled = try #require(rate) * 100
      #expect(abs(scaled - scaled.rounded()) > 0.001)
    }
  }

  @Test("the document has null for unknown values, and omits no member")
  func nulls() throws {
    let damaged = LiteralMemory().damaged {
      $0.bytes[10] ^= 1; $0.bytes[323] ^= 1
    }
    let document = try JSONValue(
      parsing: text(damaged) {
        $0.uid = nil
        $0.patchInfo = nil
        $0.readTime = .fromFile
      }.utf8)
    for key in ["read_at", "reader", "calibration", "current"] { #expect(document[key] == .null) }
    #expect(document.keys.isSuperset(of: ["read_at", "reader", "calibration", "current"]))
    let unknown = [
      "uid", "serial", "patch_info", "region", "max_life_minutes", "activated_at", "expires_at", "failure",
    ]
    for key in unknown { #expect(document["sensor"][key] == .null, "\(key)") }
    #expect(document["sensor"].keys.isSuperset(of: unknown))
    #expect(document["sensor"]["state"] == .string("unknown"))
    #expect(document["sensor"]["family"] == .string("unknown"))
    for key in ["id", "time", "temperature_c", "glucose_mg_dl", "model_glucose_mg_dl"] {
      #expect(document["trend"][0][key] == .null, "\(key)")
    }
    #expect(document["trend"][0].keys.count == 10)
    // Without state, log and maximum life it is unknown when the history stopped.
    #expect(document["history"] == .array([]))
    #expect(
      document["problems"].elements.map { $0["code"].text } == [
        "header_not_trusted", "footer_not_trusted", "history_undated",
      ])
  }

  @Test("the document has mmol/L in addition to mg/dL on request")
  func millimoles() throws {
    let document = try JSONValue(parsing: text(LiteralMemory().bytes, unit: .millimolesPerLitre).utf8)
    for place in [document["trend"][0], document["history"][0], document["current"]] {
      #expect(place["glucose_mg_dl"] == .number(108.371_9))
      #expect(place["glucose_mmol_l"] == .number(6.014_6))
    }
    #expect(!(try text(LiteralMemory().bytes).contains("mmol")))
  }

  @Test("salvaged data is marked, and other data has no mark")
  func salvaged() throws {
    let bad = LiteralMemory().damaged { $0.bytes[200] ^= 0x5A }
    let document = try JSONValue(parsing: text(bad) { $0.salvage = true }.utf8)
    #expect(document["salvaged"] == .bool(true))
    #expect(document["integrity"]["body"] == .string("bad"))
    #expect(!(try JSONValue(parsing: text(LiteralMemory().bytes).utf8)).keys.contains("salvaged"))
  }

  @Test("the document has the entries of the log and the reason of a failure")
  func endings() throws {
    let expired = LiteralMemory(state: 4, age: 20_700).edited {
      $0.setNumber(803 << 3 | 1 << 13, at: 2)
      $0.bytes[6] = 3
      $0.setNumber(20_630, at: 7)
    }
    let log = try JSONValue(parsing: text(expired).utf8)["sensor"]
    #expect(log["state"] == .string("expired"))
    #expect(try log["end_of_life"] == JSONValue(parsing: #"[{"left_state":"active","minute":20630}]"#.utf8))
    let failed = LiteralMemory(state: 6, age: 4_000).edited {
      $0.bytes[6] = 12
      $0.setNumber(4_000, at: 7)
    }
    let failure = try JSONValue(parsing: text(failed).utf8)["sensor"]
    #expect(failure["state"] == .string("failure"))
    #expect(try failure["failure"] == JSONValue(parsing: #"{"code":12,"minute":4000,"text":"FRAM header CRC"}"#.utf8))
    #expect(failure["end_of_life"] == .array([]))
  }

  /// One in four of the scenarios that decode; in `make full` all.
  private static let scenarios = Scenario.all.filter { $0.expectation == .decodes }.enumerated()
    .filter { $0.offset.isMultiple(of: TestTier.rounds(4, full: 1)) }.map(\.element)

  @Test("the document has the same content on one line as on many")
  func oneLine() throws {
    for scenario in Self.scenarios {
      let image = scenario.image(seed: 3)
      let dump = Array(HexDump.text(of: image, notes: []).utf8)
      let one = try text(dump, indented: false) { ($0.uid, $0.patchInfo) = (nil, nil) }
      #expect(!one.contains("\n"))
      #expect(
        try JSONValue(parsing: one.utf8) == JSONValue(parsing: text(dump) { ($0.uid, $0.patchInfo) = (nil, nil) }.utf8),
        "\(scenario.name)")
    }
  }

  @Test("the same dump gives the same bytes twice")
  func deterministic() throws {
    for scenario in Self.scenarios {
      let dumps = (0..<2).map { _ in Array(HexDump.text(of: scenario.image(seed: 4), notes: []).utf8) }
      let texts = try dumps.map { try text($0) { ($0.uid, $0.patchInfo) = (nil, nil) } }
      #expect(texts[0] == texts[1], "\(scenario.name)")
    }
  }
}
