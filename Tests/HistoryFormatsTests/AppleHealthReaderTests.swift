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
    let (found, facts) = try reader.found(in: text)
    #expect(found.isEmpty && facts.passedOver == ["finger-sticks outside the meter's range": 1])
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
      let (found, facts) = try reader.found(in: export(record() + "\n" + bad + record()), pieceLength: 65_536)
      #expect(facts.refused.error == .badField(line: 10, name: name, value: shown) && found.count == 2)
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
      #expect(throws: HistoryError.badLine(6, "declared entities are not supported")) { try reader.entries(text) }
    }
    let outside = "<!DOCTYPE HealthData SYSTEM \"file:///etc/hosts\">\n<HealthData>&host;</HealthData>"
    #expect(throws: HistoryError.badLine(2, "declared entities are not supported")) { try reader.entries(outside) }
  }

  @Test("content that would fill the memory is refused")
  func floods() {
    let names = "too many different names of elements and attributes"
    let long = "a tag or a declaration has more than 1048576 bytes"
    for (text, words) in [
      ("<HealthData>" + String(repeating: "<a>", count: 100), "elements are nested too deep"),
      ("<HealthData>" + (0..<5_000).map { "<a\($0)/>" }.joined(), names),
      ("<HealthData>" + (0..<5_000).map { "<a b\($0)=''/>" }.joined(), names),
      ("<HealthData><a b='" + String(repeating: "x", count: 3 << 20), long),
      ("<!DOCTYPE HealthData [" + String(repeating: "<!ELEMENT a ANY>", count: 1 << 18), long),
    ] { #expect(throws: HistoryError.badLine(1, words)) { try reader.entries(text, pieceLength: 100_000) } }
  }

  @Test("other XML, broken XML and XML without an end are distinguished")
  func otherXML() {
    for (text, error) in [
      ("<?xml version='1.0'?><gpx/>", HistoryError.notThisFormat(lacks: "the root element HealthData")),
      ("<HealthData>\n<a></b>", .badLine(2, "invalid XML: mismatched tag")),
      ("<HealthData>\n<a>", .truncated("the XML ends on line 2: no element found")),
    ] { #expect(throws: error) { try reader.entries(text) } }
  }
}
