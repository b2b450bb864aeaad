// SPDX-License-Identifier: Apache-2.0
#if CURL
  /// A session whose bytes libcurl carries, on the courier's thread. Freed without `end()`, it leaves the will.
  final class MQTTConnection {
    private let connection: CurlConnection
    private var session: MQTTSession
    private let start = ContinuousClock.now

    init(
      to broker: MQTTBroker, _ version: MQTTPacket.Version, over handle: CurlHandle, while isWanted: () -> Bool
    ) throws(Verdict) {
      connection = try CurlConnection.opened(handle, to: broker, while: isWanted)
      session = MQTTSession(broker, version, lastID: .random(in: .min ... .max))
      try run(while: isWanted) { session.connection == nil }
    }

    /// 0 for success.
    var answer: MQTTReason? { session.connection }

    func publish(_ messages: [MQTTMessage], while isWanted: () -> Bool) throws(Verdict) {
      // Reads before anything is sent: an acknowledgement that is already there belongs to no message.
      try exchange()
      try session.publish(messages)
      try run(while: isWanted) { !session.isDelivered }
      try session.checkAcceptance()
    }

    /// Sends and receives pending data without waiting: the broker closes the connection of a silent client.
    func tend() throws(Verdict) {
      try session.keepAlive(now: .now - start)
      try exchange()
    }

    /// Disconnects, so that the broker does not publish the will, and waits until it has closed the connection.
    func end() {
      do throws(Verdict) {
        try exchange()
        // Nothing else can be sent after a part of a message.
        guard session.output.isEmpty, !connection.hasUnsent else { return }
        _ = try connection.send(MQTTPacket.disconnect)
        for _ in 0..<10 where try connection.receive() == nil {
          if connection.hasUnsent { _ = try connection.send([]) }
          try connection.wait(forWriting: connection.hasUnsent)
        }
      } catch {
        // It is closed.
      }
    }

    private func run(while isWanted: () -> Bool, _ isOpen: () -> Bool) throws(Verdict) {
      while true {
        try session.keepAlive(now: .now - start)
        let hasReceived = try exchange()
        guard isOpen() else { return }
        guard isWanted() else { throw .unavailable(reason: "cancelled") }
        if !hasReceived { try connection.wait(forWriting: connection.hasUnsent || !session.output.isEmpty) }
      }
    }

    /// Sends what can be sent, and receives one piece, without waiting: a broker that sends without end does not keep
    /// the caller from checking whether it is still wanted. Returns true if there was something to receive.
    @discardableResult private func exchange() throws(Verdict) -> Bool {
      let bytes = try connection.receive()
      if let bytes { try session.take(bytes) }
      let count = try connection.send(session.output)
      if count > 0 { session.sent(count, now: .now - start) }
      return bytes != nil
    }
  }
#endif
