// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TextFormats

/// Your own server: a signed JSON document for each batch, with an `Idempotency-Key`. Any 2xx is success. The samples
/// of a key never change. The other members (`current`, the sensor's state, the signature's time) have the state of
/// sending, and may differ when a batch is sent again.
struct WebhookSink: SampleSink {
  private enum Shape: String, CaseIterable {
    case libre, terra
  }

  static let type = SinkType(
    name: "webhook", summary: "your own server: JSON with a signature",
    parameters: [
      .init("url", "the address to post to", isReceiver: true),
      .init(
        "shape", "our own document, or Terra's body event", default: "libre", choices: Shape.allCases.map(\.rawValue)),
      .init(
        "user", "your name for the person, sent in both shapes; required for Terra's", default: "",
        isReceiver: true, isPerson: true),
    ],
    secret: .optional, parts: [.trend, .sensor, .raw, .statistics, .fingerSticks, .imported],
    removal: .impossible("its document contains measured values, but no removals; delete it there by its id"),
    fields: fields, make: { options throws(SinkOptionError) in try WebhookSink(options) })

  private static let fields =
    [
      SinkField("batch", "header Idempotency-Key"),
      .always("schema", "libre.batch/1"),
      SinkField("batch", "key"),
      SinkField("stage", "stage"),
      .always("tool", "libre and its version"),
      .always("user", "the sink's user, else reference_id"),
    ] + SinkField.own(["serial", "family", "product", "wear"], in: "sensor.")
    + SinkField.own(["uid", "state", "activated_at", "expires_at", "last_read_at"], in: "sensor.", with: .sensor)
    + SentSampleJSON.fields(at: "samples[].")
    + SinkField.own(["minute", "glucose_mg_dl", "rate_mg_dl_per_min", "direction"], in: "current.", with: .trend) + [
      SinkField("statistics", "statistics.*", "as in libre.stats/1", with: .statistics)
    ] + terraFields

  private static let terraFields =
    [
      SinkField.always("type", "body (Terra's shape)"),
      .always("version", "of Terra's interface"),
      .always("user.user_id", "the sink's user, else reference_id (Terra's shape)"),
      .always("user.provider", "libre"),
      SinkField("reference_id", "user.reference_id", "the sink's user without one"),
      SinkField("time", "data[].metadata.start_time", "local midnight before"),
      SinkField("time", "data[].metadata.end_time", "local midnight after"),
      SinkField("family", "data[].device_data.manufacturer", "Abbott"),
      SinkField("family", "data[].device_data.name", "name of the product"),
      SinkField("device", "data[].device_data.name", "the device, else the source", with: .imported),
      SinkField("source", "data[].device_data.name", with: .fingerSticks),
      SinkField("serial", "data[].device_data.serial_number"),
      SinkField("activated_at", "data[].device_data.activation_timestamp", "local time with microseconds and offset"),
    ]
    + ["blood_glucose_samples", "detailed_blood_glucose_samples"].flatMap { list in
      let parts: [SampleBatch.Part] = list.hasPrefix("detailed") ? [.trend] : []
      return [
        SinkField("time", "data[].glucose_data.\(list)[].timestamp", "local time with microseconds and offset", parts),
        SinkField("glucose_mg_dl", "data[].glucose_data.\(list)[].blood_glucose_mg_per_dL", "whole mg/dL", parts),
      ]
    }

  /// Version of Terra's interface (remembered).
  private static let terraVersion = "2022-03-16"

  private let address: SinkAddress
  private let shape: Shape
  /// Name of the person; never nil in Terra's shape.
  private let user: String?
  let secrets: [Secret]

  init(_ options: SinkOptions) throws(SinkOptionError) {
    address = try SinkAddress(options)
    shape = try options.choice("shape", Shape.self)
    user = try shape == .terra ? options.required("user") : options.optional("user")
    secrets = options.secrets
  }

  var destination: String { address.text }
  var maximumBatch: Int { 1_000 }

