// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TextFormats

/// InfluxDB 1 or 2, or another server with its protocol, such as VictoriaMetrics. Measurement, tags and time are the
/// key: a point that is written twice is stored once. If a batch is refused with 400, its valid lines may have been
/// written. VictoriaMetrics answers 204 and drops points older than its retention, a month by default (verified with
/// 1.79).
struct InfluxSink: SampleSink {
  private enum Version: String, CaseIterable {
    case one = "1"
    case two = "2"
  }

  static let type = SinkType(
    name: "influx", summary: "InfluxDB 1 or 2, VictoriaMetrics: points in the line protocol",
    parameters: [
      .init("url", "the server's address, such as http://localhost:8086", isReceiver: true),
      .init("version", "version of the interface", default: "1", choices: Version.allCases.map(\.rawValue)),
      .init("database", "the database (version 1)", default: "libre", isReceiver: true),
      .init("user", "the user name for the secret (version 1)", default: ""),
      .init("org", "the organisation (version 2)", default: "", isReceiver: true),
      .init("bucket", "the bucket (version 2)", default: "libre", isReceiver: true),
    ],
    secret: .optional, parts: [.trend, .sensor, .raw, .fingerSticks, .imported],
    removal: .impossible("its line protocol can only write; delete the point by its time with InfluxDB's own tools"),
    fields: fields, make: { options throws(SinkOptionError) in try InfluxSink(options) })

  private static let fields = [
    SinkField("serial", "glucose tag sensor"),
    SinkField("device", "glucose tag sensor", with: .imported),
    SinkField("ring", "glucose tag source"),
    SinkField("source", "glucose tag source", with: .imported),
    SinkField("bound", "glucose tag bound", with: .imported),
    SinkField("glucose_mg_dl", "glucose field mgdl"),
    SinkField("minute", "glucose field minute"),
    SinkField("id", "glucose field sample_id"),
    SinkField("reference_id", "glucose field reference_id"),
    SinkField("raw.glucose", "glucose field raw", with: .raw),
    SinkField("raw.temperature", "glucose field raw_temperature", with: .raw),
    SinkField("raw.temperature_adjustment", "glucose field raw_temperature_adjustment", with: .raw),
    SinkField("temperature_c", "glucose field temperature_c", with: .raw),
    SinkField("quality", "glucose field quality", with: .raw),
    SinkField("time", "glucose time", "seconds since 1970"),
    SinkField("serial", "glucose_sensor tag sensor", with: .sensor),
    SinkField("wear", "glucose_sensor field wear", with: .sensor),
    SinkField("reference_id", "glucose_sensor field reference_id", with: .sensor),
    SinkField("state", "glucose_sensor field state", with: .sensor),
    SinkField("activated_at", "glucose_sensor field activated_at", "seconds since 1970", with: .sensor),
    SinkField("expires_at", "glucose_sensor field expires_at", "seconds since 1970", with: .sensor),
    SinkField("last_read_at", "glucose_sensor time", "seconds since 1970", with: .sensor),
  ]

  private let address: SinkAddress
  /// Path with its query, after the address.
  private let path: String
  private let authorization: [HTTPRequest.Header]
  let secrets: [Secret]

  init(_ options: SinkOptions) throws(SinkOptionError) {
    address = try SinkAddress(options)
    switch try options.choice("version", Version.self) {
    case .one:
      path = "/write?db=\(PercentEncoding.encoded(try options.required("database")))&precision=s"
      let basic = try options.secrets.map { secret throws(SinkOptionError) in
        Secret.basic(user: try options.required("user"), password: secret)
      }
      authorization = basic.map { HTTPRequest.Header("Authorization", secret: $0, prefix: "Basic ") }
      secrets = options.secrets + basic
    case .two:
      let org = PercentEncoding.encoded(try options.required("org"))
      path = "/api/v2/write?org=\(org)&bucket=\(PercentEncoding.encoded(try options.required("bucket")))&precision=s"
      secrets = options.secrets
      authorization = secrets.map { HTTPRequest.Header("Authorization", secret: $0, prefix: "Token ") }
    }
  }

  var destination: String { address.text }
  var maximumBatch: Int { 5_000 }

  func delivery(of batch: SampleBatch, _ memory: SinkState, _ context: ExportContext) -> Delivery {
    var lines = batch.sent.flatMap { sample in
      InfluxPoint.line(of: sample.value, id: sample.id, context, withRaw: batch.parts.contains(.raw))
    }
    if batch.parts.contains(.sensor), let sensor = batch.sensor { lines += InfluxPoint.line(of: sensor, context) }
    return .http(write(lines))
  }

  func verdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    let table = table(memory)
    let verdict = table.verdict(on: response, now: now)
    // Both versions answer a write with an empty 204: another success comes from another server.
    guard case .accepted = verdict, response.status != 204 else { return verdict }
    return .unavailable(reason: "unexpected answer, not from InfluxDB: \(table.reason(response))")
  }

  /// Writes nothing: this requires write permission and the database.
  func probe(_ memory: SinkState, _ context: ExportContext) -> HTTPRequest? { write([]) }

  /// Accepts a server's complaint about an empty body, which proves access.
  func probeVerdict(on response: HTTPResponse, _ memory: SinkState, now: Instant) -> Verdict {
    let verdict = table(memory).verdict(on: response, now: now)
    if case .rejected = verdict { return .accepted(duplicates: nil) }
    return verdict
  }

  private func write(_ lines: [UInt8]) -> HTTPRequest {
    let content = HTTPRequest.Header("Content-Type", "text/plain; charset=utf-8")
    return HTTPRequest(.post, address.text + path, headers: [content] + authorization, body: lines)
  }
}
