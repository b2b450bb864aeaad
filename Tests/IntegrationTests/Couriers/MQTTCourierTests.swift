// SPDX-License-Identifier: Apache-2.0
import TextFormats

#if CURL
  import Foundation
  import TestSupport
  import Testing

  @testable import SampleSync

  @Suite("The MQTT courier, with mosquitto", .startsProcesses, .needsMosquitto)
  struct MQTTCourierTests {
    let folder = try? TemporaryDirectory()

    private func message(_ topic: String, _ text: String, retained: Bool = true) -> MQTTMessage {
      MQTTMessage(topic: topic, payload: Array(text.utf8), isRetained: retained)
    }

    private func courier(
      _ port: Int, encryption: MQTTBroker.Encryption = .none, host: String = "127.0.0.1", user: String? = nil,
      password: String? = nil, will: MQTTMessage? = nil
    ) -> MQTTCourier {
      MQTTCourier(
        MQTTBroker(
          host: host, port: port, encryption: encryption, user: user, password: password.map { Secret($0) },
          clientID: "libre-\(UUID().uuidString)", will: will))
    }

    private func failure(_ courier: MQTTCourier, _ topic: String = "a") async -> Verdict? {
      await .of { () async throws(Verdict) in
        try await courier.publish([message(topic, "x")], timeoutSeconds: ampleSeconds)
      }
    }

    @Test("publishes all messages, and the retained ones stay with the broker")
    func retained() async throws {
      let broker = try MosquittoBroker(in: #require(folder).url)
      let courier = courier(broker.port)
      let messages = (0..<300).map { message("libre/\($0)", "{\"mgdl\":\($0)}", retained: $0 != 7) }
      try await courier.publish(messages, timeoutSeconds: ampleSeconds)
      // The same again changes nothing for the receiver.
      try await courier.publish(messages, timeoutSeconds: ampleSeconds)
      try await courier.publish([message("libre/0", "é\0")], timeoutSeconds: ampleSeconds)
      let kept = try broker.kept("libre/#")
      #expect(
        Set(kept) == Set((1..<300).filter { $0 != 7 }.map { "libre/\($0) 1 {\"mgdl\":\($0)}" } + ["libre/0 1 é\0"]))
      #expect(kept.count == 299)
    }

    @Test("makes the broker publish the will if it ends without close(), but not after close()")
    func will() async throws {
      let broker = try MosquittoBroker(in: #require(folder).url)
      for closes in [true, false] {
        do {
          let courier = courier(broker.port, will: message("libre/status", "offline"))
          try await courier.publish([message("libre/status", "online")], timeoutSeconds: ampleSeconds)
          #expect(try broker.kept("libre/status") == ["libre/status 1 online"])
          if closes { await courier.close() }
        }
        if closes {
          // The connection has ended before close() returns, so that the broker would have published the will by now.
          #expect(try broker.kept("libre/status") == ["libre/status 1 online"])
        } else {
          try await eventually("the broker publishes the will") { () async throws in
            try broker.kept("libre/status") == ["libre/status 1 offline"]
          }
        }
      }
    }

    @Test("reports a broker that stops as unavailable, and publishes to it when it is back")
    func killed() async throws {
      let folder = try #require(folder)
      let broker = try MosquittoBroker(in: folder.url)
      let courier = courier(broker.port)
      #expect(await failure(courier) == nil)
      broker.freeze()
      let pending = Task { await failure(courier) }
      try await eventually("the message is at the broker") { () async in LoopbackClient.unread(at: broker.port) > 0 }
      broker.stop()
      // The end of the connection is the reason, not a timeout.
      guard case .unavailable(let reason, _) = await pending.value else {
        Issue.record("it was acknowledged")
        return
      }
      #expect(reason.hasPrefix("mqtt://127.0.0.1:\(broker.port)") && !reason.hasPrefix("no answer"))
      let gone = await failure(courier)
      #expect(gone == .unavailable(reason: "mqtt://127.0.0.1:\(broker.port): Couldn't connect to server"))
      let again = try MosquittoBroker(in: folder.url, port: broker.port)
      #expect(await failure(courier) == nil)
      #expect(try again.kept("a") == ["a 1 x"])
    }

    @Test("uses TLS only with a broker whose certificate is trusted")
    func tls() async throws {
      let folder = try #require(folder)
      try folder.makeCertificate("good", for: "localhost")
      let certificate = folder.path("good.crt")
      let broker = try MosquittoBroker(
        in: folder.url,
        settings: "allow_anonymous true\ncertfile \(certificate)\nkeyfile \(folder.path("good.key"))"
          + "\ntls_version tlsv1.3")
      let trusting = courier(broker.port, encryption: .tlsTrusting(file: certificate), host: "localhost")
      #expect(await failure(trusting) == nil)
      #expect(
        await failure(courier(broker.port, encryption: .tls, host: "localhost"))
          == .misdirected(
            reason:
              "the certificate of mqtts://localhost:\(broker.port) is not trusted here; if it is your own, set its CA "
              + "(ca_file)"))
    }
  }
#endif
