// SPDX-License-Identifier: Apache-2.0
import Testing
import TextFormats

@testable import SampleSync

@Suite("A session with a broker")
struct MQTTSessionTests {
  private static let welcome: [UInt8] = [0x20, 3, 0, 0, 0]
  private static let place = "mqtt://localhost:1883"

  private static func broker(_ will: MQTTMessage? = nil, user: String? = nil, password: String? = nil) -> MQTTBroker {
    MQTTBroker(
      host: "localhost", port: 1883, encryption: .none, user: user, password: password.map { Secret($0) },
      clientID: "me", will: will)
  }

  /// A session to which the broker has answered, and whose output so far is sent.
  private static func session(_ welcome: [UInt8] = welcome, _ version: MQTTPacket.Version = .v5) throws -> MQTTSession {
    var session = MQTTSession(broker(), version, lastID: 0xFFFE)
    session.sent(session.output.count, now: .zero)
    try session.take(welcome)
    return session
  }

  private static func messages(_ count: Int) -> [MQTTMessage] {
    (0..<count).map { MQTTMessage(topic: "a", payload: [UInt8($0 & 0xFF)], isRetained: $0 == 0) }
  }

  private static func failure(_ bytes: [UInt8], to session: MQTTSession) -> String? {
    var session = session
    do throws(Verdict) {
      try session.take(bytes)
      return nil
    } catch .unavailable(let reason, _) {
      return reason
    } catch {
      return "\(error)"
    }
  }

