// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import SensorHistory
import TestSupport
import Testing
import TextFormats

@testable import SampleSync

/// One invented sensor with its samples, a clock in Rome, and the sinks as a user would configure them.
enum SinkFixtures {
  static let uid = SensorUID(bits: 0xE007_A000_0012_3456)
  static let serial = "0M00028U5DW"
  static let key = "3f1d7c0e-8a55-5a0e-9c58-0f2a3f6f6a11"
  /// An invented secret that is not part of any other text in the program.
  static let secretText = "planted-Secret-93d1f0"

  static let identity = SensorIdentity(uid: uid, fingerprint: nil, serial: serial, family: .libre1)
  static let withoutUID = SensorIdentity(uid: nil, fingerprint: nil, serial: serial, family: .libre1)

  static func instant(_ text: String) -> Instant {
    guard let instant = Instant(rfc3339: text) else { preconditionFailure("\(text) is no time") }
    return instant
  }

  static let noon = instant("2024-05-02T10:15:00Z")

  static func sample(
    _ ring: SampleRing = .history, minute: Int = 14_415, time: Instant? = noon, glucose: Double? = 104,
    quality: SampleQuality = .ok, of sensor: SensorIdentity = identity
  ) -> StoredSample {
    let raw = RawSample(
      ring: ring, minute: SensorMinute(minute), glucose: 884, temperature: 6_552, temperatureAdjustment: -8,
      hasError: quality == .error, errorField: 800, isNeverWritten: false)
    let sample = GlucoseSample(
      raw: raw, temperatureCelsius: 32.034,
      concentration: glucose.map { GlucoseConcentration(milligramsPerDecilitre: $0) }, quality: quality, time: time)
    return StoredSample(
      sensor: sensor, wear: 1, sample: sample,
      calibration: CalibrationDescription(model: "factory", version: 1, parameters: [.init("i1", 0)]),
      isSalvaged: false)
  }

  /// Returns a sample with a minute and a time this many minutes after the sample of noon.
  static func later(_ minutes: Int, _ ring: SampleRing = .history, glucose: Double = 104) -> StoredSample {
    sample(ring, minute: 14_415 + minutes, time: noon.adding(minutes: minutes), glucose: glucose)
  }

  static let current = CurrentGlucose(
    minute: SensorMinute(14_418), concentration: GlucoseConcentration(milligramsPerDecilitre: 107.25),
    ratePerMinute: 1.24)

  static func batch(
    _ samples: [StoredSample] = [sample()], parts: Set<SampleBatch.Part> = [.history],
    stage: SampleBatch.Stage = .daily, current: CurrentGlucose? = nil, holdsNewest: Bool? = nil,
    identity: SensorIdentity = identity, lastReadAt: Instant? = instant("2024-05-02T10:16:03Z"),
    state: SensorState? = .active, rates: [SampleID: Double] = [:], isLastOfStage: Bool = true
  ) -> SampleBatch {
    SampleBatch(
      key: key, stage: stage, parts: parts,
      sensor: WearFacts(
        identity, activatedAt: instant("2024-04-22T10:00:00Z"), maxLifeMinutes: 20_160, lastState: state,
        lastReadAt: lastReadAt),
      entries: samples.map(HistoryEntry.sensor), current: current, rates: rates, holdsNewest: holdsNewest,
      isLastOfStage: isLastOfStage)
  }

  /// Rome in 2024, whose summer time ended on 27 October at 01:00 UTC.
  static func context(
    _ unit: GlucoseUnit = .milligramsPerDecilitre, zoneName: String? = "Europe/Rome",
    offset: (@Sendable (Instant) -> Int)? = nil, person: String? = nil
  ) -> ExportContext {
    let summer = instant("2024-03-31T01:00:00Z")..<instant("2024-10-27T01:00:00Z")
    return ExportContext(
      unit: unit, program: "libre", version: "0.1.0", now: instant("2024-05-02T10:16:03Z"),
      clock: LocalClock(zoneName: zoneName, offsetSeconds: offset ?? { summer.contains($0) ? 7_200 : 3_600 }),
      person: person)
  }

  static func sink(_ type: SinkType, _ values: [String: String], secret: String? = secretText, allowsHTTP: Bool = false)
    throws -> any SampleSink
  {
    var all: [String: String] = [:]
    for parameter in type.parameters { all[parameter.key] = parameter.defaultValue }
    return try type.make(
      SinkOptions(
        name: "test", values: all.merging(values) { $1 }, secret: secret.map { Secret($0) }, allowsHTTP: allowsHTTP))
  }

  static let nightscout = ["url": "https://site.example"]
  static let influx = ["url": "http://127.0.0.1:8086", "user": "me"]
  static let influx2 = ["url": "http://127.0.0.1:8086", "version": "2", "org": "my org", "bucket": "b&c"]
  static let webhook = ["url": "https://hook.example/in"]
  static let terra = ["url": "https://hook.example/in", "shape": "terra", "user": "white_bear"]
  static let mqtt = ["url": "mqtts://broker.example", "user": "me"]
  static let vital = ["client_user_id": "white_bear"]
  static let tidepool = ["user": "ann@example.org"]
  static let fhir = ["url": "https://fhir.example/r4/", "patient": "Patient/123"]

