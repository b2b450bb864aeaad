// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import SampleSinks
import TestSupport
import Testing

/// What sinks send against validators that are not ours (Validators/validate.py), and the same with a fault planted in
/// it, which each validator must find.
struct SinkValidatorTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private static let validators = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Validators").path
  /// Where `tools/install test` puts the packages of HistoryFormatsTests/Validators/requirements.txt.
  private static let packages =
    ProcessInfo.processInfo.environment["LIBRE_VALIDATORS"]
    ?? Sandbox.root.appendingPathComponent(".build/validators").path
  static let hasPackages =
    FileManager.default.fileExists(atPath: packages + "/fhir")
    && FileManager.default.fileExists(atPath: packages + "/terra")
  static let absence: Comment =
    "fhir.resources and Terra's client are not there, so PyPI was not reached; run tools/install test"

  private var path: String { ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin" }

  /// History, trend, and two nights of half an hour that the end of summer time tells apart.
  private static let samples =
    [SinkFixtures.sample(), SinkFixtures.later(15, glucose: 38.6), SinkFixtures.later(3, .trend, glucose: 107.25)]
    + ["2024-10-27T00:30:00Z", "2024-10-27T01:30:00Z"].enumerated().map {
      SinkFixtures.sample(minute: 20_000 + 60 * $0.offset, time: SinkFixtures.instant($0.element), glucose: 212.125)
    }

  private static func batch(_ samples: [StoredSample] = samples, stage: SampleBatch.Stage = .daily) -> SampleBatch {
    SinkFixtures.batch(
      samples, parts: Set(SampleBatch.Part.allCases), stage: stage, current: SinkFixtures.current, holdsNewest: true)
  }

  /// A sound document, and others of its kind, have no fault and this many records; with each part replaced in it, it
  /// has a fault.
  private func check(
    _ kind: String, _ document: String, others: [String] = [], records: Int,
    planted: KeyValuePairs<String, String>, packages: Bool = false
  ) throws {
    var names = try ([document] + others).enumerated().map {
      try sandbox.write($0.element, to: "sound\($0.offset).json")
    }
    for (index, fault) in planted.enumerated() {
      #expect(document.contains(fault.key), "\(kind): \(fault.key)")
      let broken = document.replacingOccurrences(of: fault.key, with: fault.value)
      names.append(try sandbox.write(broken, to: "\(index).json"))
    }
    let outcome = try sandbox.run(
      program: "/usr/bin/env",
      [packages ? "python3" : pythonWithSchemas(), "\(Self.validators)/validate.py", kind] + names,
      environment: ["PATH": path, "PYTHONDONTWRITEBYTECODE": "1"].merging(
        packages ? ["PYTHONPATH": Self.packages] : [:]
      ) { $1 })
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.lines
    let sound = (0...others.count).map { "sound\($0).json: \(records) records" }
    #expect(lines.filter { $0.hasPrefix("sound") } == sound, "\(kind)")
    for (index, fault) in planted.enumerated() {
      let found = lines.contains { $0.hasPrefix("\(index).json: ") && !$0.hasSuffix(" records") }
      #expect(found, "\(kind): \(fault.value) for \(fault.key) was not found")
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

  @Test("Nightscout's entries are what both of its interfaces take")
  func nightscout() throws {
    let first = try SinkFixtures.sink(NightscoutSink.type, SinkFixtures.nightscout)
    try check(
      "nightscout", first.request(Self.batch()).bodyText, records: 5,
      planted: [
        "\"sgv\":104": "\"sgv\":\"104\"", "\"sgv\":39": "\"sgv\":38", "1714644900000": "1714644900",
        "02:30:00.000+01:00": "02:30:00.000+02:00", "FortyFiveUp": "up", "\"device\"": "\"unit\"",
      ])
    let third = try SinkFixtures.sink(NightscoutV3Sink.type, SinkFixtures.nightscout)
    try check(
      "nightscout-v3", third.request(Self.batch([SinkFixtures.later(3, .trend)])).bodyText, records: 1,
      planted: [
        "\"app\":\"libre\"": "\"app\":\"\"", "\"utcOffset\":120": "\"utcOffset\":\"+02:00\"",
        "\"date\":1714645080000": "\"date\":1714645080", "\"units\":\"mg\"": "\"units\":\"mg/dL\"",
      ])
  }

  @Test("Home Assistant's documents have its words, and the state has what they point to")
  func homeAssistant() throws {
    let values = SinkFixtures.mqtt.merging(["expire_after": "1200"]) { $1 }
    let messages = try SinkFixtures.sink(MQTTSink.type, values).messages(Self.batch())
    let entities = messages.filter { $0.topic.hasSuffix("/config") }.map(\.payloadText)
    #expect(entities.count == 5)
    try check(
      "entity", entities[0], others: Array(entities.dropFirst()), records: 1,
      planted: [
        "blood_glucose_concentration": "glucose", "\"mg/dL\"": "\"mg/dl\"",
        "\"expire_after\":1200": "\"expire_after\":0",
        "\"unique_id\"": "\"uniqueid\"", "\"state_topic\":\"libre/": "\"state_topic\":\"+/",
        "{{ value_json.mgdl }}": "mgdl",
      ])
    try check("entity", entities[3], records: 1, planted: ["\"options\"": "\"choices\"", "\"enum\"": "\"timestamp\""])
    let device = try SinkFixtures.sink(MQTTSink.type, values.merging(["discovery": "device"]) { $1 })
      .messages(Self.batch())
    try check(
      "device", device[1].payloadText, records: 5,
      planted: ["\"origin\"": "\"source\"", "\"platform\":\"sensor\",": "", "\"identifiers\"": "\"ids\""])
    try check(
      "state", #require(messages.last).payloadText, records: 1,
      planted: ["\"state\":\"active\"": "\"state\":\"Active\"", "00Z\",\"minute\"": "00\",\"minute\"", "mgdl": "mg"])
    // Each template names a member of the state.
    let members = try JSONValue(parsing: #require(messages.last).payload).keys
    for entity in entities {
      let template = try #require(try JSONValue(parsing: entity.utf8)["value_template"].text)
      #expect(members.contains(String(template.dropFirst(14).dropLast(3))), "\(template)")
    }
  }

  @Test("Tidepool's data and data set, and Vital's body, are what their schemas say")
  func tidepoolAndVital() throws {
    let tidepool = try SinkFixtures.sink(TidepoolSink.type, SinkFixtures.tidepool)
    try check(
      "tidepool", tidepool.request(Self.batch()).bodyText, records: 5,
      planted: [
        "\"timezoneOffset\":60": "\"timezoneOffset\":\"60\"", "\"sampleInterval\":60000": "\"sampleInterval\":60",
        "\"value\":104": "\"value\":1001", "\"units\":\"mg/dL\"": "\"units\":\"mg/dl\"",
        "\"type\":\"application\",": "",
      ])
    let memory = SinkMemory(kept: ["user_id": "a"], session: ["token": Secret("t")])
    let step = try #require(
      tidepool.preparation(for: SinkFixtures.batch().sensor, memory, SinkFixtures.context()))
    try check(
      "tidepool-set", step.request.bodyText, records: 1,
      planted: [
        "\"deviceTags\"": "\"deviceTgs\"", "local.libre": "libre", "continuous": "always", "\"0.1.0\"": "\"1\"",
      ])
    let vital = try SinkFixtures.sink(VitalSink.type, SinkFixtures.vital)
    try check(
      "vital", vital.request(Self.batch(stage: .historical)).bodyText, records: 5,
      planted: [
        "manual_scan": "scan", "mmol/L": "mg/dL", "\"historical\",\"start_date\"": "\"historical\",\"start\"",
        "\"is_final_chunk\":true": "\"is_final_chunk\":1",
      ])
  }

  @Test("FHIR's bundle passes fhir.resources and the CGM guide's rules", .enabled(if: hasPackages, absence))
  func fhir() throws {
    for unit in GlucoseUnit.allCases {
      let sink = try SinkFixtures.sink(FHIRSink.type, SinkFixtures.fhir.merging(["unit": unit.rawValue]) { $1 })
      try check(
        "fhir", sink.request(Self.batch()).bodyText, records: 5,
        planted: [
          "\"status\":\"final\",": "", "valueQuantity": "quantity",
          "\"subject\":{\"reference\"": "\"subject\":{\"display\"",
          "\"device\":{\"reference\":\"urn:uuid:e": "\"device\":{\"reference\":\"urn:uuid:f",
          "\"ifNoneExist\":\"identifier=": "\"ifNoneExist\":\"id=", "T02:30:00+01:00": " 02:30",
        ], packages: true)
    }
  }

  @Test("Terra's event passes the models of Terra's own client", .enabled(if: hasPackages, absence))
  func terra() throws {
    let sink = try SinkFixtures.sink(WebhookSink.type, SinkFixtures.terra)
    try check(
      "terra", sink.request(Self.batch()).bodyText, records: 4,
      planted: [
        "\"blood_glucose_mg_per_dL\":104": "\"blood_glucose_mg_per_dL\":104.5", "\"user_id\"": "\"id\"",
        "\"type\":\"body\"": "\"type\":\"sleep\"", "\"version\"": "\"release\"",
      ], packages: true)
  }
}