  /// Terra's shape cannot mark a value as a limit.
  func omission(of entry: HistoryEntry) -> String? {
    SentSample.omission(of: entry, isMeasured: shape == .terra)
  }

  func delivery(of batch: SampleBatch, _ memory: SinkState, _ context: ExportContext) -> Delivery {
    let body = JSONWriter.line { json in
      switch shape {
      case .libre: writeDocument(batch, context, to: &json)
      case .terra: writeEvent(batch, context, to: &json)
      }
    }
    return post(body, key: batch.key, context)
  }

  /// Terra has no events for alerts.
  func delivery(of alert: SentAlert, _ context: ExportContext) -> Delivery? {
    shape == .libre ? post(alert.document, key: alert.key, context) : nil
  }

  private func post(_ body: [UInt8], key: String, _ context: ExportContext) -> Delivery {
    var headers: [HTTPRequest.Header] = [.jsonContent, HTTPRequest.Header("Idempotency-Key", key)]
    if let secret = secrets.first {
      let name = shape == .terra ? "terra-signature" : WebhookSignature.headerName
      let signature = WebhookSignature.header(for: body, secret: secret, at: context.now)
      headers.append(HTTPRequest.Header(name, signature))
    }
    return .http(HTTPRequest(.post, address.text, headers: headers, body: body))
  }

  func verdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    StatusVerdict(hiding: secrets, acceptsPages: true).verdict(on: response, now: now)
  }

  private func writeDocument(_ batch: SampleBatch, _ context: ExportContext, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", "libre.batch/1")
      json.member("key", batch.key)
      json.member("stage", batch.stage.rawValue)
      json.member("tool", "\(context.program) \(context.version)")
      json.memberIfKnown("user", user)
      json.member("sensor") { json in
        guard let sensor = batch.sensor else { return json.null() }
        json.object { json in
          json.member("serial", sensor.identity.serial)
          json.member("family", sensor.identity.family.rawValue)
          json.member("product", sensor.identity.product?.name)
          json.member("wear", sensor.wear)
          if batch.parts.contains(.sensor) {
            json.member("uid", sensor.identity.uid?.description)
            json.member("state", sensor.lastState?.name)
            json.member("activated_at", sensor.activatedAt?.rfc3339)
            json.member("expires_at", sensor.expiresAt?.rfc3339)
            json.member("last_read_at", sensor.lastReadAt?.rfc3339)
          }
        }
      }
      json.member("samples") { json in
        json.array(batch.sent) { SentSampleJSON.write($1, withRaw: batch.parts.contains(.raw), to: &$0) }
      }
      // It is derived from the trend.
      if batch.parts.contains(.trend) { json.member("current") { Self.write(batch.current, to: &$0) } }
      if batch.parts.contains(.statistics) {
        json.member("statistics") { SentSampleJSON.writeStatistics(of: batch.sent, context, to: &$0) }
      }
    }
  }

  private static func write(_ current: CurrentGlucose?, to writer: inout JSONWriter) {
    guard let current else { return writer.null() }
    writer.object { json in
      json.member("minute", current.minute.value)
      SampleJSON.write(current.concentration, unit: .milligramsPerDecilitre, to: &json)
      json.member("rate_mg_dl_per_min", current.ratePerMinute, places: 4)
      json.member("direction", current.direction.rawValue)
    }
  }

  /// Writes Terra's `body` event (read: its Python client): a Body for each local day and device.
  private func writeEvent(_ batch: SampleBatch, _ context: ExportContext, to writer: inout JSONWriter) {
    var bodies: [TerraBody] = []
    for sample in batch.sent where sample.value.bound == nil { TerraBody.add(sample.value, to: &bodies, context) }
    writer.object { json in
      json.member("type", "body")
      json.member("version", Self.terraVersion)
      json.object("user") { json in
        json.member("user_id", user)
        json.member("provider", context.program)
        json.member(SampleJSON.referenceID, context.person ?? user)
      }
      json.member("data") { json in json.array(bodies) { $1.write(context, to: &$0) } }
    }
  }
}
