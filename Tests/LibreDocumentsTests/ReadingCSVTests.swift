// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreDocuments
import LibreKit
import NFCTransport
import TestSupport
import Testing

struct ReadingCSVTests {
  private func reading() throws -> SensorReading {
    var options = DecodeOptions()
    (options.uid, options.readTime) = (LiteralMemory.uid, .at(LiteralMemory.readAt))
    return try DumpDecoder(options: options).decode(LiteralMemory().bytes, path: "a, \"b\".bin")
  }

  private func rows(_ reading: SensorReading, unit: GlucoseUnit = .milligramsPerDecilitre) throws -> [[String]] {
    try CSVRows.of(ReadingCSV.header(unit: unit) + ReadingCSV.rows(reading, unit: unit))
  }

  private func records(_ rows: [[String]]) throws -> [[String: String]] {
    let header = try #require(rows.first)
    return rows.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
  }

  @Test("CSV has history before trend, newest first, with all members of a sample")
  func content() throws {
    let rows = try rows(reading())
    #expect(rows.allSatisfy { $0.count == rows[0].count } && Set(rows[0]).count == rows[0].count)
    let records = try records(rows)
    #expect(records.map { $0["ring"] } == Array(repeating: "history", count: 32) + Array(repeating: "trend", count: 16))
    let history = stride(from: 990, through: 525, by: -15)
    #expect(records.map { $0["minute"] } == history.map(String.init) + (985...1_000).reversed().map(String.init))
    #expect(
      records[0] == [
        "path": "a, \"b\".bin", "uid": "E007A0000025905E", "serial": "0M00009DHCR", "ring": "history", "minute": "990",
        "time": "2024-05-02T10:05:00Z", "glucose_mg_dl": "108.3719", "quality": "ok", "errors": "",
        "temperature_c": "32.03", "raw_glucose": "1319", "raw_temperature": "6552", "raw_temperature_adjustment": "-8",
        "has_error": "false", "error_field": "800", "id": "8d183fb1-7e36-591e-8346-b7964bb63737",
        "model_glucose_mg_dl": "108.3719", "dump": "1", "read_at": "2024-05-02T10:15:00Z", "salvaged": "false",
        "calibration": "factory", "calibration_version": "1", "family": "libre1", "product": "",
        "fingerprint": "000100009650140796805A00EDA60323", "line": "",
      ])
  }

  @Test("CSV has mmol/L in addition to mg/dL on request")
  func millimoles() throws {
    #expect(try rows(reading())[0].contains("glucose_mmol_l") == false)
    let record = try #require(try records(rows(reading(), unit: .millimolesPerLitre)).first)
    // 108.3719 / 18.0182
    #expect(record["glucose_mg_dl"] == "108.3719" && record["glucose_mmol_l"] == "6.0146")
  }

  @Test("cells for null are empty")
  func null() throws {
    var memory = LiteralMemory()
    memory.setTrend(
      minute: 1_000, LiteralMemory.record(glucose: 1_319, temperature: 6_552, hasError: true, errorField: 0x221))
    let record = try #require(try records(rows(DumpDecoder().decode(memory.bytes))).first { $0["minute"] == "1000" })
    for column in ["path", "uid", "serial", "time", "glucose_mg_dl", "id"] {
      #expect(record[column] == "", "\(column)")
    }
    #expect(record["quality"] == "error" && record["has_error"] == "true")
    #expect(record["errors"] == "fifo_overflow rf_interference")
  }
}
