// SPDX-License-Identifier: Apache-2.0
package import TextFormats

/// Address and credentials of a broker.
package struct MQTTBroker: Sendable {
  package enum Encryption: Hashable, Sendable {
    case none, tls
    /// TLS with the certificates of a PEM file instead.
    case tlsTrusting(file: String)
  }

  package let host: String
  package let port: Int
  package let encryption: Encryption
  package var allowsPlain = false
  package var user: String?
  package var password: Secret?
  /// Client id, unique among the broker's clients: it closes the older connection with the same id.
  package var clientID: String
  /// Message that the broker publishes when the connection ends without `close()`.
  package var will: MQTTMessage?
  package var words: String { "\(encryption == .none ? "mqtt" : "mqtts")://\(place)" }
  var place: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  func check() throws(Verdict) {
    for text in [host, user, password?.revealed(), clientID].compactMap(\.self) {
      guard !text.utf8.contains(0), text.utf8.count <= MQTTPacket.maximumText else {
        throw .misdirected(
          reason: "host, user, password or client id of the broker \(words) contains a NUL or is too long")
      }
    }
    if let will {
      try Self.check(topic: will.topic, words)
      guard will.payload.count <= MQTTPacket.maximumText else {
        throw .misdirected(reason: "the will for \(words) is too long")
      }
    }
    guard !host.isEmpty, (1...65535).contains(port) else {
      throw .misdirected(reason: "invalid broker address \(words)")
    }
    if encryption == .none, !SinkAddress.isLoopback(host.lowercased()), !allowsPlain {
      throw .misdirected(
        reason: "\(words) would send glucose and the password unencrypted; use TLS, or allow plain MQTT")
    }
  }

  /// Throws `misdirected` for a topic to which MQTT does not allow to publish (MQTT 5.0, 4.7).
  static func check(topic: String, _ words: String) throws(Verdict) {
    guard (1...MQTTPacket.maximumText).contains(topic.utf8.count),
      !topic.utf8.contains(where: { "#+\0".utf8.contains($0) })
    else {
      throw .misdirected(
        reason: "invalid topic \(topic.prefix(80)) for \(words): 1 to 65535 bytes without #, + and NUL")
    }
  }
}
