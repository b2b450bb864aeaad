// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import HistoryFormats

@Suite("Blood pressure in exports") struct BloodPressureWritersTests {
  private static let entries = WriterEntries.pressures

  private static let mixed = WriterEntries.all + entries

  @Test("ndjson has all facts in a schema of its own, and its reader gives back the same entries")
  func ndjson() throws {
    let text = WriterEntries.text(NDJSONWriter(), [Self.entries[1]], WriterEntries.context(person: "ann"))
    #expect(
      text == #"""
        {"schema":"libre.blood_pressure/1","id":"11112222-3333-5444-8000-000000000015","reference_id":"ann","time":"2024-05-02T11:00:00Z","systolic_mmhg":141.7617,"diastolic_mmhg":82.5068,"mean_mmhg":119.2599,"pulse_per_minute":null,"user":null,"conditions":[],"unit":"kPa","systolic":18.9,"diastolic":11,"mean":15.9,"source":null}

        """#)
    let found = try NDJSONReader().entries(WriterEntries.text(NDJSONWriter(), Self.mixed))
    #expect(found.suffix(2) == Self.entries[...] && found.count == Self.mixed.count)
    let only = HistoryText(WriterEntries.text(NDJSONWriter(), Self.entries))
    #expect(try Examples.readers.detect(only).name == "ndjson")
  }

  @Test(
    "a line with an impossible pressure, unit, user or condition is refused",
    arguments: [
      ("\"systolic\":18.9", "\"systolic\":-1"), ("\"unit\":\"kPa\"", "\"unit\":\"bar\""),
      ("\"user\":null", "\"user\":256"), ("\"conditions\":[]", "\"conditions\":[\"a b\"]"),
      ("\"diastolic\":11,", ""), ("2024-05-02T11:00:00Z", "yesterday"),
    ])
  func refused(part: String, other: String) {
    let line = WriterEntries.text(NDJSONWriter(), [Self.entries[1]])
    let bad = line.replacing(part, with: other)
    #expect(bad != line)
    #expect(throws: HistoryError.self) { try NDJSONReader().entries(bad) }
  }

  @Test("csv has the pressures in mmHg in columns of their own, and no glucose")
  func csv() throws {
    let rows = WriterEntries.text(CSVWriter(), Self.entries).split(separator: "\n")
    let cells = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    let row = Dictionary(uniqueKeysWithValues: zip(cells[0], cells[2]))
    #expect(cells[0].count == cells[2].count)
    #expect(row["kind"] == "blood_pressure" && row["glucose_mg_dl"] == "" && row["systolic_mmhg"] == "141.7617")
    #expect(row["mean_mmhg"] == "119.2599" && row["sent_unit"] == "kPa" && row["pulse_per_minute"] == "")
    #expect(rows[1].hasSuffix(",138,88,,60,1,irregular_pulse,mmHg,,,,"))
  }

  @Test("fhir has the panel with a component for each number, and the cuff and its conditions")
  func fhir() {
    let text = WriterEntries.text(FHIRWriter(), [Self.entries[0]])
    for part in [
      #""profile":["http://hl7.org/fhir/StructureDefinition/bp"]"#, #""code":"vital-signs""#, #""code":"85354-9""#,
      #"{"code":{"coding":[{"system":"http://loinc.org","code":"8480-6"}]},"valueQuantity":{"value":138,"unit":"mmHg","system":"http://unitsofmeasure.org","code":"mm[Hg]"}}"#,
      #"{"code":{"coding":[{"system":"http://loinc.org","code":"8867-4"}]},"valueQuantity":{"value":60,"unit":"/min""#,
      #""device":{"display":"Cuff \"1\""}"#, #""note":[{"text":"irregular_pulse"}]"#,
    ] { #expect(text.contains(part), "\(part)") }
    #expect(!text.contains("8478-0") && WriterEntries.text(FHIRWriter(), [Self.entries[1]]).contains("8478-0"))
  }

  @Test("apple-health has a correlation of both pressures and a record of the pulse, and the reader skips them")
  func appleHealth() throws {
    let text = WriterEntries.text(AppleHealthWriter(), Self.mixed)
    let lines = text.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix(" <Correlation ") } == 2 && lines.count { $0 == " </Correlation>" } == 2)
    #expect(text.contains(#"type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="Cuff &quot;1&quot;""#))
    #expect(lines.count { $0.contains("HKQuantityTypeIdentifierHeartRate") && $0.contains(#"value="60""#) } == 1)
    #expect(try AppleHealthReader().entries(text).count == 5)
  }

  @Test("vital-blood-pressure has quantities of a cuff, and leaves glucose out")
  func vital() {
    let written = WriterEntries.written(VitalBloodPressureWriter(), Self.mixed)
    #expect(
      written.text.hasPrefix(#"{"stage":"daily","provider":"manual","time_zone":"Europe/Rome","is_final_chunk":"#))
    #expect(written.text.contains(#"{"systolic":{"value":138,"unit":"mmHg","type":"cuff","start_date":"#))
    #expect(written.text.contains(#""pulse":{"value":60,"unit":"bpm","type":"cuff""#))
    #expect(written.leftOut == ["glucose, which the format cannot express": WriterEntries.all.count])
  }

  @Test(
    "a format for glucose leaves blood pressure out and says so",
    arguments: [VitalWriter(), LibreViewWriter(), TidepoolWriter(), TerraWriter(), OpenMHealthWriter()]
      as [any HistoryWriter])
  func leftOut(writer: any HistoryWriter) {
    let written = WriterEntries.written(writer, Self.entries)
    #expect(written.leftOut == ["blood pressure, which the format cannot express": 2])
    #expect(written.text == WriterEntries.text(writer, []))
  }
}
