// SPDX-License-Identifier: Apache-2.0
#if Serve
  import CGMModel
  import Logging
  import Synchronization

  /// Slows and logs clients that send a wrong secret, so that it cannot be found by trying.
  ///
  /// Only the connection that sent it waits. The log gets one line a minute at most, with the number of requests since the
  /// last one, and nothing that a client sent.
  final class WrongSecrets: Sendable {
    /// Time for which the answer to a wrong secret is held back.
    static let delay = Duration.seconds(1)
    private static let minutesBetweenLines = 1

    private struct State {
      var loggedAt: Instant?
      var count = 0
    }

    private let state = Mutex(State())
    private let logger: Logger
    private let pause: @Sendable (Duration) async throws -> Void

    /// `pause` waits; a test hands in one that does not.
    init(
      logger: Logger, pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
      self.logger = logger
      self.pause = pause
    }

    /// Holds an answer back if the client sent a wrong secret. `address` is where it comes from.
    func hold(_ client: ServerAnswer.Client, address: String?, now: Instant) async throws {
      guard client == .wrongSecret else { return }
      let count = state.withLock { state -> Int? in
        state.count += 1
        if let last = state.loggedAt, last.adding(minutes: Self.minutesBetweenLines) > now, last <= now { return nil }
        defer { state = State(loggedAt: now) }
        return state.count
      }
      if let count {
        logger.warning(
          "a client sent a wrong secret",
          metadata: ["address": "\(address ?? "unknown")", "requests": .stringConvertible(count)])
      }
      try await pause(Self.delay)
    }
  }
#endif
