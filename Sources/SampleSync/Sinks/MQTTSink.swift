// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TextFormats

/// A broker: each sample as a message, the newest value as a retained state, and Home Assistant's discovery
/// documents.
///
/// | topic | retained | payload |
/// |---|---|---|
/// | `libre/status` | yes | `online`; the broker sets `offline` if the connection breaks |
/// | `libre/SERIAL/sample`, `libre/finger_stick/sample`, `libre/imported/sample` | no | one sample, as in the webhook's `samples` |
/// | `libre/alert/KIND` | no | an alert (`libre.alert/1`), a trigger of the device in Home Assistant |
/// | `libre/state` | yes | `mgdl` `mmol` `time` `minute` `serial`, and members of the requested parts |
///
/// A topic belongs to one person: after a change of sensor the state continues with the new `serial`. It is sent
/// last, with the batch that contains the newest sample of all sensors; a backfill does not change it. If its value
/// is removed here, the newest one that is left replaces it; without one all members are null, which Home Assistant
/// shows as unknown. Messages arrive at least once.
struct MQTTSink: SampleSink {
  static let type = SinkType(
    name: "mqtt", summary: "an MQTT broker, with discovery by Home Assistant",
    parameters: [
      .init("url", "the broker's address, such as mqtts://example.org or mqtt://localhost:1883", isReceiver: true),
      .init("user", "the user name for the secret", default: ""),
      .init("ca_file", "certificates to trust instead of the system's", default: "", isPath: true),
      .init("client_id", "client id at the broker; generated if empty", default: ""),
      .init("topic", "prefix of the topics; use a different one for each person", default: "libre", isReceiver: true),
      .init(
        "discovery", "form of Home Assistant's discovery", default: "entity",
        choices: HomeAssistantDiscovery.Form.allCases.map(\.rawValue)),
      .init("discovery_prefix", "prefix of Home Assistant's discovery topics", default: "homeassistant"),
      .init(
        "expire_after", "seconds after which Home Assistant hides a value; 0 for never",
        default: String(ValueAge.staleMinutes * 60)),
      .init(
        "unit", "the unit shown by Home Assistant", default: GlucoseUnit.milligramsPerDecilitre.rawValue,
        choices: GlucoseUnit.allCases.map(\.rawValue), isUnit: true),
    ],
    secret: .optional, parts: [.trend, .sensor, .raw, .fingerSticks, .imported],
    removal: .replacingState,
    fields: fields, make: { options throws(SinkOptionError) in try MQTTSink(options) })

  /// SOURCE is the serial number, `imported` or `finger_stick`.
  private static let fields =
    SentSampleJSON.fields(at: "TOPIC/SOURCE/sample ") + SinkField.own(["reference_id"], in: "TOPIC/SOURCE/sample ") + [
      SinkField("glucose_mg_dl", "TOPIC/state mgdl"),
      SinkField("glucose_mg_dl", "TOPIC/state mmol", "mmol/L"),
      SinkField("time", "TOPIC/state time"),
      SinkField("minute", "TOPIC/state minute"),
      SinkField("serial", "TOPIC/state serial"),
      SinkField("id", "TOPIC/state sample_id"),
      SinkField("reference_id", "TOPIC/state reference_id"),
      SinkField("direction", "TOPIC/state direction", with: .trend),
      SinkField("rate_mg_dl_per_min", "TOPIC/state delta", "mg/dL in five minutes", with: .trend),
      SinkField("state", "TOPIC/state state", with: .sensor),
      SinkField("activated_at", "TOPIC/state activated", with: .sensor),
      SinkField("expires_at", "TOPIC/state expires", with: .sensor),
      SinkField("reference_id", "discovery device.name", "FreeStyle Libre without one"),
      .always("discovery *", "the documents by which Home Assistant finds the entities"),
      .always("TOPIC/status", "online, or offline"),
    ]

  private let address: SinkAddress
  private let allowsPlain: Bool
  private let certificates: String?
  private let user: String?
  let secrets: [Secret]
  private let clientID: String?
  private let discovery: HomeAssistantDiscovery

  init(_ options: SinkOptions) throws(SinkOptionError) {
    address = try SinkAddress(options, schemes: [.mqtt, .mqtts])
    guard address.path.isEmpty else {
      throw .bad(key: "url", value: address.text, allowed: "an address without a path; topics begin with `topic`")
    }
    let topic = try Self.topic(options, "topic")
    discovery = HomeAssistantDiscovery(
      topic: topic, prefix: try Self.topic(options, "discovery_prefix"),
      form: try options.choice("discovery", HomeAssistantDiscovery.Form.self),
      expireAfter: try options.number("expire_after", in: 0...31_536_000),
      unit: try options.choice("unit", GlucoseUnit.self))
    allowsPlain = options.allowsHTTP
    certificates = options.optional("ca_file")
    if let certificates, !certificates.hasPrefix("/") {
      throw .bad(key: "ca_file", value: certificates, allowed: "a path that begins with /")
    }
    user = try options.secret == nil ? options.optional("user") : options.required("user")
    secrets = options.secrets
    clientID = options.optional("client_id")
  }

  /// `clientID` applies if the user has not set one: no two connections may have the same.
  func broker(clientID made: String) -> MQTTBroker {
    let trust = certificates.map { MQTTBroker.Encryption.tlsTrusting(file: $0) } ?? .tls
    return MQTTBroker(
      host: address.host, port: address.port, encryption: address.scheme == .mqtts ? trust : .none,
      allowsPlain: allowsPlain, user: user, password: secrets.first, clientID: clientID ?? made,
      will: status("offline"))
  }

  var destination: String { address.text }
  var route: DeliveryRoute { .mqtt(broker) }
  var maximumBatch: Int { 500 }

