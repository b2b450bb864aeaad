// SPDX-License-Identifier: Apache-2.0

/// A message to a broker, at least once (QoS 1).
public struct MQTTMessage: Hashable, Sendable {
  public let topic: String
  public let payload: [UInt8]
  /// The broker keeps the last one of a topic for those who subscribe later.
  public let isRetained: Bool

  public init(topic: String, payload: [UInt8], isRetained: Bool) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }

  /// What `--dry-run` prints.
  public var text: String {
    "\(topic)\(isRetained ? " (retained)" : "")\n\(String(decoding: payload, as: UTF8.self))\n"
  }
}
