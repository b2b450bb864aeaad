// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import HistoryFormats

@Suite("A file is checked as a whole before anything of it is kept") struct FileValidationTests {
  private func table(_ column: String, _ values: [String]) -> String {
    "time,\(column)\n"
      + values.enumerated().map { "2024-05-02T10:\(10 + $0):00Z,\($1)\n" }.joined()
  }

  private func validated(
    _ text: String, unit: GlucoseUnit? = nil, keepsGoing: Bool = false, by reader: any HistoryReader = TableReader()
  ) throws(HistoryError) -> ImportOptions {
    var options = ImportOptions.twoHoursAhead.with(unit: unit, dateOrder: .dayFirst)
    options.keepsGoing = keepsGoing
    return try reader.validated(HistoryText(text), options).options
  }

  @Test("values that are mostly under 30 mg/dL are refused as mmol/L, and read as such if the user says so")
  func millimoles() throws {
    let text = table("glucose_mg_dl", ["5.6", "7.1", "31", "6"])
    for unit in [nil, GlucoseUnit.milligramsPerDecilitre] {
      #expect(throws: HistoryError.wrongUnit(.milligramsPerDecilitre, example: "5.6")) {
        try validated(text, unit: unit)
      }
    }
    let options = try validated(text, unit: .millimolesPerLitre)
    let values = try TableReader().entries(text, options).compactMap { $0.concentration?.millimolesPerLitre.rounded() }
    #expect(values == [6, 7, 31, 6])
    // Half of the values is not most of them: hypoglycaemia, or a meter's check.
    #expect(try validated(table("glucose_mg_dl", ["25", "29", "30", "110"])).certainUnit == nil)
  }

  @Test("values that are mostly impossible in mmol/L are refused as mg/dL, and read as such if the user says so")
  func milligrams() throws {
    let text = table("glucose_mmol_l", ["104", "96", "29", "110"])
    for keepsGoing in [false, true] {
      #expect(throws: HistoryError.wrongUnit(.millimolesPerLitre, example: "104")) {
        try validated(text, keepsGoing: keepsGoing)
      }
    }
    let options = try validated(text, unit: .milligramsPerDecilitre)
    #expect(
      try TableReader().entries(text, options).map(\.concentration?.milligramsPerDecilitre) == [104, 96, 29, 110])
  }

  @Test("a unit for the display does not change the unit that a file names rightly", arguments: GlucoseUnit.allCases)
  func display(unit: GlucoseUnit) throws {
    let text = table("mg_dL", ["104", "96"])
    let options = try validated(text, unit: unit)
    #expect(try TableReader().entries(text, options).map(\.concentration?.milligramsPerDecilitre) == [104, 96])
  }

  @Test("every format whose unit can be wrong is refused", arguments: Examples.all.filter { $0.format != "ndjson" })
  func formats(example: Example) throws {
    let reader = try #require(Examples.readers.first { $0.name == example.format })
    let text = Example(
      format: example.format, start: example.start,
      record: example.record.replacing("1#.00", with: "5.#").replacing("1#", with: "5.#"), separator: example.separator,
      end: example.end
    ).text
    #expect(throws: HistoryError.wrongUnit(.milligramsPerDecilitre, example: "5.1")) {
      try validated(text, unit: .milligramsPerDecilitre, by: reader)
    }
    let options = try validated(text, unit: .millimolesPerLitre, by: reader)
    let values = try reader.entries(of: HistoryText(text), options).compactMap {
      $0.concentration?.milligramsPerDecilitre.rounded()
    }
    #expect(values == [92, 92, 92])
  }

  @Test(
    "the usual words for a missing value are no value, and are counted",
    arguments: ["", "NA", "NaN", "null", "None", "-", "n/a", "#N/A", "."])
  func absent(word: String) throws {
    let (found, facts) = try TableReader().found(in: table("mg_dL", ["104", word]))
    #expect(found.count == 1 && facts.passedOver == ["records without a value": 1] && facts.refused.count == 0)
  }

  @Test("a number may have an exponent, and 0 or a word is invalid")
  func numbers() throws {
    #expect(
      try TableReader().entries(table("mg_dL", ["1.2e2", "1E+02", "1200e-1"])).map(
        \.concentration?.milligramsPerDecilitre) == [120, 100, 120])
    for bad in ["0", "many", "-5", "1e", "1e1000", "e2"] {
      #expect(throws: HistoryError.badField(line: 2, name: "glucose", value: "\"\(bad)\"")) {
        try TableReader().entries(table("mg_dL", [bad]))
      }
    }
  }

  @Test("an invalid record refuses the file and names the first ones; with the option the others are read")
  func invalid() throws {
    let text = table("mg_dL", ["104", "x", "105", "y", "z", "0", "106"])
    let first = [("x", 3), ("y", 5), ("z", 6)].map {
      HistoryError.badField(line: $0.1, name: "glucose", value: "\"\($0.0)\"")
    }
    let error = HistoryError.refused(4, first: first)
    #expect(throws: error) { try validated(text) }
    #expect(
      error.message.hasPrefix("4 records are invalid: line 3: glucose is invalid: \"x\"; ")
        && error.message.hasSuffix("…"))
    _ = try validated(text, keepsGoing: true)
    let (found, facts) = try TableReader().found(in: text)
    #expect(found.count == 3 && facts.refused.count == 4)
  }

  @Test("a table with other names is read by those that the user gives, and is otherwise told what it has")
  func columns() throws {
    let text = "Zeit;BG (mmol/L);Notiz\n1714644900000;5.5;x\n1714645800;6.0;y\n"
    #expect(throws: HistoryError.columnsMissing([], found: ["Zeit", "BG (mmol/L)", "Notiz"])) {
      try TableReader().entries(text)
    }
    var options = ImportOptions.twoHoursAhead
    (options.timeColumn, options.glucoseColumn) = ("zeit", "BG (mmol/L)")
    #expect(
      try TableReader().entries(text, options) == [
        value("table", nil, "2024-05-02T10:15:00Z", 5.5 * 18.0182),
        value("table", nil, "2024-05-02T10:30:00Z", 6 * 18.0182),
      ])
    options.glucoseColumn = "BG"
    #expect(throws: HistoryError.columnsMissing(["BG"], found: ["Zeit", "BG (mmol/L)", "Notiz"])) {
      try TableReader().entries(text, options)
    }
  }

  @Test(
    "files of other programs are named with the way out, and none of them is of a format that is read",
    arguments: [
      ("id,time,gl\n1,2024-05-02 10:00:00,104\n", "iglu", "--glucose-column gl"),
      ("<?xml version=\"1.0\"?>\n<patient id=\"559\">\n<glucose_level>\n<event ts=\"…\"", "OhioT1DM", "local_time"),
      ("Name:A,Date Range:…\nTimestamp,CGM Glucose Value (mg/dl),Serial\n", "Glooko", "--time-column Timestamp"),
      (
        #"{"status":0,"data":{"graphData":[{"FactoryTimestamp":"…","ValueInMgPerDl":104}]}}"#, "LibreLinkUp",
        "time (in UTC"
      ),
    ])
  func foreign(text: String, name: String, way: String) throws {
    let bytes = Array(text.utf8)
    #expect(throws: HistoryError.unknownFormat) { try Examples.readers.detect(HistoryText(bytes)) }
    let history = try #require(ForeignHistory(in: bytes))
    #expect(history.message.contains(name) && history.resolution.contains(way))
    #expect(!history.message.contains("dump") && !history.resolution.contains("dump"))
  }

  @Test(
    "what libre writes and does not read is named as its own",
    arguments: [OpenMHealthWriter(), FHIRWriter(), TerraWriter(), VitalWriter()] as [any HistoryWriter])
  func own(writer: any HistoryWriter) throws {
    let history = try #require(ForeignHistory(in: Array(WriterEntries.text(writer, WriterEntries.all).utf8)))
    #expect(history.message.contains("libre's own \(writer.name) export"))
    #expect(history.resolution.contains("--format ndjson"))
  }
}