  func delivery(of batch: SampleBatch, _ memory: SinkState, _ context: ExportContext) -> Delivery {
    let sent = batch.sent
    var messages = [status("online")]
    if batch.sensor != nil { messages += discovery.messages(batch.parts, context) }
    messages += sent.map { sample in
      let payload = JSONWriter.line { json in
        SentSampleJSON.write(sample, withRaw: batch.parts.contains(.raw), person: context.person, to: &json)
      }
      return MQTTMessage(
        topic: "\(discovery.topic)/\(Self.place(of: sample))/sample", payload: payload, isRetained: false)
    }
    if batch.holdsNewest, let sensor = batch.sensor, let newest = sent.max(by: { $0.time < $1.time }) {
      messages.append(state { writeState(newest, sensor, batch, context, to: &$0) })
    }
    return .mqtt(messages)
  }

  /// The document by which Home Assistant knows the trigger comes with the first alert of its kind.
  func delivery(of alert: SentAlert, _ context: ExportContext) -> Delivery? {
    .mqtt(
      [status("online")] + discovery.trigger(alert.kind, context) + [
        MQTTMessage(topic: discovery.alertTopic(alert.kind), payload: alert.document, isRetained: false)
      ])
  }

  /// Empties the state: null is an unknown value, for Home Assistant too (read: `PAYLOAD_NONE` of its MQTT sensor). An
  /// empty message would not do: Home Assistant ignores it and keeps the last value.
  func withdrawal(of keys: [String], _ memory: SinkState, _ context: ExportContext) -> Delivery? {
    let empty = state { json in
      json.object { json in
        for member in Self.stateMembers { json.member(member, String?.none) }
      }
    }
    return .mqtt([status("online"), empty])
  }

  private func status(_ word: String) -> MQTTMessage {
    MQTTMessage(topic: discovery.availabilityTopic, payload: Array(word.utf8), isRetained: true)
  }

  private func state(_ write: (inout JSONWriter) -> Void) -> MQTTMessage {
    MQTTMessage(topic: discovery.stateTopic, payload: JSONWriter.line(write), isRetained: true)
  }

  /// Members of the state that entities of Home Assistant show, in any form of it.
  private static let stateMembers = [
    "mgdl", "mmol", "time", "minute", "serial", "direction", "delta", "state", "activated", "expires",
  ]

  /// An empty message deletes a topic's retained message, and Home Assistant's entity with it (read). One goes to every
  /// topic that may hold a message of ours, also of other forms of discovery and parts.
  func farewell() -> [MQTTMessage] {
    (discovery.topics + [discovery.stateTopic, discovery.availabilityTopic]).map {
      MQTTMessage(topic: $0, payload: [], isRetained: true)
    }
  }

  /// The level of a sample's topic that names its source.
  private static func place(of sample: SentSample) -> String {
    switch sample.entry {
    // A label must be one level, and have no wildcards.
    case .sensor(let stored): String(stored.sensor.label.unicodeScalars.map { Character($0.isPlain ? $0 : "_") })
    case .imported: "imported"
    case .fingerStick: SampleJSON.fingerStickRing
    case .bloodPressure: BloodPressureJSON.kind
    }
  }

  /// Writes the current value if the trend may be sent, otherwise the newest sample.
  private func writeState(
    _ newest: SentSample, _ sensor: WearFacts, _ batch: SampleBatch, _ context: ExportContext,
    to writer: inout JSONWriter
  ) {
    guard let newestMinute = newest.minute else { return writer.null() }
    let hasTrend = batch.parts.contains(.trend)
    let current = batch.current.flatMap { hasTrend && Self.isOneDay($0.minute, newestMinute) ? $0 : nil }
    let concentration = current?.concentration ?? newest.value.concentration
    let minute = current?.minute ?? newestMinute
    let id = batch.sent.last { $0.minute == minute && (current == nil || $0.ring == .trend) }?.id
    writer.object { json in
      json.member("mgdl", concentration.milligramsPerDecilitre, places: 4)
      json.member("mmol", concentration.millimolesPerLitre, places: 4)
      json.member("time", newest.time.adding(minutes: minute.value - newestMinute.value).rfc3339)
      json.member("minute", minute.value)
      json.member("serial", sensor.identity.serial)
      json.memberIfKnown("sample_id", id?.description)
      json.memberIfKnown(SampleJSON.referenceID, context.person)
      if hasTrend {
        json.member("direction", current?.ratePerMinute == nil ? nil : current?.direction.rawValue)
        // Change in five minutes, as continuous monitors show it.
        json.member("delta", current?.ratePerMinute.map { $0 * 5 }, places: 1)
      }
      if batch.parts.contains(.sensor) {
        json.member("state", sensor.lastState?.name)
        json.member("activated", sensor.activatedAt?.rfc3339)
        json.member("expires", sensor.expiresAt?.rfc3339)
      }
    }
  }

  private static func isOneDay(_ later: SensorMinute, _ earlier: SensorMinute) -> Bool {
    later >= earlier && later.value.subtractingReportingOverflow(earlier.value).partialValue <= 1_440
  }

  /// Checks a topic: letters, digits, dashes and underscores, with slashes between levels; no wildcards.
  private static func topic(_ options: SinkOptions, _ key: String) throws(SinkOptionError) -> String {
    let text = try options.required(key)
    let levels = text.split(separator: "/", omittingEmptySubsequences: false)
    guard text.utf8.count <= 200,
      levels.allSatisfy({ !$0.isEmpty && $0.unicodeScalars.allSatisfy { $0.isPlain || $0 == "_" } })
    else { throw .bad(key: key, value: text, allowed: "letters, digits, - and _, with / between levels") }
    return text
  }
}
