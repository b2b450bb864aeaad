// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import TestSupport
import Testing

@testable import HistoryFormats

/// Third-party validators (Validators/validate.py, xmllint) check exports of every kind of entry. They also check the
/// same exports with a planted fault, which each validator must find.
@Suite(.startsProcesses) struct WriterValidatorTests {
  private let validator: DocumentValidator

  init() throws { validator = try DocumentValidator(of: "HistoryFormatsTests") }

  static let hasPackages = ForeignPython.has("fhir", "terra")

  private static let entries = WriterEntries.all + WriterEntries.night + WriterEntries.unusable

  /// The document with one part replaced; the part must exist.
  private func broken(_ document: String, _ part: String, _ replacement: String) throws -> String {
    #expect(document.contains(part), "\(part)")
    return document.replacingOccurrences(of: part, with: replacement)
  }

  private func documents(_ writer: any HistoryWriter) -> [String] {
    GlucoseUnit.allCases.map { WriterEntries.text(writer, Self.entries, WriterEntries.context($0)) }
  }

  /// A document of blood pressure alone.
  private func pressures(_ writer: any HistoryWriter) -> String { WriterEntries.text(writer, WriterEntries.pressures) }

  @Test("Open mHealth, Tidepool and Vital documents conform to their schemas")
  func schemas() throws {
    try validator.check(
      "omh", documents(OpenMHealthWriter()), records: 6,
      planted: [
        "\"mg/dL\"": "\"mg/dl\"", "\"modality\":\"sensed\"": "\"modality\":\"scanned\"",
        "02:30:00+01:00": "02:30:00", "interstitial fluid": "skin",
      ], by: .jsonschema)
    try validator.check(
      "tidepool", documents(TidepoolWriter()), records: 7,
      planted: [
        "\"timezoneOffset\":60": "\"timezoneOffset\":\"60\"", "\"threshold\":40": "\"threshold\":null",
        "\"type\":\"smbg\"": "\"type\":\"bg\"", "\"value\":99": "\"value\":1001",
        "mg/dL\",\"value\":9": "mmol/L\",\"value\":9",
      ], by: .jsonschema)
    try validator.check(
      "vital", documents(VitalWriter()), records: 6,
      planted: ["manual_scan": "scan", "\"end_date\"": "\"end\"", "mmol/L": "mg/dL"], by: .jsonschema)
    try validator.check(
      "vital-blood-pressure", [pressures(VitalBloodPressureWriter())], records: 2,
      planted: [
        "\"type\":\"cuff\"": "\"type\":\"arm\"", "\"diastolic\"": "\"lower\"", "mmHg": "kPa", "\"bpm\"": "\"/min\"",
        "\"provider\":\"manual\"": "\"provider\":\"freestyle_libre_ble\"",
      ], by: .jsonschema)
  }

  @Test("Python reads both tables as CSV")
  func tables() throws {
    try validator.check(
      "csv", documents(CSVWriter()), records: 11, planted: ["\"Dexcom": "Dexcom", ",ok,,": ",ok,"], by: .python)
    try validator.check(
      "libreview", documents(LibreViewWriter()), records: 7,
      planted: ["\"Dexcom": "Dexcom", ",,,\r\n": ",,,\n"], by: .python)
  }

  @Test(
    "FHIR bundles pass fhir.resources and the rules of the CGM guide",
    .enabled(if: hasPackages, "\(ForeignPython.absence)"))
  func fhir() throws {
    let named = ["Patient/example", "Ann Example"].map {
      WriterEntries.text(FHIRWriter(), Self.entries, WriterEntries.context(person: $0))
    }
    try validator.check(
      "fhir", documents(FHIRWriter()) + named, records: 9,
      planted: [
        "\"status\":\"final\",": "", "valueQuantity": "quantity", "dataAbsentReason": "dataAbsentReasons",
        "\"device\":{\"reference\":\"urn:uuid:e": "\"device\":{\"reference\":\"urn:uuid:f", "-per-volume": "",
        "\"comparator\":\"<\"": "\"comparator\":[]", "T02:30:00+01:00": " 02:30",
        "\"ifNoneExist\":\"identifier=": "\"ifNoneExist\":\"id=", "user-friendly-name": "other", "99504-3": "14745-4",
      ], by: .packages)
    try validator.check(
      "fhir", [pressures(FHIRWriter())], records: 2,
      planted: [
        "\"status\":\"final\",": "", "valueQuantity": "quantity", "\"code\":\"85354-9\"": "\"code\":\"55284-4\"",
        "\"code\":\"8462-4\"": "\"code\":\"8480-6\"", "\"code\":\"mm[Hg]\"": "\"code\":\"mmHg\"",
        "\"code\":\"vital-signs\"": "\"code\":\"laboratory\"", "StructureDefinition/bp": "StructureDefinition/bmi",
        "\"subject\":": "\"focus\":", "T12:55:00+02:00": " 12:55",
      ], by: .packages)
    try validator.check("fhir", [WriterEntries.text(FHIRWriter(), [])], records: 0, by: .packages)
  }

  @Test("Terra documents pass the models of Terra's own client", .enabled(if: hasPackages, "\(ForeignPython.absence)"))
  func terra() throws {
    try validator.check(
      "terra", documents(TerraWriter()), records: 6,
      planted: [
        "\"blood_glucose_mg_per_dL\":104": "\"blood_glucose_mg_per_dL\":104.5", "serial_number": "serialNumber",
        "T00:00:00": "T01:00:00", "\"end_time\"": "\"stop_time\"", "12:20:00.000000": "12:20:00",
      ], by: .packages)
  }

  @Test(
    "Apple Health's export is valid by its own declarations, and by Apple's if they are available",
    arguments: GlucoseUnit.allCases)
  func appleHealth(_ unit: GlucoseUnit) throws {
    let document = WriterEntries.text(
      AppleHealthWriter(), Self.entries + WriterEntries.pressures, WriterEntries.context(unit))
    #expect(try validator.isValidXML(document), "apt-get install libxml2-utils, as make test does")
    for (part, replacement) in [
      ("startDate=", "start="), ("&lt;&lt;HKDevice", "<<HKDevice"), (" <ExportDate", " <Exported"),
      ("<MetadataEntry key=\"HKTimeZone\"", "<Metadata key=\"HKTimeZone\""),
      ("</Correlation>", "</Correlation><Pulse/>"),
      ("<Correlation type=", "<Correlation unit=\"mmHg\" type="),
    ] {
      #expect(try !validator.isValidXML(broken(document, part, replacement)), "\(part)")
    }
    let example = Repository.root.deletingLastPathComponent()
      .appendingPathComponent("shared/reference/examples/apple-health-export.xml")
    guard let apples = try? String(contentsOf: example, encoding: .utf8) else { return }
    let start = try #require(apples.range(of: "<!DOCTYPE HealthData [\n"))
    let end = try #require(apples.range(of: "]>\n"))
    // The example was shortened: its declarations have nothing within a correlation.
    var bare = WriterEntries.text(AppleHealthWriter(), Self.entries, WriterEntries.context(unit))
    let ours = try #require(bare.range(of: "<!DOCTYPE"))
    let ourEnd = try #require(bare.range(of: "]>\n"))
    bare.removeSubrange(ours.lowerBound..<ourEnd.upperBound)
    let declarations = String(apples[start.upperBound..<end.lowerBound])
    #expect(try validator.isValidXML(bare, declarations: declarations))
    #expect(try !validator.isValidXML(broken(bare, "sourceName=", "source="), declarations: declarations))
  }
}
