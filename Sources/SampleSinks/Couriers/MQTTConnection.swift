// SPDX-License-Identifier: Apache-2.0
#if MQTT
  import CMosquitto

  /// One connection to a broker. Without `end()` the broker publishes the will when this goes away.
  ///
  /// Used on the courier's thread alone, as libmosquitto wants it.
  final class MQTTConnection {
    private let library: MosquittoLibrary
    private let broker: MQTTBroker
    private let client: OpaquePointer
    private let events: Events

    /// `version` is 4 for MQTT 3.1.1 and 5 for MQTT 5. Nothing is sent yet.
    init(_ library: MosquittoLibrary, _ broker: MQTTBroker, version: Int32) throws(DeliveryError) {
      let events = Events()
      guard let client = library.functions.new(broker.clientID, true, Unmanaged.passUnretained(events).toOpaque())
      else {
        throw .misdirected(reason: "\(broker.words) cannot be given this client id; set another")
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

    /// Connects, and waits for the broker's answer to that: 0 is a welcome.
    func connect(while isWanted: () -> Bool) throws(DeliveryError) -> MQTTReason {
      let port = Int32(truncatingIfNeeded: broker.port)
      // After one and a half times a minute without a sign of life the broker publishes the will.
      try check(library.functions.connect_async(client, broker.host, port, 60))
      while true {
        let result = library.functions.loop(client, 100, 1)
        // First, because a refusal is a result that says less.
        if let reason = events.connected { return reason }
        try check(result)
        guard isWanted() else { throw .unavailable(reason: "given up") }
      }
    }

    deinit { library.functions.destroy(client) }

    /// Publishes, and waits until the broker has acknowledged every message.
    func publish(_ messages: [MQTTMessage], while isWanted: () -> Bool) throws(DeliveryError) {
      events.waiting = [:]
      events.refused = nil
      for message in messages {
        guard !message.topic.utf8.contains(0), let length = Int32(exactly: message.payload.count) else {
          throw .misdirected(reason: "a message for \(broker.words) has a NUL in its topic, or is too long")
        }
        var id: Int32 = 0
        let result = message.payload.withUnsafeBytes {
          library.functions.publish(client, &id, message.topic, length, $0.baseAddress, 1, message.isRetained)
        }
        if Self.unfit.contains(result) {
          throw .misdirected(reason: "the topic \(message.topic) of \(broker.words): \(library.words(result))")
        }
        try check(result)
        events.waiting[id] = message.topic
      }
      while !events.waiting.isEmpty {
        guard isWanted() else { throw .unavailable(reason: "given up") }
        try step()
      }
      if let (topic, reason) = events.refused { throw reason.messageError(topic, broker.words) }
    }

    /// What is wrong with a message, whoever gets it.
    private static let unfit = [
      LIBRE_MOSQ_INVAL, LIBRE_MOSQ_PAYLOAD_SIZE, LIBRE_MOSQ_MALFORMED_UTF8, LIBRE_MOSQ_OVERSIZE_PACKET,
    ]

    /// Sends what is due and takes what has come, without waiting: the broker would take a silent client for dead.
    func tend() throws(DeliveryError) { try check(library.functions.loop(client, 0, 1)) }

    /// Takes leave of the broker, so that it does not publish the will.
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
            "the certificate of \(broker.words) is not trusted here, or has expired; if it is your own, give its CA")
      case .otherHost:
        throw .misdirected(reason: "the certificate of \(broker.words) is for another host name; use the name in it")
      case nil: throw .unavailable(reason: "\(broker.words): \(library.words(result))")
      }
    }
  }

  /// What libmosquitto's callbacks tell.
  private final class Events {
    enum Certificate {
      case untrusted
      case otherHost
    }

    var connected: MQTTReason?
    /// The topics of messages that are not acknowledged, by the library's number of the message.
    var waiting: [Int32: String] = [:]
    var refused: (topic: String, reason: MQTTReason)?
    private(set) var certificate: Certificate?

    static func of(_ user: UnsafeMutableRawPointer?) -> Events? {
      user.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    func acknowledge(_ id: Int32, _ reason: MQTTReason) {
      guard let topic = waiting.removeValue(forKey: id), reason.isRefusal, refused == nil else { return }
      refused = (topic, reason)
    }

    /// The result of a call says no more than that it was TLS; its log has the rest (run: 2.0.11). Nothing of it is
    /// kept.
    func read(_ line: String?) {
      guard let line else { return }
      if line.contains("certificate verify failed") { certificate = certificate ?? .untrusted }
      if line.contains("host name verification failed") { certificate = .otherHost }
    }
  }
#endif
