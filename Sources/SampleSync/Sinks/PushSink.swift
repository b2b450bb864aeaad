// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import SensorHistory
import TextFormats

/// A server that shows messages on a phone: it gets alerts, and no samples.
struct PushSink: SampleSink {
  static let ntfy = type(
    "ntfy", "a topic of an ntfy server, for alerts on a phone",
    url: "the topic's address; on a public server whoever knows it can read your alerts", secret: .optional,
    fields: [.always("topic", "the last part of the address")]
  ) { address, secret throws(SinkOptionError) in
    guard let topic = address.path.split(separator: "/").last else {
      throw .bad(key: "url", value: address.text, allowed: "an address with a topic, such as https://ntfy.sh/TOPIC")
    }
    // A message is posted as JSON to the root, because a title in a header must be ASCII.
    let root = String(address.text.dropLast(topic.count))
    return PushSink(
      destination: address.text, place: root, health: root + "v1/health", topic: String(topic), priorities: [2, 3, 5],
      header: "Authorization", prefix: "Bearer ", secrets: secret.map { [$0] } ?? [])
  }

  static let gotify = type(
    "gotify", "a Gotify server, for alerts on a phone", url: "the server's address", secret: .required, fields: []
  ) { address, secret throws(SinkOptionError) in
    guard let secret else { throw .secretMissing }
    return PushSink(
      destination: address.text, place: address.text + "/message", health: address.text + "/health", topic: nil,
      priorities: [2, 5, 8], header: "X-Gotify-Key", prefix: "", secrets: [secret])
  }

  private static func type(
    _ name: String, _ summary: String, url: String, secret: SinkType.SecretUse, fields: [SinkField],
    make: @escaping @Sendable (SinkAddress, Secret?) throws(SinkOptionError) -> PushSink
  ) -> SinkType {
    SinkType(
      name: name, summary: summary, parameters: [.init("url", url, isReceiver: true)], secret: secret, parts: [],
      removal: .impossible("it gets no values, only alerts, which cannot be taken back"), takesSamples: false,
      fields: fields + [
        .always("title", "the alert's title"), .always("message", "its sentence"),
        .always("priority", "by its urgency"),
      ],
      make: { options throws(SinkOptionError) in
        try make(SinkAddress(options), options.secret.flatMap { $0.revealed().isEmpty ? nil : $0 })
      })
  }

  let destination: String
  private let place, health: String
  private let topic: String?
  /// The server's numbers for minor, normal and critical alerts: without a sound, as usual, and with most noise.
  private let priorities: [Int]
  private let header, prefix: String
  let secrets: [Secret]

  var maximumBatch: Int { 1 }
  func omission(of entry: HistoryEntry) -> String? { "a receiver of this type takes no values, only alerts" }

  /// Never requested: no entry is queued for it, and none passes `omission`.
  func delivery(of batch: SampleBatch, _ memory: SinkState, _ context: ExportContext) -> Delivery { .samples([]) }

  func delivery(of alert: SentAlert, _ context: ExportContext) -> Delivery? {
    .http(
      .json(.post, place, headers: secrets.map { HTTPRequest.Header(header, secret: $0, prefix: prefix) }) { json in
        json.object { json in
          json.memberIfKnown("topic", topic)
          json.member("title", alert.title)
          json.member("message", alert.text)
          json.member("priority", priorities[alert.urgency.rawValue])
        }
      })
  }

  /// Asks only for the server: neither kind says whether a token may publish, other than by publishing.
  func probe(_ memory: SinkState, _ context: ExportContext) -> HTTPRequest? {
    HTTPRequest(.get, health, headers: [.acceptsJSON])
  }
}
