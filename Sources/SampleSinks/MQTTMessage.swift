// SPDX-License-Identifier: Apache-2.0

/// A message to a broker, delivered at least once (QoS 1).
package struct MQTTMessage: Hashable, Sendable {
  package let topic: String
  package let payload: [UInt8]
  /// True if the broker keeps it for later subscribers, in place of the topic's previous one.
  package let isRetained: Bool

  package init(topic: String, payload: [UInt8], isRetained: Bool) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }

  /// Message as printed by `--dry-run`.
  package var text: String {
    "\(topic)\(isRetained ? " (retained)" : "")\n\(String(decoding: payload, as: UTF8.self))\n"
  }
}
