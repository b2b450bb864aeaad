// SPDX-License-Identifier: Apache-2.0

/// A broker's reason to refuse a connection or a message, by number (read: MQTT 3.1.1, 3.2.2.3; MQTT 5.0, 2.4).
struct MQTTReason: Hashable {
  let code: UInt8

  /// True if a message was accepted: 16 says that its topic has no subscriber.
  var acceptsMessage: Bool { code == 0 || code == 16 }

  /// True if the broker does not support our version: 1 in MQTT 3.1.1, with which such a broker answers a newer client.
  var isOtherVersion: Bool { code == 1 || code == 132 }

  func connectionError(_ broker: String) -> DeliveryError {
    switch code {
    case 1, 132: .misdirected(reason: "\(broker) speaks neither MQTT 5 nor 3.1.1")
    case 2, 133: .misdirected(reason: "\(broker) rejects the client id; choose another one")
    case 4, 134: .refused(reason: "\(broker) rejects the user or the password")
    case 5, 135, 138, 140: .refused(reason: "\(broker) denies access to this user")
    case 142: .unavailable(reason: "\(broker) serves another client with the same client id")
    default: .unavailable(reason: "\(broker) accepts no connections now (reason \(code))")
    }
  }

  func messageError(_ topic: String, _ broker: String) -> DeliveryError {
    switch code {
    case 135: .refused(reason: "\(broker) does not allow this user to write to the topic \(topic)")
    case 144, 149, 153...155:
      .misdirected(reason: "\(broker) rejects the messages for the topic \(topic) (reason \(code))")
    default: .unavailable(reason: "\(broker) accepts no messages for the topic \(topic) now (reason \(code))")
    }
  }
}
