// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreDocuments
import LibreKit
import TestSupport
import Testing
import TextFormats

/// Members of LibreDocuments/Contract, "Reading", that no document in SensorDumps has: `VectorTests` compares those whole.
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
}
