// SPDX-License-Identifier: Apache-2.0
import LibreKit
import SampleSync

/// Sends new samples while sensors are read, so that a slow receiver delays no read.
final class BackgroundSender: Sendable {
  private let requests: AsyncStream<Void>.Continuation
  private let task: Task<Void, Never>

  init(_ session: Session, path: String, enrols: Bool) {
    // One queued round is enough: it sends everything stored before it.
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    requests = continuation
    task = Task {
      let sender = Sender(session, path: path, output: .failures, enrols: enrols)
      for await _ in stream { await Self.send(with: sender, session) }
      await sender.close()
    }
  }

  /// Requests a round without waiting for it.
  func send() { requests.yield() }

  /// Waits for the requested rounds; false if the time limit ended them.
  func finish(within limit: Duration) async -> Bool {
    requests.finish()
    let limiter = Task { [task] in
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      task.cancel()
    }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    limiter.cancel()
    return !task.isCancelled
  }

  /// Sends to the sinks with an outbox in this store; in the user's own store also to newly configured ones.
  ///
  /// Failures are only reported: the reading is stored, and unsent samples stay in the outbox.
  private static func send(with sender: Sender, _ session: Session) async {
    do throws(LibreError) {
      // Loaded for each round, because watch may run for weeks.
      let sinks = try ConfigurationFile.load(environment: session.environment)?.sinkSetups() ?? [:]
      guard !sinks.isEmpty else { return }
      // Standard output belongs to the reading.
      let quiet = sinks.sorted { $0.key < $1.key }.filter { !$0.value.writesToStandardOutput }
      _ = try await sender.send(
        to: quiet.map { ($0.key, $0.value) }, urgency: .waits, lockSeconds: 0, keepsOpen: true)
    } catch {
      // The other libre process sends these samples too.
      if case .beingSent = error.sinkError { return }
      Session.report(error)
    }
  }
}
