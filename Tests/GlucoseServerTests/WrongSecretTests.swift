// SPDX-License-Identifier: Apache-2.0
#if Serve
  import CGMModel
  import Logging
  import Synchronization
  import Testing

  @testable import GlucoseServer

  @Suite("A wrong secret is slowed and logged")
  struct WrongSecretTests {
    /// Keeps lines in place of writing them.
    private final class Lines: LogHandler, Sendable {
      let lines = Mutex<[String]>([])
      var metadata: Logger.Metadata {
        get { [:] }
        set {}
      }
      var logLevel: Logger.Level {
        get { .trace }
        set {}
      }
      subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
      }

      func log(event: LogEvent) {
        let details = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: " ")
        lines.withLock { $0.append("\(event.level) \(event.message) \(details)") }
      }
    }

    private static let now = Instant(secondsSince1970: 1_767_265_570)

    @Test("each wrong one waits, and a minute of them is one line without anything that was sent")
    func wrong() async throws {
      let log = Lines()
      let pauses = Mutex<[Duration]>([])
      let secrets = WrongSecrets(logger: Logger(label: "test") { _ in log }) { pause in
        pauses.withLock { $0.append(pause) }
      }
      for second in 0..<61 {
        try await secrets.hold(
          .wrongSecret, address: "192.0.2.7",
          now: Instant(secondsSince1970: Self.now.secondsSince1970 + Int64(second)))
      }
      #expect(pauses.withLock { $0 } == Array(repeating: WrongSecrets.delay, count: 61))
      #expect(
        log.lines.withLock { $0 } == [
          "warning a client sent a wrong secret address=192.0.2.7 requests=1",
          "warning a client sent a wrong secret address=192.0.2.7 requests=60",
        ])
    }

    @Test(
      "a client without a secret and one with the right one do not wait",
      arguments: [ServerAnswer.Client.unknown, .authorized])
    func others(client: ServerAnswer.Client) async throws {
      let log = Lines()
      let secrets = WrongSecrets(logger: Logger(label: "test") { _ in log }) { _ in Issue.record("it waited") }
      try await secrets.hold(client, address: nil, now: Self.now)
      #expect(log.lines.withLock { $0.isEmpty })
    }
  }
#endif
