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
  private func document(
    _ bytes: [UInt8] = LiteralMemory().bytes, unit: GlucoseUnit = .milligramsPerDecilitre,
    _ change: (inout DecodeOptions) -> Void = { _ in }
  ) throws -> JSONValue {
    var options = DecodeOptions()
    (options.uid, options.patchInfo) = (LiteralMemory.uid, LiteralMemory.patchInfo)
    options.readTime = .at(LiteralMemory.readAt)
    change(&options)
    let reading = try DumpDecoder(options: options).decode(bytes, path: "dump.bin")
    return try JSONValue { ReadingJSON.write(reading, unit: unit, to: &$0) }
  }

  @Test("the document has the documented values for the documented sample")
  func sample() throws {
    #expect(
      try document(LiteralMemory(age: 55).bytes)["history"][0]
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
    let bytes = SimulatedSensor(seed: 1).image(atAge: 5_000).bytes
    let choice = try #require(CalibrationChoice("reader"))
    let (reader, factory) = (try document(bytes) { $0.calibration = choice }, try document(bytes))
    let names = ["model", "version", "provenance", "series", "software"] + (1...6).map { "i\($0)" }
    #expect(reader["calibration"].keys == Set(names))
    #expect(reader["calibration"]["software"] == .string(ReaderCalibration.software))
    #expect(!factory["calibration"].keys.contains("software"))
    for rate in [reader, factory].map({ $0["current"]["rate_mg_dl_per_min"].number }) {
      let scaled = try #require(rate) * 100
      #expect(abs(scaled - scaled.rounded()) > 0.001)
    }
  }

  @Test("the document has mmol/L in addition to mg/dL on request")
  func millimoles() throws {
    let (moles, plain) = (try document(unit: .millimolesPerLitre), try document())
    for (document, millimoles) in [(moles, 6.014_6), (plain, nil)] {
      for place in [document["trend"][0], document["history"][0], document["current"]] {
        #expect(place["glucose_mg_dl"].number == 108.371_9 && place["glucose_mmol_l"].number == millimoles)
      }
    }
  }

  @Test("salvaged data is marked, and other data has no mark")
  func salvaged() throws {
    let bad = try document(LiteralMemory().damaged { $0.bytes[200] ^= 0x5A }) { $0.salvage = true }
    #expect(bad["salvaged"] == .bool(true) && bad["integrity"]["body"] == .string("bad"))
    #expect(try !document().keys.contains("salvaged"))
  }
}