  @Test("asks for a connection by the bytes that MQTT specifies")
  func connects() {
    let will = MQTTMessage(topic: "t", payload: [1, 2], isRetained: true)
    let broker = Self.broker(will, user: "u", password: "pw")
    let v5 = MQTTSession(broker, .v5, lastID: 0).output
    #expect(
      v5 == [0x10, 35, 0, 4, 0x4D, 0x51, 0x54, 0x54, 5, 0xEE, 0, 60, 5, 0x27, 0, 0, 0x40, 0, 0, 2, 0x6D, 0x65, 0]
        + [0, 1, 0x74, 0, 2, 1, 2, 0, 1, 0x75, 0, 2, 0x70, 0x77])
    let v311 = MQTTSession(Self.broker(), .v311, lastID: 0).output
    #expect(v311 == [0x10, 14, 0, 4, 0x4D, 0x51, 0x54, 0x54, 4, 0x02, 0, 60, 0, 2, 0x6D, 0x65])
  }

  @Test("publishes with ids that are not 0, and is done when each has been acknowledged")
  func publishes() throws {
    var session = try Self.session()
    try session.publish(Self.messages(2))
    // The id goes round.
    #expect(
      session.output == [0x33, 7, 0, 1, 0x61, 0xFF, 0xFF, 0, 0] + [0x32, 7, 0, 1, 0x61, 0, 1, 0, 1])
    // In pieces, and with a reason.
    for byte in [0x40, 4, 0, 1, 0, 0, 0x40, 2, 0xFF] as [UInt8] { try session.take([byte]) }
    #expect(!session.isDelivered)
    try session.take([0xFF])
    #expect(session.isDelivered)
    try session.checkAcceptance()
    var older = try Self.session([0x20, 2, 0, 0], .v311)
    try older.publish(Self.messages(1))
    #expect(older.output == [0x33, 6, 0, 1, 0x61, 0xFF, 0xFF, 0])
  }

  @Test("never has more unacknowledged messages than the broker allows")
  func window() throws {
    // Receive maximum: 2.
    var session = try Self.session([0x20, 6, 0, 0, 3, 0x21, 0, 2])
    try session.publish(Self.messages(3))
    #expect(session.output.count == 18)
    try session.take([0x40, 2, 0xFF, 0xFF])
    #expect(session.output.count == 27)
    try session.take([0x40, 2, 0, 1, 0x40, 2, 0, 2])
    #expect(session.isDelivered)
  }

  @Test(
    "does not count an acknowledgement with an unknown reason, or a refusal, as delivered", arguments: [1, 55, 135])
  func refused(_ code: UInt8) throws {
    var session = try Self.session()
    try session.publish(Self.messages(1))
    try session.take([0x40, 3, 0xFF, 0xFF, code])
    #expect(session.isDelivered)
    #expect(throws: Verdict.self) { try session.checkAcceptance() }
  }

  @Test("takes every property of a welcome that MQTT 5 has")
  func properties() throws {
    let properties: [UInt8] =
      [
        0x11, 0, 0, 0, 9, 0x12, 0, 1, 0x61, 0x13, 0, 7, 0x15, 0, 0, 0x16, 0, 1, 0xFF, 0x1A, 0, 0, 0x1C, 0, 0, 0x1F, 0,
        0,
      ]
      + [0x21, 0, 9, 0x22, 0, 1, 0x24, 1, 0x25, 1, 0x26, 0, 1, 1, 0, 0, 0x26, 0, 0, 0, 0, 0x27, 0, 1, 0, 0]
      + [0x28, 1, 0x29, 0, 0x2A, 1]
    let session = try Self.session([0x20, UInt8(3 + properties.count), 0, 0, UInt8(properties.count)] + properties)
    #expect(session.connection == MQTTReason(code: 0))
  }

  @Test("rejects messages that the broker cannot take before it sends any")
  func limits() throws {
    for (welcome, words) in [
      ([0x20, 5, 0, 0, 2, 0x24, 0], "does not acknowledge messages"),
      ([0x20, 5, 0, 0, 2, 0x25, 0], "keeps no retained"),
      ([0x20, 8, 0, 0, 5, 0x27, 0, 0, 0, 13], "takes at most 13 bytes; a message for a has 14"),
    ] as [([UInt8], String)] {
      var session = try Self.session(welcome)
      let error = #expect(throws: Verdict.self) { try session.publish(Self.messages(1)) }
      #expect(error?.kind == "misdirected" && error?.words.contains(words) == true)
      #expect(session.output.isEmpty && session.isDelivered)
    }
  }

  @Test(
    "ends with a reason that names the broker at each byte that MQTT does not allow there",
    arguments: [
      ("another protocol", Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), "does not answer in MQTT"),
      ("an unknown property", [0x20, 6, 0, 0, 3, 0x7F, 0, 0], "sent an invalid packet: CONNACK"),
      ("a property twice", [0x20, 7, 0, 0, 4, 0x25, 1, 0x25, 1], "sent an invalid packet: CONNACK"),
      ("a cut property", [0x20, 5, 0, 0, 2, 0x21, 0], "sent an invalid packet: CONNACK"),
      ("a maximum of 0", [0x20, 6, 0, 0, 3, 0x21, 0, 0], "sent an invalid packet: CONNACK"),
      ("properties past the packet", [0x20, 3, 0, 0, 9], "sent an invalid packet: CONNACK"),
      ("bytes after the properties", [0x20, 4, 0, 0, 0, 0], "sent an invalid packet: CONNACK"),
      ("an old session", [0x20, 3, 1, 0, 0], "sent an invalid packet: CONNACK"),
      ("no properties", [0x20, 2, 0, 0], "sent an invalid packet: CONNACK"),
      (
        "an endless length", [0x20, 0xFF, 0xFF, 0xFF, 0xFF], "sent a packet of more than 268435455 bytes; at most 16384"
      ),
      ("a long packet", [0x20, 0xFF, 0xFF, 0xFF, 0x7F], "sent a packet of 268435460 bytes; at most 16384"),
      ("a second welcome", welcome + welcome, "sent a packet that it must not send now: CONNACK"),
      ("PUBLISH", welcome + [0x30, 8, 0, 3], "sent a packet that it must not send now: PUBLISH"),
      ("PUBREC", welcome + [0x50, 2, 0xFF, 0xFF], "sent a packet that it must not send now: PUBREC"),
      ("a reserved type", welcome + [0x00, 0], "sent a packet that it must not send now: type 0"),
      ("wrong flags", welcome + [0x41, 2, 0, 1], "sent a packet that it must not send now: PUBACK"),
      ("an answer to no ping", welcome + [0xD0, 0], "sent a packet that it must not send now: PINGRESP"),
      ("a cut acknowledgement", welcome + [0x40, 1, 0], "sent an invalid packet: PUBACK"),
      ("an early acknowledgement", welcome + [0x40, 2, 0, 1], "acknowledged a message that was not sent (id 1)"),
      ("the end", welcome + [0xE0, 0], "closed the connection"),
      ("an end with its reason", welcome + [0xE0, 1, 0x8E], "serves another client with the same client id"),
    ] as [(String, [UInt8], String)])
  func hostile(_ name: String, _ bytes: [UInt8], _ words: String) {
    let new = MQTTSession(Self.broker(), .v5, lastID: 0xFFFE)
    let atOnce = Self.failure(bytes, to: new)
    #expect(atOnce?.hasPrefix("\(Self.place) \(words)") == true, "\(name): \(atOnce ?? "nothing")")
    // The same in pieces of one byte.
    var session = new
    var reason: Verdict?
    for byte in bytes where reason == nil {
      do throws(Verdict) { try session.take([byte]) } catch { reason = error }
    }
    #expect(reason == atOnce.map { .unavailable(reason: $0) }, "\(name)")
  }

  @Test(
    "acknowledgements of all ids before anything is sent deliver nothing, and one that is sent twice ends the session")
  func earlyAcknowledgements() throws {
    let all = (1...UInt16.max).flatMap { [0x40, 2, UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(
      Self.failure(all, to: try Self.session()) == "\(Self.place) acknowledged a message that was not sent (id 1)")
    var session = try Self.session()
    try session.publish(Self.messages(1))
    let twice = [0x40, 2, 0xFF, 0xFF, 0x40, 2, 0xFF, 0xFF] as [UInt8]
    #expect(Self.failure(twice, to: session) == "\(Self.place) acknowledged a message that was not sent (id 65535)")
  }

  @Test("pings in half of the broker's time, and ends if there is no answer in all of it")
  func keepAlive() throws {
    var session = try Self.session([0x20, 6, 0, 0, 3, 0x13, 0, 10])
    try session.keepAlive(now: .seconds(4))
    #expect(session.output.isEmpty)
    try session.keepAlive(now: .seconds(5))
    #expect(session.output == MQTTPacket.ping)
    session.sent(2, now: .seconds(5))
    try session.keepAlive(now: .seconds(14))
    var answered = session
    try answered.take([0xD0, 0])
    try answered.keepAlive(now: .seconds(15))
    #expect(answered.output == MQTTPacket.ping)
    #expect(throws: Verdict.unavailable(reason: "\(Self.place) has not answered for 10 s")) {
      try session.keepAlive(now: .seconds(15))
    }
    // 0: the broker does not look.
    var calm = try Self.session([0x20, 6, 0, 0, 3, 0x13, 0, 0])
    try calm.keepAlive(now: .seconds(1_000))
    #expect(calm.output.isEmpty)
  }
}