  static func alert(_ kind: String, document: String) -> SentAlert {
    SentAlert(
      kind: kind, title: "Low: 62 mg/dL ↘", text: "62 mg/dL, falling, 1 min ago", urgency: .critical,
      document: Array(document.utf8))
  }

  /// Each sink that takes samples.
  static func all(secret: String = secretText) throws -> [(type: SinkType, sink: any SampleSink)] {
    try [
      (NightscoutSink.type, nightscout), (NightscoutSink.type, nightscout.merging(["auth": "token"]) { $1 }),
      (NightscoutV3Sink.type, nightscout), (InfluxSink.type, influx), (InfluxSink.type, influx2),
      (WebhookSink.type, webhook), (WebhookSink.type, terra), (MQTTSink.type, mqtt),
      (MQTTSink.type, mqtt.merging(["discovery": "device", "unit": "mmol/L"]) { $1 }), (VitalSink.type, vital),
      (TidepoolSink.type, tidepool), (FHIRSink.type, fhir), (FHIRSink.type, fhir.merging(["unit": "mmol/L"]) { $1 }),
      (FileSink.type, ["path": "/x/out.ndjson"]), (WebhookSink.type, webhook.merging(["user": "hook"]) { $1 }),
    ].map { type, values in (type, try sink(type, values, secret: type.secret == .none ? nil : secret)) }
  }
}

extension SampleSink {
  func delivered(
    _ batch: SampleBatch = SinkFixtures.batch(), memory: SinkState = SinkState(),
    context: ExportContext = SinkFixtures.context()
  ) -> Delivery {
    delivery(of: batch, memory, context)
  }

  /// The request for a batch; fails the test for a sink that does not speak HTTP.
  func request(
    _ batch: SampleBatch = SinkFixtures.batch(), memory: SinkState = SinkState(),
    context: ExportContext = SinkFixtures.context()
  ) throws -> HTTPRequest {
    try delivered(batch, memory: memory, context: context).request()
  }

  func messages(
    _ batch: SampleBatch = SinkFixtures.batch(), context: ExportContext = SinkFixtures.context()
  ) throws -> [MQTTMessage] {
    try delivered(batch, context: context).messages()
  }

  func verdict(_ status: Int, _ body: String = "", headers: [(name: String, value: String)] = []) -> Verdict {
    verdict(
      on: HTTPResponse(status: status, headers: headers, body: Array(body.utf8)), SinkState(), now: SinkFixtures.noon)
  }

  func withdrawalVerdict(_ status: Int, _ body: String = "", _ memory: SinkState = SinkState()) -> Verdict {
    withdrawalVerdict(on: HTTPResponse(status: status, body: Array(body.utf8)), memory, now: SinkFixtures.noon)
  }

  func probeVerdict(_ status: Int, _ body: String = "") -> Verdict {
    probeVerdict(on: HTTPResponse(status: status, body: Array(body.utf8)), SinkState(), now: SinkFixtures.noon)
  }
}

extension HistoryWriter {
  /// The document of entries, by default of the sample of noon.
  func written(
    _ entries: [HistoryEntry] = [.sensor(SinkFixtures.sample())], context: ExportContext = SinkFixtures.context()
  ) throws -> JSONValue {
    var document = document(context)
    return try JSONValue(parsing: document.begin() + entries.flatMap { document.add($0) } + document.end())
  }
}

extension Delivery {
  private struct Other: Error {}

  func request() throws -> HTTPRequest {
    guard case .http(let request) = self else { throw Other() }
    return request
  }

  func messages() throws -> [MQTTMessage] {
    guard case .mqtt(let messages) = self else { throw Other() }
    return messages
  }
}

extension HTTPRequest {
  var bodyText: String { String(decoding: body, as: UTF8.self) }

  subscript(header name: String) -> String? {
    headers.first { $0.name == name }.map { header in
      switch header.value {
      case .plain(let value): value
      case .secret(let prefix, let secret): prefix + secret.revealed()
      }
    }
  }
}

extension MQTTMessage {
  var payloadText: String { String(decoding: payload, as: UTF8.self) }
}

extension Preparation {
  func learnt(
    _ status: Int, _ body: String, headers: [(name: String, value: String)] = [], _ memory: SinkState = SinkState()
  ) -> Result<SinkState, Verdict> {
    learnt(HTTPResponse(status: status, headers: headers, body: Array(body.utf8)), memory)
  }

  func learnt(_ response: HTTPResponse, _ memory: SinkState = SinkState()) -> Result<SinkState, Verdict> {
    var memory = memory
    do throws(Verdict) { try learn(response, &memory) } catch { return .failure(error) }
    return .success(memory)
  }
}

extension Result<SinkState, Verdict> {
  /// The kind of the verdict of an answer that was not believed.
  var kind: String? { if case .failure(let verdict) = self { verdict.kind } else { nil } }
}

extension SinkOptionError {
  /// Tells whether the error names this option and value as invalid.
  static func isBad(_ key: String, _ value: String) -> (any Error) -> Bool {
    { if case .bad(key, value, _)? = $0 as? SinkOptionError { true } else { false } }
  }
}

extension Verdict {
  /// The name of the case.
  var kind: String { String("\(self)".prefix { $0 != "(" }) }

  var reason: String? { words.isEmpty ? nil : words }
}
