// SPDX-License-Identifier: Apache-2.0

/// One connection to a broker as a value: its bytes go in, ours come out. It has no network and no clock. Each byte
/// that MQTT does not allow at its place ends the session with an error, and nothing is kept but a packet of the
/// maximum length (Decisions/0001).
struct MQTTSession {
  private let place: String
  private let version: MQTTPacket.Version
  private var reader: MQTTAnswerReader
  private var welcome: MQTTWelcome?
  private var queue: ArraySlice<MQTTMessage> = []
  /// Topics of unacknowledged messages, by id.
  private var inFlight: [UInt16: String] = [:]
  private var refused: (topic: String, reason: MQTTReason)?
  private var lastID: UInt16
  /// Times since the session began.
  private var lastSent = Duration.zero
  private var pingSent: Duration?
  private(set) var output: [UInt8]

  /// Maximum number of unacknowledged messages of ours; a broker may allow fewer.
  private static let window = 100
  /// Maximum silence of ours in seconds: after one and a half times as long the broker publishes the will.
  private static let keepAliveSeconds: UInt16 = 60

  /// `lastID` is random: a broker that acknowledges before it has received anything then hits no message.
  init(_ broker: MQTTBroker, _ version: MQTTPacket.Version, lastID: UInt16) {
    place = broker.words
    (self.version, self.lastID) = (version, lastID)
    reader = MQTTAnswerReader(version)
    output = MQTTPacket.connect(broker, version, keepAliveSeconds: Self.keepAliveSeconds)
  }

  /// The broker's answer to the connection request, 0 for success; nil until it is there.
  var connection: MQTTReason? { welcome?.reason }
  var isDelivered: Bool { queue.isEmpty && inFlight.isEmpty }

  /// Sends messages in order, as the broker takes and acknowledges them.
  /// - Throws: `misdirected` for a message that MQTT or this broker cannot take; then none is sent.
  mutating func publish(_ messages: [MQTTMessage]) throws(Verdict) {
    guard let welcome else { return }
    refused = nil
    guard welcome.acknowledges else {
      throw .misdirected(reason: "\(place) does not acknowledge messages (QoS 1); use another broker")
    }
    for message in messages {
      try MQTTBroker.check(topic: message.topic, place)
      guard welcome.retains || !message.isRetained else {
        throw .misdirected(reason: "\(place) keeps no retained messages; allow them there, or use another broker")
      }
      // The first bytes, the lengths and the id take at most 12 bytes.
      let size = message.topic.utf8.count + message.payload.count + 12
      guard size <= min(welcome.packetMaximum, MQTTPacket.maximumLength) else {
        throw .misdirected(
          reason: "\(place) takes at most \(welcome.packetMaximum) bytes; a message for \(message.topic) has \(size)")
      }
    }
    queue = messages[...]
    fill()
  }

  /// - Throws: `unavailable` for a byte that is wrong there, and the broker's reason if it ends the connection.
  mutating func take(_ bytes: some Sequence<UInt8>) throws(Verdict) {
    reader.add(bytes)
    var end: MQTTReason?
    do throws(MQTTFault) {
      while end == nil, let answer = try next() { end = try take(answer) }
    } catch {
      throw .unavailable(reason: "\(place) \(error.words)")
    }
    guard let end else { return }
    throw end.code == 0 ? .unavailable(reason: "\(place) closed the connection") : end.connectionError(place)
  }

  func checkAcceptance() throws(Verdict) {
    if let (topic, reason) = refused { throw reason.messageError(topic, place) }
  }

  /// Removes bytes that were sent. `now` is the time since the session began.
  mutating func sent(_ count: Int, now: Duration) {
    output.removeFirst(count)
    lastSent = now
  }

  /// Asks for a sign of life after half of the time without a packet of ours; throws `unavailable` without one.
  mutating func keepAlive(now: Duration) throws(Verdict) {
    guard let welcome else { return }
    let seconds = welcome.keepAliveSeconds ?? Int(Self.keepAliveSeconds)
    guard seconds > 0 else { return }
    if let pingSent {
      guard now - pingSent < .seconds(seconds) else {
        throw .unavailable(reason: "\(place) has not answered for \(seconds) s")
      }
    } else if now - lastSent >= .seconds(seconds) / 2 {
      output += MQTTPacket.ping
      pingSent = now
    }
  }

  private mutating func next() throws(MQTTFault) -> MQTTAnswer? {
    // Checked before the whole packet is there: a line of another protocol may look like a long packet.
    if welcome == nil, !reader.beginsWithConnection { throw .notMQTT }
    return try reader.next()
  }

  /// Returns the broker's reason if it ends the connection.
  private mutating func take(_ answer: MQTTAnswer) throws(MQTTFault) -> MQTTReason? {
    switch answer {
    case .connected(let welcome):
      guard self.welcome == nil else { throw .unexpected(0x20) }
      self.welcome = welcome
    case .acknowledged(let id, let reason):
      guard let topic = inFlight.removeValue(forKey: id) else { throw .unknownAcknowledgement(id) }
      if !reason.acceptsMessage, refused == nil { refused = (topic, reason) }
      fill()
    case .pong:
      guard pingSent != nil else { throw .unexpected(0xD0) }
      pingSent = nil
    case .disconnected(let reason): return reason
    }
    return nil
  }

  private mutating func fill() {
    guard let welcome else { return }
    while inFlight.count < min(welcome.receiveMaximum, Self.window), let message = queue.popFirst() {
      repeat { lastID &+= 1 } while lastID == 0 || inFlight[lastID] != nil
      inFlight[lastID] = message.topic
      output += MQTTPacket.publish(message, id: lastID, version)
    }
  }
}
