// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreDocuments
import LibreKit
import NFCTransport
import TestSupport
import Testing

struct ReadingCSVTests {
  private func reading(path: String? = "dump.bin", uid: SensorUID? = LiteralMemory.uid) throws -> SensorReading {
    var options = DecodeOptions()
    options.uid = uid
    options.readTime = .at(LiteralMemory.readAt)
    return try DumpDecoder(options: options).decode(LiteralMemory().bytes, path: path)
  }

  private func table(_ reading: SensorReading, unit: GlucoseUnit = .milligramsPerDecilitre) throws -> CSVTable {
    try CSVTable(ReadingCSV.header(unit: unit) + ReadingCSV.rows(reading, unit: unit))
  }

  private func records(_ table: CSVTable) throws -> [[String: String]] {
    let header = try #require(table.rows.first)
    return table.rows.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
  }

  @Test("CSV has history before trend, newest first, with all members of a sample")
  func content() throws {
    let rows = try table(reading()).rows
    #expect(rows.allSatisfy { $0.count == rows[0].count } && Set(rows[0]).count == rows[0].count)
    let records = try records(table(reading()))
    #expect(records.map { $0["ring"] } == Array(repeating: "history", count: 32) + Array(repeating: "trend", count: 16))
    let history = stride(from: 990, through: 525, by: -15)
    #expect(records.map { $0["minute"] } == history.map(String.init) + (985...1_000).reversed().map(String.init))
    #expect(
      records[0] == [
        "path": "dump.bin", "uid": "E007A0000025905E", "serial": "0M00009DHCR", "ring": "history", "minute": "990",
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
    #expect(try table(reading()).rows[0].contains("glucose_mmol_l") == false)
    let record = try #require(try records(table(reading(), unit: .millimolesPerLitre)).first)
    #expect(record["glucose_mg_dl"] == "108.3719")
    // 108.3719 / 18.0182
    #expect(record["glucose_mmol_l"] == "6.0146")
  }

  @Test("cells for null are empty")
  func null() throws {
    var memory = LiteralMemory()
    memory.setTrend(
      minute: 1_000, LiteralMemory.record(glucose: 1_319, temperature: 6_552, hasError: true, errorField: 0x221))
    let record = try #require(
      try records(table(DumpDecoder().decode(memory.bytes))).first { $0["minute"] == "1000" })
    for column in ["path", "uid", "serial", "time", "glucose_mg_dl", "id"] {
      #expect(record[column] == "", "\(column)")
    }
    #expect(record["quality"] == "error")
    #expect(record["errors"] == "fifo_overflow rf_interference")
    #expect(record["has_error"] == "true")
  }

  @Test(
    "cells are quoted where RFC 4180 requires it",
    arguments: ["a,b", "a\"b", "\"", "a\nb", "a\r\nb", "a\rb", ",", "a b", ""])
  func quoting(path: String) throws {
    let rows = ReadingCSV.rows(try reading(path: path), unit: .milligramsPerDecilitre)
    let records = try records(CSVTable(ReadingCSV.header(unit: .milligramsPerDecilitre) + rows))
    #expect(records.count == 48)
    for record in records { #expect(record["path"].map { Array($0.utf8) } == Array(path.utf8)) }
  }
}
