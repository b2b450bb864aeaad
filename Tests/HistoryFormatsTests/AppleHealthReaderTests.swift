// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import HistoryFormats

@Suite("The export of Apple Health") struct AppleHealthReaderTests {
  private let reader = AppleHealthReader()

  private func export(_ records: String, declarations: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!-- HealthKit Export Version: 14 -->
    <!ELEMENT HealthData (ExportDate,Me,(Record)*)>
    <!ATTLIST Record type CDATA #REQUIRED unit CDATA #IMPLIED>
    \(declarations)]>
    <HealthData locale="en_US">
     <ExportDate value="2024-05-02 12:30:00 +0200"/>
    \(records)
    </HealthData>

    """
  }

  private func record(
    unit: String = "mg/dL", value: String = "104", start: String = "2024-05-02 12:15:00 +0200",
    source: String = "App", attributes: String = "", metadata: String = ""
  ) -> String {
    """
     <Record type="HKQuantityTypeIdentifierBloodGlucose" sourceName="\(source)" unit="\(unit)"\(attributes) \
    creationDate="2024-05-02 12:16:03 +0200" startDate="\(start)" endDate="\(start)" value="\(value)">\
    \(metadata)</Record>
    """
  }

  @Test("records of blood glucose are read with their zone, and all others are ignored")
  func records() throws {
    let others = """
       <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" value="60">
        <MetadataEntry key="HKWasUserEntered" value="1"/>
       </Record>
       <Workout duration="1"><WorkoutEvent/></Workout>
      """
    let device = """
       device="&lt;&lt;HKDevice: 0x283f1&gt;, name:FreeStyle Libre, manufacturer:Abbott, model:Libre 1&gt;"
      """
    let text = export(
      record(attributes: device) + others
        + record(unit: "mmol&lt;180.1558800000541&gt;/L", value: "5.8", source: "B &amp; C")
        + record(
          value: "40", start: "2024-01-02 12:15:30 -0530",
          metadata: metadata("HKMetadataKeyQuantityClampedToLowerBound", "1"))
        + record(metadata: metadata("libre.ring", "trend")) + record(metadata: metadata("libre.ring", "finger_stick"))
        + record(metadata: metadata("HKWasUserEntered", "1")) + record(metadata: metadata("HKWasUserEntered", "0")))
    let expected = [
      value("App", "FreeStyle Libre", "2024-05-02T10:15:00Z", 104),
      value("B & C", nil, "2024-05-02T10:15:00Z", 5.8 * (180.1558800000541 / 10)),
      value("App", nil, "2024-01-02T17:45:30Z", 40, bound: .low),
      value("App", nil, "2024-05-02T10:15:00Z", 104, ring: .trend), stick("App", "2024-05-02T10:15:00Z", 104),
      stick("App", "2024-05-02T10:15:00Z", 104),
      value("App", nil, "2024-05-02T10:15:00Z", 104),
    ]
    for pieceLength in [1, 50, 100_000] { #expect(try reader.entries(text, pieceLength: pieceLength) == expected) }
    #expect(reader.hasSignature(HistoryText(text)))
  }

  private func metadata(_ key: String, _ value: String) -> String {
    "<MetadataEntry key=\"\(key)\" value=\"\(value)\"/>"
  }

  @Test("a finger-stick with only a bound as value is counted")
  func bounds() throws {
    let text = export(
      record(metadata: metadata("HKWasUserEntered", "1") + metadata("HKMetadataKeyQuantityClampedToUpperBound", "1")))
    let facts = try reader.read(HistoryText(text), .twoHoursAhead) { _ in Issue.record("nothing is a value here") }
    #expect(facts.passedOver == ["finger-sticks outside the meter's range": 1])
  }

  @Test("a missing or impossible attribute is reported with its line, and all other records are read")
  func errors() throws {
    for (bad, name, shown) in [
      (record(unit: "g/L"), "unit", "\"g/L\""), (record(unit: "mmol&lt;98&gt;/L"), "unit", "\"mmol<98>/L\""),
      (record(value: "low"), "value", "\"low\""), (record(value: "5e3"), "value", "\"5e3\""),
      (record(start: "2024-05-02 12:15:00"), "startDate", "\"2024-05-02 12:15:00\""),
      (record(start: "2024-02-30 12:15:00 +0000"), "startDate", "\"2024-02-30 12:15:00 +0000\""),
      (record(source: ""), "sourceName", "\"\""),
    ] {
      var found = 0
      let facts = try reader.read(
        HistoryText(export(record() + "\n" + bad + record()), pieceLength: 65_536), .twoHoursAhead
      ) { _ in found += 1 }
      #expect(facts.refused.error == .badField(line: 10, name: name, value: shown))
      #expect(found == 2)
    }
  }

  @Test("declared entities are refused before they are used, whatever they point to")
  func entities() {
    let bomb = (1...9).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }.joined(
      separator: "\n")
    for declaration in [
      "<!ENTITY e0 \"lol\">" + bomb, "<!ENTITY file SYSTEM \"file:///etc/passwd\">",
      "<!ENTITY % more SYSTEM \"http://127.0.0.1/x.dtd\"> %more;",
    ] {
      let text = export(record(source: "&e9;"), declarations: declaration)
      #expect(throws: HistoryError.badLine(6, "declared entities are not supported")) {
        try reader.entries(text)
      }
    }
    let outside = "<!DOCTYPE HealthData SYSTEM \"file:///etc/hosts\">\n<HealthData>&host;</HealthData>"
    #expect(throws: HistoryError.badLine(2, "declared entities are not supported")) {
      try reader.entries(outside)
    }
  }

  @Test("content that would fill the memory is refused")
  func floods() {
    let deep = "<HealthData>" + String(repeating: "<a>", count: 100)
    #expect(throws: HistoryError.badLine(1, "elements are nested too deep")) { try reader.entries(deep) }
    let names = "<HealthData>" + (0..<5_000).map { "<a\($0)/>" }.joined()
    #expect(throws: HistoryError.badLine(1, "too many different names of elements and attributes")) {
      try reader.entries(names)
    }
    let attributes = "<HealthData>" + (0..<5_000).map { "<a b\($0)=''/>" }.joined()
    #expect(throws: HistoryError.badLine(1, "too many different names of elements and attributes")) {
      try reader.entries(attributes)
    }
    let long = String(repeating: "x", count: 3 << 20)
    for text in [
      "<HealthData><a b='\(long)", "<!DOCTYPE HealthData [" + String(repeating: "<!ELEMENT a ANY>", count: 1 << 18),
    ] {
      #expect(throws: HistoryError.badLine(1, "a tag or a declaration has more than 1048576 bytes")) {
        try reader.entries(text, pieceLength: 100_000)
      }
    }
  }

  @Test("other XML, broken XML and XML without an end are distinguished")
  func otherXML() {
    #expect(throws: HistoryError.notThisFormat(lacks: "the root element HealthData")) {
      try reader.entries("<?xml version='1.0'?><gpx/>")
    }
    #expect(throws: HistoryError.badLine(2, "invalid XML: mismatched tag")) {
      try reader.entries("<HealthData>\n<a></b>")
    }
    #expect(throws: HistoryError.truncated("the XML ends on line 2: no element found")) {
      try reader.entries("<HealthData>\n<a>")
    }
  }
}
