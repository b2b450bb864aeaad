// SPDX-License-Identifier: Apache-2.0
#if MQTT
  import CMosquitto

  /// A connection to a broker. Without `end()` the broker publishes the will when it is freed.
  ///
  /// Used on the courier's thread only, as libmosquitto requires.
  final class MQTTConnection {
    private let library: MosquittoLibrary
    private let broker: MQTTBroker
    private let client: OpaquePointer
    private let events: Events

    /// Creates a connection without connecting. `version` is 4 for MQTT 3.1.1 and 5 for MQTT 5.
    init(_ library: MosquittoLibrary, _ broker: MQTTBroker, version: Int32) throws(DeliveryError) {
      let events = Events()
      guard let client = library.functions.new(broker.clientID, true, Unmanaged.passUnretained(events).toOpaque())
      else {
        throw .misdirected(reason: "invalid client id for \(broker.words); choose another one")
      }
      self.library = library
      self.broker = broker
      self.client = client
      self.events = events
      let mosquitto = library.functions
      try check(mosquitto.int_option(client, LIBRE_MOSQ_OPT_PROTOCOL_VERSION, version))
      if let user = broker.user {
        try check(mosquitto.username_pw_set(client, user, broker.password?.revealed()))
      }
      if let will = broker.will {
        let result = will.payload.withUnsafeBytes {
          mosquitto.will_set(
            client, will.topic, Int32(truncatingIfNeeded: $0.count), $0.baseAddress, 1, will.isRetained)
        }
        if result != LIBRE_MOSQ_SUCCESS {
          throw .misdirected(reason: "the topic \(will.topic) of \(broker.words): \(library.words(result))")
        }
      }
      switch broker.encryption {
      case .none: break
      case .tls: try check(mosquitto.int_option(client, LIBRE_MOSQ_OPT_TLS_USE_OS_CERTS, 1))
      case .tlsTrusting(let file):
        guard mosquitto.tls_set(client, file, nil, nil, nil, nil) == LIBRE_MOSQ_SUCCESS else {
          throw .misdirected(reason: "the trusted certificates in \(file) cannot be read; correct the path")
        }
      }
      if broker.encryption != .none {
        try check(mosquitto.tls_opts_set(client, LIBRE_MOSQ_VERIFY_PEER, "tlsv1.2", nil))
      }
      mosquitto.connect_v5_callback_set(client) { _, user, reason, _, _ in
        Events.of(user)?.connected = MQTTReason(code: reason)
      }
      mosquitto.publish_v5_callback_set(client) { _, user, id, reason, _ in
        Events.of(user)?.acknowledge(id, MQTTReason(code: reason))
      }
      mosquitto.log_callback_set(client) { _, user, _, line in Events.of(user)?.read(line.map { String(cString: $0) }) }
    }

    /// Connects and returns the broker's answer: 0 is success.
    func connect(while isWanted: () -> Bool) throws(DeliveryError) -> MQTTReason {
      let port = Int32(truncatingIfNeeded: broker.port)
      // The broker publishes the will after one and a half minutes without traffic.
      try check(library.functions.connect_async(client, broker.host, port, 60))
      while true {
        let result = library.functions.loop(client, 100, 1)
        // Check this first: a refusal's result has less detail.
        if let reason = events.connected { return reason }
        try check(result)
        guard isWanted() else { throw .unavailable(reason: "cancelled") }
      }
    }

    deinit { library.functions.destroy(client) }

    /// Publishes messages and waits until the broker has acknowledged all of them.
    func publish(_ messages: [MQTTMessage], while isWanted: () -> Bool) throws(DeliveryError) {
      events.unacknowledged = [:]
      events.refused = nil
      for message in messages {
        guard !message.topic.utf8.contains(0), let length = Int32(exactly: message.payload.count) else {
          throw .misdirected(reason: "a message for \(broker.words) is too long or has a NUL in its topic")
        }
        var id: Int32 = 0
        let result = message.payload.withUnsafeBytes {
          library.functions.publish(client, &id, message.topic, length, $0.baseAddress, 1, message.isRetained)
        }
        if Self.unfit.contains(result) {
          throw .misdirected(reason: "the topic \(message.topic) of \(broker.words): \(library.words(result))")
        }
        try check(result)
        events.unacknowledged[id] = message.topic
      }
      while !events.unacknowledged.isEmpty {
        guard isWanted() else { throw .unavailable(reason: "cancelled") }
        try step()
      }
      if let (topic, reason) = events.refused { throw reason.messageError(topic, broker.words) }
    }

    /// Results for an invalid message.
    private static let unfit = [
      LIBRE_MOSQ_INVAL, LIBRE_MOSQ_PAYLOAD_SIZE, LIBRE_MOSQ_MALFORMED_UTF8, LIBRE_MOSQ_OVERSIZE_PACKET,
    ]

    /// Sends and receives pending data without waiting: the broker closes the connection of a silent client.
    func tend() throws(DeliveryError) { try check(library.functions.loop(client, 0, 1)) }

    /// Disconnects, so that the broker does not publish the will.
    func end() {
      guard library.functions.disconnect(client) == LIBRE_MOSQ_SUCCESS else { return }
      for _ in 0..<10 { if library.functions.loop(client, 100, 1) != LIBRE_MOSQ_SUCCESS { return } }
    }

    private func step() throws(DeliveryError) { try check(library.functions.loop(client, 100, 1)) }

    private func check(_ result: Int32) throws(DeliveryError) {
      guard result != LIBRE_MOSQ_SUCCESS else { return }
      switch events.certificate {
      case .untrusted:
        throw .misdirected(
          reason:
            "the certificate of \(broker.words) is not trusted here, or has expired; if it is your own, set its CA")
      case .otherHost:
        throw .misdirected(reason: "the certificate of \(broker.words) is for another host name; use the name in it")
      case nil: throw .unavailable(reason: "\(broker.words): \(library.words(result))")
      }
    }
  }

  /// Events reported by libmosquitto's callbacks.
  private final class Events {
    enum Certificate {
      case untrusted
      case otherHost
    }

    var connected: MQTTReason?
    /// Topics of unacknowledged messages, by the library's message id.
    var unacknowledged: [Int32: String] = [:]
    var refused: (topic: String, reason: MQTTReason)?
    private(set) var certificate: Certificate?

    static func of(_ user: UnsafeMutableRawPointer?) -> Events? {
      user.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    func acknowledge(_ id: Int32, _ reason: MQTTReason) {
      guard let topic = unacknowledged.removeValue(forKey: id), reason.isRefusal, refused == nil else { return }
      refused = (topic, reason)
    }

    /// Reads a line of the log. The result of a call only says that TLS failed; the log has the reason (run: 2.0.11).
    /// The line is not kept.
    func read(_ line: String?) {
      guard let line else { return }
      if line.contains("certificate verify failed") { certificate = certificate ?? .untrusted }
      if line.contains("host name verification failed") { certificate = .otherHost }
    }
  }
#endif
