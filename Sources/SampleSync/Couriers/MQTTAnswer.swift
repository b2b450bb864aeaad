// SPDX-License-Identifier: Apache-2.0

/// A packet that a broker may send to a client that subscribes to nothing (read: MQTT 5.0 and 3.1.1, chapter 3).
enum MQTTAnswer: Hashable {
  /// CONNACK: the answer to the connection request.
  case connected(MQTTWelcome)
  /// PUBACK: a message has been taken over, or refused.
  case acknowledged(id: UInt16, MQTTReason)
  case pong
  /// DISCONNECT, of MQTT 5 only.
  case disconnected(MQTTReason)
}

/// A broker's answer to a connection request, with its limits; MQTT 3.1.1 has none.
struct MQTTWelcome: Hashable {
  var reason: MQTTReason
  /// Maximum number of unacknowledged messages.
  var receiveMaximum = 65_535
  /// Seconds without a packet after which the broker ends the connection, in place of ours; 0 for never.
  var keepAliveSeconds: Int?
  var acknowledges = true
  /// False if it does not keep messages for later subscribers.
  var retains = true
  var packetMaximum = MQTTPacket.maximumLength
}

/// A fault in the bytes of a broker. After it nothing on the connection can be understood.
enum MQTTFault: Error, Hashable {
  /// The first byte does not begin an answer to a connection request.
  case notMQTT
  /// A packet that is not an answer to one of ours, by its first byte.
  case unexpected(UInt8)
  /// A longer packet than was announced to the broker as the maximum; nil for a length that MQTT cannot express.
  case tooLong(Int?)
  /// A packet with a wrong length, flag, property or value, by its first byte.
  case invalid(UInt8)
  /// An acknowledgement of a message that is not in flight.
  case unknownAcknowledgement(UInt16)

  var words: String {
    switch self {
    case .notMQTT: "does not answer in MQTT"
    case .unexpected(let byte): "sent a packet that it must not send now: \(Self.name(byte))"
    case .tooLong(let count):
      "sent a packet of \(count.map { "\($0)" } ?? "more than 268435455") bytes; at most \(MQTTAnswerReader.maximum) are allowed"
    case .invalid(let byte): "sent an invalid packet: \(Self.name(byte))"
    case .unknownAcknowledgement(let id): "acknowledged a message that was not sent (id \(id))"
    }
  }

  private static let names = [
    "type 0", "CONNECT", "CONNACK", "PUBLISH", "PUBACK", "PUBREC", "PUBREL", "PUBCOMP", "SUBSCRIBE", "SUBACK",
    "UNSUBSCRIBE", "UNSUBACK", "PINGREQ", "PINGRESP", "DISCONNECT", "AUTH",
  ]

  private static func name(_ byte: UInt8) -> String { names[Int(byte >> 4)] }
}

/// Splits the bytes of a broker into packets. Keeps at most one packet of the maximum length.
struct MQTTAnswerReader {
  /// Maximum length of a packet, announced to a broker of MQTT 5; longer ones are refused by their first bytes.
  static let maximum = 16_384

  private let version: MQTTPacket.Version
  private var bytes: [UInt8] = []
  init(_ version: MQTTPacket.Version) { self.version = version }

  /// True if nothing is there, or the beginning of an answer to a connection request.
  var beginsWithConnection: Bool { bytes.first.map { $0 == 0x20 } ?? true }
  mutating func add(_ more: some Sequence<UInt8>) { bytes += more }

  /// nil until more bytes have been received.
  mutating func next() throws(MQTTFault) -> MQTTAnswer? {
    guard let first = bytes.first else { return nil }
    // The flags of all four are 0.
    guard [0x20, 0x40, 0xD0].contains(first) || first == 0xE0 && version == .v5 else { throw .unexpected(first) }
    var length = 0
    var size = 1
    while true {
      guard size < bytes.count else { return nil }
      length |= Int(bytes[size] & 0x7F) << (7 * (size - 1))
      size += 1
      if bytes[size - 1] < 0x80 { break }
      guard size < 5 else { throw .tooLong(nil) }
    }
    guard size + length <= Self.maximum else { throw .tooLong(size + length) }
    guard size + length <= bytes.count else { return nil }
    let answer = try Self.answer(first, bytes[size..<(size + length)], version)
    bytes.removeFirst(size + length)
    return answer
  }

  private static func answer(
    _ first: UInt8, _ body: ArraySlice<UInt8>, _ version: MQTTPacket.Version
  ) throws(MQTTFault) -> MQTTAnswer {
    var fields = MQTTFields(body)
    let answer: MQTTAnswer? =
      switch first {
      case 0x20: welcome(&fields, version).map(MQTTAnswer.connected)
      case 0x40: acknowledgement(&fields, version)
      case 0xD0: .pong
      // 0xE0.
      default: reason(&fields, .v5).map(MQTTAnswer.disconnected)
      }
    guard let answer, fields.isEmpty else { throw .invalid(first) }
    return answer
  }

