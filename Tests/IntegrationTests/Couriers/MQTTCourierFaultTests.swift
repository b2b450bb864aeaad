// SPDX-License-Identifier: Apache-2.0
#if CURL
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  @testable import SampleSync

  @Suite("The MQTT courier, with a broker of the test's own", .startsProcesses)
  struct MQTTCourierFaultTests {
    private func courier(_ port: Int, host: String = "127.0.0.1", id: String = "x") -> MQTTCourier {
      MQTTCourier(MQTTBroker(host: host, port: port, encryption: .none, clientID: id))
    }

    private func failure(
      _ courier: MQTTCourier, topic: String = "a", timeoutSeconds: Int = ampleSeconds
    ) async -> Verdict? {
      await .of { () async throws(Verdict) in
        try await courier.publish(
          [MQTTMessage(topic: topic, payload: [1], isRetained: false)], timeoutSeconds: timeoutSeconds)
      }
    }

    private static let welcome: [UInt8] = [0x20, 3, 0, 0, 0]

    /// `MQTTSessionTests` have every wrong byte.
    @Test("reports the server as unavailable if it never answers, or publishes without end", arguments: [false, true])
    func hostile(floods: Bool) async throws {
      let message: [UInt8] = [0x30, 8, 0, 3, 0x61, 0x2F, 0x62, 0, 0x68, 0x69]
      let server = try LoopbackServer { connection in
        guard floods, connection.receive() else { return connection.hang() }
        connection.send(Self.welcome)
        while connection.send([[UInt8]](repeating: message, count: 1_000).flatMap(\.self)) {}
      }
      let place = "mqtt://127.0.0.1:\(server.port)"
      let error = await failure(courier(server.port), timeoutSeconds: floods ? ampleSeconds : 1)
      guard case .unavailable(let reason, _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(floods ? reason.hasPrefix(place) : reason == "\(place): no answer within 1 s", "\(reason)")
    }

    /// Answers a CONNECT with these bytes, and acknowledges what is published after it.
    private static func broker(
      _ answer: @escaping @Sendable (_ version: UInt8) -> [UInt8], acknowledges reason: [UInt8] = []
    ) throws -> LoopbackServer {
      try LoopbackServer { connection in
        while let packet = connection.packet() {
          switch packet[0] >> 4 {
          // 00 04 MQTT, and then the version.
          case 1: connection.send(answer(packet[8]))
          case 3:
            let topic = Int(packet[2]) << 8 | Int(packet[3])
            connection.send([0x40, UInt8(2 + reason.count)] + packet[(4 + topic)...].prefix(2) + reason)
          case 12: connection.send([0xD0, 0])
          default: return
          }
        }
      }
    }

    @Test("uses MQTT 3.1.1 with a broker that does not support MQTT 5")
    func olderBroker() async throws {
      let versions = Mutex<[UInt8]>([])
      let server = try Self.broker { version in
        versions.withLock { $0.append(version) }
        return version == 5 ? [0x20, 2, 0, 1] : [0x20, 2, 0, 0]
      }
      let courier = courier(server.port)
      #expect(await failure(courier) == nil)
      #expect(await failure(courier) == nil)
      #expect(versions.withLock { $0 } == [5, 4])
      await courier.close()
    }

    @Test(
      "explains each answer to the connection request, and each MQTT 5 answer to a message",
      arguments: [
        (connection: 1, message: 0, Verdict.misdirected(reason: "PLACE speaks neither MQTT 5 nor 3.1.1")),
        (3, 0, .unavailable(reason: "PLACE accepts no connections now (reason 3)")),
        (4, 0, .refused(reason: "PLACE rejects the user or the password")), (0, 16, nil),
        (0, 135, .refused(reason: "PLACE does not allow this user to write to the topic a")),
        (0, 144, .misdirected(reason: "PLACE rejects the messages for the topic a (reason 144)")),
        (0, 151, .unavailable(reason: "PLACE accepts no messages for the topic a now (reason 151)")),
      ] as [(UInt8, UInt8, Verdict?)])
    func refusals(_ connection: UInt8, _ message: UInt8, _ expected: Verdict?) async throws {
      let server = try Self.broker(
        { version in connection == 0 ? Self.welcome : version == 5 ? [0x20, 2, 0, 1] : [0x20, 2, 0, connection] },
        acknowledges: [message, 0])
      let found = String(describing: await failure(courier(server.port)))
      #expect(
        found.replacing("mqtt://127.0.0.1:\(server.port)", with: "PLACE") == String(describing: expected))
    }

    /// A broker may ask for a ping each second (MQTT 5, 3.2.2.3.14, Server Keep Alive); this test waits that long.
    @Test("keeps the connection alive between batches")
    func keepalive() async throws {
      let pings = Mutex(0)
      let server = try LoopbackServer { connection in
        while let packet = connection.packet() {
          switch packet[0] >> 4 {
          case 1: connection.send([0x20, 6, 0, 0, 3, 0x13, 0, 1])
          case 3: connection.send([0x40, 2] + packet[5..<7])
          case 12:
            connection.send([0xD0, 0])
            pings.withLock { $0 += 1 }
          default: return
          }
        }
      }
      let courier = courier(server.port)
      #expect(await failure(courier) == nil)
      try await eventually("the courier sends a ping") { () async in pings.withLock { $0 } > 0 }
      #expect(await failure(courier) == nil)
    }

    @Test("allows MQTT without TLS only to this machine, unless the user allows more")
    func plain() async throws {
      for host in ["LOCALHOST", "127.1.2.3", "::1"] {
        #expect(throws: Never.self) { try MQTTBroker(host: host, port: 1, encryption: .none, clientID: "x").check() }
      }
      for host in ["127.0.0.1.example", "localhost.example", "128.0.0.1"] {
        let reason =
          "mqtt://\(host):1 would send glucose and the password unencrypted; use TLS, or allow plain MQTT"
        #expect(await failure(courier(1, host: host)) == .misdirected(reason: reason))
        #expect(throws: Never.self) {
          try MQTTBroker(host: host, port: 1, encryption: .none, allowsPlain: true, clientID: "x").check()
          try MQTTBroker(host: host, port: 1, encryption: .tls, clientID: "x").check()
        }
      }
    }

    @Test(
      "rejects topics that MQTT does not allow, and text that a NUL would cut off",
      arguments: [
        ("a/#", "x"), ("+", "x"), (String(repeating: "a", count: 70_000), "x"), ("a\0b", "x"), ("a", "a\0b"),
      ])
    func badText(_ topic: String, _ id: String) async throws {
      let server = try Self.broker { _ in Self.welcome }
      guard case .misdirected = await failure(courier(server.port, id: id), topic: topic) else {
        Issue.record("it was sent")
        return
      }
    }
  }
#endif
