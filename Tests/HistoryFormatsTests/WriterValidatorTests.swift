// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import HistoryFormats
import TestSupport
import Testing

/// Exports of every kind of entry against validators that are not ours (Validators/validate.py, xmllint), and the same
/// exports with a fault planted in them, which each validator must find.
struct WriterValidatorTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private static let validators = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Validators").path
  /// Where `tools/install test` puts the packages of Validators/requirements.txt.
  private static let packages =
    ProcessInfo.processInfo.environment["LIBRE_VALIDATORS"]
    ?? Sandbox.root.appendingPathComponent(".build/validators").path
  static let hasPackages =
    FileManager.default.fileExists(atPath: packages + "/fhir")
    && FileManager.default.fileExists(atPath: packages + "/terra")
  static let absence: Comment =
    "the packages of Validators/requirements.txt are not there, so PyPI was not reached; run tools/install test"

  private var path: String { ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin" }

  /// One file's answer: the faults found in it, and how many records it has.
  private struct Answer: Hashable {
    var faults: [Substring] = []
    var records: Int?
  }

  /// What the validator of a format says of each document, in one run.
  private func answers(
    _ format: String, _ documents: [String], python: String = "python3", packages: Bool = true
  ) throws -> [Answer] {
    let names = try documents.enumerated().map { try sandbox.write($0.element, to: "\($0.offset).document") }
    let outcome = try sandbox.run(
      program: "/usr/bin/env", [python, "\(Self.validators)/validate.py", format] + names,
      environment: ["PATH": path, "PYTHONDONTWRITEBYTECODE": "1"].merging(
        packages ? ["PYTHONPATH": Self.packages] : [:]
      ) { $1 })
    #expect(outcome.status == 0, "\(outcome.errors)")
    var answers = Array(repeating: Answer(), count: documents.count)
    for line in outcome.lines {
      let (file, text) = try #require(line.wholeMatch(of: /([0-9]+)\.document: (.*)/).map { ($0.1, $0.2) })
      let index = try #require(Int(file))
      if let count = text.wholeMatch(of: /([0-9]+) records/) {
        answers[index].records = Int(count.1)
      } else {
        answers[index].faults.append(text)
      }
    }
    return answers
  }

  /// Sound documents have no fault and this many records; the first, with a fault planted in it, has one.
  private func check(
    _ format: String, _ documents: [String], records: Int, planted: KeyValuePairs<String, String>,
    python: String = "python3", packages: Bool = true
  ) throws {
    let broken = try planted.map { try self.broken(documents[0], $0.key, $0.value) }
    let answers = try answers(format, documents + broken, python: python, packages: packages)
    for answer in answers.prefix(documents.count) { #expect(answer == Answer(records: records)) }
    for (answer, fault) in zip(answers.dropFirst(documents.count), planted) {
      #expect(!answer.faults.isEmpty, "\(fault.value) for \(fault.key) was not found")
    }
  }

  /// The first Python that has jsonschema: Debian's, or the one on the path.
  private func pythonWithSchemas() throws -> String {
    for program in ["/usr/bin/python3", "/usr/local/bin/python3", "python3"] {
      let outcome = try sandbox.run(
        program: "/usr/bin/env", [program, "-c", "import jsonschema"], environment: ["PATH": path])
      if outcome.status == 0 { return program }
    }
    throw NoValidator()
  }

  private struct NoValidator: Error, CustomStringConvertible {
    var description: String { "no python3 has jsonschema; make test installs python3-jsonschema" }
  }

  private static let entries = WriterEntries.all + WriterEntries.night + WriterEntries.unusable

  /// The document with a part of it replaced, which must be there.
  private func broken(_ document: String, _ part: String, _ replacement: String) throws -> String {
    #expect(document.contains(part), "\(part)")
    return document.replacingOccurrences(of: part, with: replacement)
  }

  private func documents(_ writer: any HistoryWriter) -> [String] {
    GlucoseUnit.allCases.map { WriterEntries.text(writer, Self.entries, WriterEntries.context($0)) }
  }

  @Test("Open mHealth, Tidepool and Vital documents are what their schemas say")
  func schemas() throws {
    let python = try pythonWithSchemas()
    try check(
      "omh", documents(OpenMHealthWriter()), records: 6,
      planted: [
        "\"mg/dL\"": "\"mg/dl\"", "\"modality\":\"sensed\"": "\"modality\":\"scanned\"",
        "02:30:00+01:00": "02:30:00", "interstitial fluid": "skin",
      ], python: python, packages: false)
    try check(
      "tidepool", documents(TidepoolWriter()), records: 7,
      planted: [
        "\"timezoneOffset\":60": "\"timezoneOffset\":\"60\"", "\"threshold\":40": "\"threshold\":null",
        "\"type\":\"smbg\"": "\"type\":\"bg\"", "\"value\":99": "\"value\":1001",
        "mg/dL\",\"value\":9": "mmol/L\",\"value\":9",
      ], python: python, packages: false)
    try check(
      "vital", documents(VitalWriter()), records: 6,
      planted: ["manual_scan": "scan", "\"end_date\"": "\"end\"", "mmol/L": "mg/dL"], python: python, packages: false)
  }

  @Test("both tables are CSV by Python's reader")
  func tables() throws {
    try check(
      "csv", documents(CSVWriter()), records: 11, planted: ["\"Dexcom": "Dexcom", ",ok,,": ",ok,"], packages: false)
    try check(
      "libreview", documents(LibreViewWriter()), records: 7,
      planted: ["\"Dexcom": "Dexcom", ",,,\r\n": ",,,\n"], packages: false)
  }

  @Test("FHIR bundles pass fhir.resources and the CGM guide's rules", .enabled(if: hasPackages, absence))
  func fhir() throws {
    let named = ["Patient/example", "Ann Example"].map {
      WriterEntries.text(FHIRWriter(), Self.entries, WriterEntries.context(person: $0))
    }
    try check(
      "fhir", documents(FHIRWriter()) + named, records: 9,
      planted: [
        "\"status\":\"final\",": "", "valueQuantity": "quantity", "dataAbsentReason": "dataAbsentReasons",
        "\"device\":{\"reference\":\"urn:uuid:e": "\"device\":{\"reference\":\"urn:uuid:f", "-per-volume": "",
        "\"comparator\":\"<\"": "\"comparator\":[]", "T02:30:00+01:00": " 02:30",
        "\"ifNoneExist\":\"identifier=": "\"ifNoneExist\":\"id=", "user-friendly-name": "other", "99504-3": "14745-4",
      ])
    #expect(try answers("fhir", [WriterEntries.text(FHIRWriter(), [])]) == [Answer(records: 0)])
  }

  @Test("Terra documents pass the models of Terra's own client", .enabled(if: hasPackages, absence))
  func terra() throws {
    try check(
      "terra", documents(TerraWriter()), records: 6,
      planted: [
        "\"blood_glucose_mg_per_dL\":104": "\"blood_glucose_mg_per_dL\":104.5", "serial_number": "serialNumber",
        "T00:00:00": "T01:00:00", "\"end_time\"": "\"stop_time\"", "12:20:00.000000": "12:20:00",
      ])
  }

  @Test(
    "Apple Health's export is valid by its own declarations, and by Apple's where they are at hand",
    arguments: GlucoseUnit.allCases)
  func appleHealth(_ unit: GlucoseUnit) throws {
    let document = WriterEntries.text(AppleHealthWriter(), Self.entries, WriterEntries.context(unit))
    func status(_ text: String, _ options: String...) throws -> Int32 {
      try sandbox.write(text, to: "export.xml")
      return try sandbox.run(
        program: "/usr/bin/env", ["xmllint", "--noout", "--nonet"] + options + ["export.xml"],
        environment: ["PATH": path]
      ).status
    }
    #expect(try status(document, "--valid") == 0, "apt-get install libxml2-utils, as make test does")
    for (part, replacement) in [
      ("startDate=", "start="), ("&lt;&lt;HKDevice", "<<HKDevice"), (" <ExportDate", " <Exported"),
      ("<MetadataEntry key=\"HKTimeZone\"", "<Metadata key=\"HKTimeZone\""),
    ] {
      #expect(try status(broken(document, part, replacement), "--valid") != 0, "\(part)")
    }
    let example = Sandbox.root.deletingLastPathComponent()
      .appendingPathComponent("shared/reference/examples/apple-health-export.xml")
    guard let apples = try? String(contentsOf: example, encoding: .utf8) else { return }
    let start = try #require(apples.range(of: "<!DOCTYPE HealthData [\n"))
    let end = try #require(apples.range(of: "]>\n"))
    let ours = try #require(document.range(of: "<!DOCTYPE"))
    let ourEnd = try #require(document.range(of: "]>\n"))
    var bare = document
    bare.removeSubrange(ours.lowerBound..<ourEnd.upperBound)
    try sandbox.write(String(apples[start.upperBound..<end.lowerBound]), to: "apple.dtd")
    #expect(try status(bare, "--dtdvalid", "apple.dtd") == 0)
    #expect(try status(broken(bare, "sourceName=", "source="), "--dtdvalid", "apple.dtd") != 0)
  }
}