  private static func welcome(_ fields: inout MQTTFields, _ version: MQTTPacket.Version) -> MQTTWelcome? {
    // No session can be present: every connection asks for a new one.
    guard fields.byte() == 0, let code = fields.byte() else { return nil }
    var welcome = MQTTWelcome(reason: MQTTReason(code: code))
    // A broker of MQTT 3.1.1 refuses MQTT 5 by a packet of its own version.
    guard version == .v5, !(fields.isEmpty && code != 0) else { return welcome }
    let properties = fields.properties { id, fields in
      switch id {
      // Expiry of the session, maximum of topic aliases.
      case 0x11: fields.number(4) != nil
      case 0x22: fields.number(2) != nil
      // Client id, authentication, response information, another server, reason as text: not used.
      case 0x12, 0x15, 0x16, 0x1A, 0x1C, 0x1F: fields.skipText()
      case 0x26: fields.skipText() && fields.skipText()
      case 0x13: fields.number(2).map { welcome.keepAliveSeconds = $0 } != nil
      case 0x21: fields.number(2).map { welcome.receiveMaximum = $0 } != nil && welcome.receiveMaximum > 0
      case 0x24: fields.flag().map { welcome.acknowledges = $0 } != nil
      case 0x25: fields.flag().map { welcome.retains = $0 } != nil
      case 0x27: fields.number(4).map { welcome.packetMaximum = $0 } != nil && welcome.packetMaximum > 0
      // Subscriptions by wildcard, with numbers, and shared: not used.
      case 0x28, 0x29, 0x2A: fields.flag() != nil
      default: false
      }
    }
    return properties ? welcome : nil
  }

  private static func acknowledgement(_ fields: inout MQTTFields, _ version: MQTTPacket.Version) -> MQTTAnswer? {
    guard let id = fields.number(2), let reason = reason(&fields, version) else { return nil }
    return .acknowledged(id: UInt16(truncatingIfNeeded: id), reason)
  }

  /// Reads a reason of MQTT 5 and its properties, each of which may be left out with all that follows it.
  private static func reason(_ fields: inout MQTTFields, _ version: MQTTPacket.Version) -> MQTTReason? {
    guard version == .v5, !fields.isEmpty, let code = fields.byte() else { return MQTTReason(code: 0) }
    let properties =
      fields.isEmpty
      || fields.properties { id, fields in
        switch id {
        case 0x1C, 0x1F: fields.skipText()
        case 0x26: fields.skipText() && fields.skipText()
        default: false
        }
      }
    return properties ? MQTTReason(code: code) : nil
  }
}

/// The fields of a packet. Every read is checked against its end.
private struct MQTTFields {
  private var rest: ArraySlice<UInt8>
  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }
  var isEmpty: Bool { rest.isEmpty }
  mutating func byte() -> UInt8? { rest.popFirst() }

  /// 2 or 4 bytes, the most significant first.
  mutating func number(_ count: Int) -> Int? { take(count)?.reduce(0) { $0 << 8 | Int($1) } }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard rest.count >= count else { return nil }
    defer { rest.removeFirst(count) }
    return rest.prefix(count)
  }

  /// nil for another byte than 0 and 1.
  mutating func flag() -> Bool? { byte().flatMap { $0 < 2 ? $0 == 1 : nil } }

  /// Skips a text or binary data with its length. Texts are not used, so that their encoding does not matter.
  mutating func skipText() -> Bool { number(2).flatMap { take($0) } != nil }

  /// Reads properties with `read`, which returns false for an unknown or cut one. Only 0x26 may occur twice.
  mutating func properties(_ read: (UInt8, inout MQTTFields) -> Bool) -> Bool {
    // Longer properties than 127 bytes have a length of two bytes or more; the packet's maximum has three.
    var count = 0
    for place in 0..<3 {
      guard let byte = byte() else { return false }
      count |= Int(byte & 0x7F) << (7 * place)
      if byte < 0x80 { break }
      if place == 2 { return false }
    }
    guard var inside = take(count).map(MQTTFields.init) else { return false }
    var seen: Set<UInt8> = []
    while let id = inside.byte() {
      guard seen.insert(id).inserted || id == 0x26, read(id, &inside) else { return false }
    }
    return true
  }
}

/// A broker's reason to refuse a connection or a message, by number (read: MQTT 3.1.1, 3.2.2.3; MQTT 5.0, 2.4).
struct MQTTReason: Hashable {
  let code: UInt8

  /// True if a message was accepted: 16 says that its topic has no subscriber.
  var acceptsMessage: Bool { code == 0 || code == 16 }

  /// True if the broker does not support our version: 1 in MQTT 3.1.1, with which such a broker answers a newer client.
  var isOtherVersion: Bool { code == 1 || code == 132 }

  func connectionError(_ broker: String) -> Verdict {
    switch code {
    case 1, 132: .misdirected(reason: "\(broker) speaks neither MQTT 5 nor 3.1.1")
    case 2, 133: .misdirected(reason: "\(broker) rejects the client id; choose another one")
    case 4, 134: .refused(reason: "\(broker) rejects the user or the password")
    case 5, 135, 138, 140: .refused(reason: "\(broker) denies access to this user")
    case 142: .unavailable(reason: "\(broker) serves another client with the same client id")
    default: .unavailable(reason: "\(broker) accepts no connections now (reason \(code))")
    }
  }

  func messageError(_ topic: String, _ broker: String) -> Verdict {
    switch code {
    case 135: .refused(reason: "\(broker) does not allow this user to write to the topic \(topic)")
    case 144, 149, 153...155:
      .misdirected(reason: "\(broker) rejects the messages for the topic \(topic) (reason \(code))")
    default: .unavailable(reason: "\(broker) accepts no messages for the topic \(topic) now (reason \(code))")
    }
  }
}
