// SPDX-License-Identifier: Apache-2.0
import LibreKit
import SampleSync

/// Sends what is new beside the reading of sensors: a receiver that does not answer holds up neither a read nor a tap.
final class BackgroundSender: Sendable {
  private let requests: AsyncStream<Void>.Continuation
  private let task: Task<Void, Never>

  init(_ session: Session, path: String, enrols: Bool) {
    // One more round takes along all that was stored before it.
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    requests = continuation
    task = Task {
      let sender = Sender(session, path: path, output: .troubles, enrols: enrols)
      for await _ in stream { await Self.send(with: sender) }
      await sender.close()
    }
  }

  /// Asks for a round, and does not wait for it.
  func send() { requests.yield() }

  /// Ends after the rounds that were asked for, or after a limit; false if it was the limit.
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

  /// To the sinks that have an outbox in this store, and in the user's own to those that are set up. Whatever becomes of it,
  /// the reading is good and stored: troubles are reported, and the rest stays in the outbox.
  private static func send(with sender: Sender) async {
    do throws(LibreError) {
      // As they are now: watch may go on for weeks.
      let sinks = try ConfigurationFile.load(environment: Session.environment)?.sinkSetups() ?? [:]
      guard !sinks.isEmpty else { return }
      // Standard output belongs to the reading.
      let quiet = sinks.sorted { $0.key < $1.key }.filter { !$0.value.writesToStandardOutput }
      _ = try await sender.send(
        to: quiet.map { ($0.key, $0.value) }, urgency: .waits, lockSeconds: 0, keepsOpen: true)
    } catch {
      // The other libre that is sending takes it along.
      if case .beingSent = error.sinkError { return }
      Session.report(error)
    }
  }
}
