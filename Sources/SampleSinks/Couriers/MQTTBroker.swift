// SPDX-License-Identifier: Apache-2.0

/// Where a broker is, and how it knows us.
public struct MQTTBroker: Sendable {
  public enum Encryption: Hashable, Sendable {
    case none
    /// With the system's trusted certificates.
    case tls
    /// With those of a PEM file instead.
    case tlsTrusting(file: String)
  }

  public let host: String
  public let port: Int
  public let encryption: Encryption
  /// Without TLS to another machine is wanted.
  public let allowsPlain: Bool
  public let user: String?
  public let password: Secret?
  /// No two clients of a broker may have the same: it ends the older one's connection.
  public let clientID: String
  /// What the broker publishes when the connection ends without `close()`.
  public let will: MQTTMessage?

  public init(
    host: String, port: Int, encryption: Encryption, allowsPlain: Bool = false, user: String? = nil,
    password: Secret? = nil, clientID: String, will: MQTTMessage? = nil
  ) {
    self.host = host
    self.port = port
    self.encryption = encryption
    self.allowsPlain = allowsPlain
    self.user = user
    self.password = password
    self.clientID = clientID
    self.will = will
  }

  /// For people.
  package var words: String { "\(encryption == .none ? "mqtt" : "mqtts")://\(host):\(port)" }

  /// Throws `misdirected` for what no broker could be reached with.
  func check() throws(DeliveryError) {
    for text in [host, user, password?.revealed(), clientID, will?.topic] {
      // A C string would end there.
      if text?.utf8.contains(0) == true {
        throw .misdirected(reason: "host, user, password, client id or topic of the broker \(words) has a NUL in it")
      }
    }
    guard !host.isEmpty, (1...65535).contains(port) else {
      throw .misdirected(reason: "\(words) is no address of a broker")
    }
    if encryption == .none, !SinkAddress.isLoopback(host.lowercased()), !allowsPlain {
      throw .misdirected(
        reason: "\(words) would carry glucose and the password for everyone to read; use TLS, or allow plain MQTT")
    }
  }
}
