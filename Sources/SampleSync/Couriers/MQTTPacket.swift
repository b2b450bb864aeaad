// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// The packets that a client sends which only publishes (read: MQTT 5.0 and 3.1.1, chapter 3).
enum MQTTPacket {
  enum Version: UInt8, Hashable {
    case v311 = 4
    case v5 = 5
  }

  /// Maximum length that MQTT can express, with its first bytes.
  static let maximumLength = 268_435_455 + 5
  static let maximumText = 65_535
  static let ping: [UInt8] = [0xC0, 0]
  /// Ends the connection without the will.
  static let disconnect: [UInt8] = [0xE0, 0]

  /// CONNECT, with a new session and the will, which the broker publishes if the connection ends without `disconnect`.
  static func connect(_ broker: MQTTBroker, _ version: Version, keepAliveSeconds: UInt16) -> [UInt8] {
    var flags: UInt8 = 0x02
    if let will = broker.will { flags |= 0x04 | 0x08 | (will.isRetained ? 0x20 : 0) }
    if broker.user != nil { flags |= 0x80 | (broker.password == nil ? 0 : 0x40) }
    var body = text("MQTT".utf8) + [version.rawValue, flags] + short(keepAliveSeconds)
    // The maximum length of the broker's packets.
    if version == .v5 { body += [5, 0x27] + short(0) + short(UInt16(MQTTAnswerReader.maximum)) }
    body += text(broker.clientID.utf8)
    if let will = broker.will {
      if version == .v5 { body.append(0) }
      body += text(will.topic.utf8) + text(will.payload)
    }
    if let user = broker.user {
      body += text(user.utf8)
      if let password = broker.password { body += text(password.revealed().utf8) }
    }
    return [0x10] + length(body.count) + body
  }

  /// PUBLISH with QoS 1.
  static func publish(_ message: MQTTMessage, id: UInt16, _ version: Version) -> [UInt8] {
    let head = text(message.topic.utf8) + short(id) + (version == .v5 ? [0] : [])
    return [0x32 | (message.isRetained ? 1 : 0)] + length(head.count + message.payload.count) + head + message.payload
  }

  private static func short(_ number: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
  }

  /// A text or binary data with its length. The caller has checked that it has one of two bytes.
  private static func text(_ bytes: some Collection<UInt8>) -> [UInt8] {
    short(UInt16(truncatingIfNeeded: bytes.count)) + bytes
  }

  private static func length(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = count
    repeat {
      bytes.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
      rest >>= 7
    } while rest > 0
    return bytes
  }
}
