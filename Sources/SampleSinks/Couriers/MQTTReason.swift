// SPDX-License-Identifier: Apache-2.0

/// Why a broker refuses a connection or a message, by number (read: MQTT 3.1.1, 3.2.2.3; MQTT 5.0, 2.4).
struct MQTTReason: Hashable {
  let code: Int32

  /// From 128 on, a refusal of MQTT 5; a smaller one, but for 0 and 16 (nobody listens), is one of MQTT 3.1.1.
  var isRefusal: Bool { code >= 128 }

  /// It does not speak our version: 1 in MQTT 3.1.1, which a broker of that version also answers to a newer client.
  var isOtherVersion: Bool { code == 1 || code == 132 }

  func connectionError(_ broker: String) -> DeliveryError {
    switch code {
    case 1, 132: .misdirected(reason: "\(broker) speaks neither MQTT 5 nor 3.1.1")
    case 2, 133: .misdirected(reason: "\(broker) does not take the client id; set another")
    case 4, 134: .refused(reason: "\(broker) does not know the user, or the password is wrong")
    case 5, 135, 138, 140: .refused(reason: "\(broker) does not let this user in")
    default: .unavailable(reason: "\(broker) takes no connections now (reason \(code))")
    }
  }

  func messageError(_ topic: String, _ broker: String) -> DeliveryError {
    switch code {
    case 135: .refused(reason: "\(broker) does not let this user write to the topic \(topic)")
    case 144, 149, 153...155:
      .misdirected(reason: "\(broker) does not take what the topic \(topic) gets (reason \(code))")
    default: .unavailable(reason: "\(broker) takes nothing for the topic \(topic) now (reason \(code))")
    }
  }
}
