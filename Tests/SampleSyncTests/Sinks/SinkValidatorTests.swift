// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing
import TextFormats

@testable import SampleSync

/// Checks the documents of sinks with third-party validators (Validators/validate.py), and also the same documents with
/// a planted error, which each validator must find. HistoryFormatsTests have FHIR bundles and Tidepool's data checked,
/// which are the same here.
@Suite(.startsProcesses) struct SinkValidatorTests {
  private let validator: DocumentValidator

  init() throws { validator = try DocumentValidator(of: "SampleSyncTests") }

  static let hasPackages = ForeignPython.has("terra")

  /// History, trend, and two half-hours of one night that differ only by the end of summer time.
  private static let samples =
    [SinkFixtures.sample(), SinkFixtures.later(15, glucose: 38.6), SinkFixtures.later(3, .trend, glucose: 107.25)]
    + ["2024-10-27T00:30:00Z", "2024-10-27T01:30:00Z"].enumerated().map {
      SinkFixtures.sample(minute: 20_000 + 60 * $0.offset, time: SinkFixtures.instant($0.element), glucose: 212.125)
    }

  private static func batch(_ samples: [StoredSample] = samples, stage: SampleBatch.Stage = .daily) -> SampleBatch {
    SinkFixtures.batch(
      samples, parts: Set(SampleBatch.Part.allCases), stage: stage, current: SinkFixtures.current, holdsNewest: true)
  }

  private static let pressure = SampleBatch(
    key: SinkFixtures.key, stage: .daily, parts: [.bloodPressure], sensor: nil,
    entries: [
      .bloodPressure(
        BloodPressure(
          id: SampleID(high: 0x5000, low: 0x8000_0000_0000_0001), time: SinkFixtures.instant("2024-05-02T10:15:00Z"),
          systolic: 18.9, diastolic: 11, mean: 15.9, unit: .kilopascals, pulse: 60, source: "Cuff 1"))
    ], current: nil)

  @Test("Nightscout's entries are accepted by both of its interfaces")
  func nightscout() throws {
    let first = try SinkFixtures.sink(NightscoutSink.type, SinkFixtures.nightscout)
    try validator.check(
      "nightscout", [first.request(Self.batch()).bodyText], records: 5,
      planted: [
        "\"sgv\":104": "\"sgv\":\"104\"", "\"sgv\":40": "\"sgv\":38", "1714644900000": "1714644900",
        "02:30:00.000+01:00": "02:30:00.000+02:00", "FortyFiveUp": "up", "\"device\"": "\"unit\"",
      ], by: .jsonschema)
    let third = try SinkFixtures.sink(NightscoutV3Sink.type, SinkFixtures.nightscout)
    try validator.check(
      "nightscout-v3", [third.request(Self.batch([SinkFixtures.later(3, .trend)])).bodyText], records: 1,
      planted: [
        "\"app\":\"libre\"": "\"app\":\"\"", "\"utcOffset\":120": "\"utcOffset\":\"+02:00\"",
        "\"date\":1714645080000": "\"date\":1714645080", "\"units\":\"mg\"": "\"units\":\"mg/dL\"",
      ], by: .jsonschema)
  }

  @Test("Home Assistant's documents use its words")
  func homeAssistant() throws {
    let values = SinkFixtures.mqtt.merging(["expire_after": "1200"]) { $1 }
    let messages = try SinkFixtures.sink(MQTTSink.type, values).messages(Self.batch())
    let entities = messages.filter { $0.topic.hasSuffix("/config") }.map(\.payloadText)
    #expect(entities.count == 5)
    try validator.check(
      "entity", entities, records: 1,
      planted: [
        "blood_glucose_concentration": "glucose", "\"mg/dL\"": "\"mg/dl\"",
        "\"expire_after\":1200": "\"expire_after\":0",
        "\"unique_id\"": "\"uniqueid\"", "\"state_topic\":\"libre/": "\"state_topic\":\"+/",
        "{{ value_json.mgdl }}": "mgdl",
      ], by: .jsonschema)
    try validator.check(
      "entity", [entities[3]], records: 1, planted: ["\"options\"": "\"choices\"", "\"enum\"": "\"timestamp\""],
      by: .jsonschema)
    let device = try SinkFixtures.sink(MQTTSink.type, values.merging(["discovery": "device"]) { $1 })
      .messages(Self.batch())
    try validator.check(
      "device", [device[1].payloadText], records: 5,
      planted: ["\"origin\"": "\"source\"", "\"platform\":\"sensor\",": "", "\"identifiers\"": "\"ids\""],
      by: .jsonschema)
    try validator.check(
      "state", [#require(messages.last).payloadText], records: 1,
      planted: ["\"state\":\"active\"": "\"state\":\"Active\"", "00Z\",\"minute\"": "00\",\"minute\"", "mgdl": "mg"],
      by: .jsonschema)
  }

  @Test("Tidepool's data set and Vital's body match their schemas")
  func tidepoolAndVital() throws {
    let tidepool = try SinkFixtures.sink(TidepoolSink.type, SinkFixtures.tidepool)
    let memory = SinkState(kept: ["user_id": "a"], session: ["token": Secret("t")])
    let step = try #require(tidepool.preparation(for: SinkFixtures.batch(), memory, SinkFixtures.context()))
    try validator.check(
      "tidepool-set", [step.request.bodyText], records: 1,
      planted: [
        "\"deviceTags\"": "\"deviceTgs\"", "local.libre": "libre", "continuous": "always", "\"0.1.0\"": "\"1\"",
      ], by: .jsonschema)
    let vital = try SinkFixtures.sink(VitalSink.type, SinkFixtures.vital)
    try validator.check(
      "vital", [vital.request(Self.batch(stage: .historical)).bodyText], records: 5,
      planted: [
        "manual_scan": "scan", "mmol/L": "mg/dL", "\"historical\",\"start_date\"": "\"historical\",\"start\"",
        "\"is_final_chunk\":true": "\"is_final_chunk\":1",
      ], by: .jsonschema)
    try validator.check(
      "vital-blood-pressure", [vital.request(Self.pressure).bodyText], records: 1,
      planted: ["mmHg": "kPa", "cuff": "arm", "\"systolic\"": "\"upper\""], by: .jsonschema)
  }

  @Test("Terra's event passes the models of Terra's own client", .enabled(if: hasPackages, "\(ForeignPython.absence)"))
  func terra() throws {
    let sink = try SinkFixtures.sink(WebhookSink.type, SinkFixtures.terra)
    try validator.check(
      "terra", [sink.request(Self.batch()).bodyText], records: 4,
      planted: [
        "\"blood_glucose_mg_per_dL\":104": "\"blood_glucose_mg_per_dL\":104.5", "\"user_id\"": "\"id\"",
        "\"type\":\"body\"": "\"type\":\"sleep\"", "\"version\"": "\"release\"",
      ], by: .packages)
  }
}
