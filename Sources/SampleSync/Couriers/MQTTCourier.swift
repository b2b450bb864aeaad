// SPDX-License-Identifier: Apache-2.0

/// Publishes messages to a broker over one persistent connection, which is reopened after it is lost. Uses MQTT 5, in
/// which a broker reports refusals, or 3.1.1 with a broker without MQTT 5, which may acknowledge a message and still
/// drop it (MQTT 3.1.1, 3.3.5). With TLS, certificates and host names are verified. The client is libre's own; libcurl
/// carries its bytes (Decisions/0001). Run against mosquitto 2.0.11 with libcurl 7.88.1.
package final class MQTTCourier: Sendable {
  private let broker: MQTTBroker
  private let thread = CourierThread("mqtt")
  #if CURL
    private let line: Result<MQTTLine, Verdict>
  #endif

  package init(_ broker: MQTTBroker) {
    self.broker = broker
    #if CURL
      line = CurlLibrary.loaded.flatMap { library in
        Result { () throws(Verdict) in MQTTLine(broker, try CurlHandle(library)) }
      }
    #endif
  }

  /// Publishes the messages in order, each at least once, and returns when the broker has acknowledged all of them.
  /// - Throws: `unavailable` after `timeoutSeconds` in total, or if the task is cancelled; some messages may have
  /// arrived then. `refused` for a user, a password or a topic that the broker does not allow.
  package func publish(_ messages: [MQTTMessage], timeoutSeconds: Int) async throws(Verdict) {
    try broker.check()
    #if CURL
      let limit = Duration.seconds(max(1, min(timeoutSeconds, 86_400)))
      let end = ContinuousClock.now + limit
      let line = try line.get()
      let isNew = try await thread.perform(within: limit, at: broker.words, wake: line.wake) {
        isWanted throws(Verdict) in
        try line.publish(messages, until: end, while: isWanted)
        return line.startsTending()
      }
      if isNew { tend() }
    #else
      throw .libraryMissing(name: "libcurl (this build of libre was made without it)", package: "libcurl4")
    #endif
  }

  /// Disconnects, so that the broker does not publish the will; also in a cancelled task.
  package func close() async {
    #if CURL
      guard case .success(let line) = line else { return }
      await thread.finish(within: .seconds(2)) { line.close() }
    #endif
  }

  #if CURL
    /// Keeps the connection alive between batches, as long as the courier and the connection exist.
    private func tend() {
      thread.later(.seconds(1)) { [weak self] in
        guard let self, case .success(let line) = line, line.tend() else { return }
        tend()
      }
    }
  #endif
}

#if CURL
  /// The current connection to a broker.
  /// Unchecked: everything here except `wake` is called on the courier's thread only.
  private final class MQTTLine: @unchecked Sendable {
    private let broker: MQTTBroker
    private var connection: MQTTConnection?
    private var isTended = false
    private var version = MQTTPacket.Version.v5
    private let handle: CurlHandle

    init(_ broker: MQTTBroker, _ handle: CurlHandle) { (self.broker, self.handle) = (broker, handle) }

    func wake() { handle.wake() }

    func publish(
      _ messages: [MQTTMessage], until end: ContinuousClock.Instant, while isWanted: () -> Bool
    ) throws(Verdict) {
      do throws(Verdict) {
        if connection == nil { connection = try connect(while: isWanted) }
        try connection?.publish(messages, while: isWanted)
      } catch {
        // Disconnect normally if the connection is intact: after a refusal, and after a cancellation before the
        // timeout.
        if case .unavailable = error, isWanted() || .now >= end {} else { connection?.end() }
        connection = nil
        throw error
      }
    }

    private func connect(while isWanted: () -> Bool) throws(Verdict) -> MQTTConnection {
      while true {
        let connection = try MQTTConnection(to: broker, version, over: handle, while: isWanted)
        guard let reason = connection.answer, reason.code != 0 else { return connection }
        guard reason.isOtherVersion, version == .v5 else { throw reason.connectionError(broker.words) }
        version = .v311
      }
    }

    func startsTending() -> Bool {
      defer { isTended = true }
      return !isTended
    }

    /// Keeps the connection alive; false if it is gone.
    func tend() -> Bool {
      do throws(Verdict) { try connection?.tend() } catch { connection = nil }
      isTended = connection != nil
      return isTended
    }

    func close() {
      connection?.end()
      connection = nil
    }
  }
#endif
