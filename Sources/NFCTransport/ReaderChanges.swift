// SPDX-License-Identifier: Apache-2.0

/// The readers of one backend as they come and go: the list at once, and again whenever it, or what is on a reader, may
/// have changed; or the reason why the backend cannot be used at that time. Ends only with its consumer, or at once for
/// a backend whose readers cannot come or go.
package typealias ReaderChanges = AsyncStream<Result<[FoundReader], TransportError>>

extension AsyncStream {
  /// A stream whose elements `body` yields, in a task that ends with the consumer.
  init(yielding body: @escaping @Sendable (Continuation) async -> Void) where Element: Sendable {
    // Who is late needs the newest list only.
    let (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      await body(continuation)
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    self = stream
  }
}

extension ReaderBackend {
  /// The list, once.
  package func changes() -> ReaderChanges {
    ReaderChanges { continuation in continuation.yield(await list()) }
  }

  /// The list whenever what `look` sees has changed: nothing reports that a device on the USB came or went.
  func changes<Sight: Equatable & Sendable>(
    on clock: any Clock<Duration>, seen look: @escaping @Sendable () -> Sight
  ) -> ReaderChanges {
    ReaderChanges { continuation in
      var known = look()
      continuation.yield(await list())
      while (try? await clock.sleep(for: .milliseconds(250))) != nil {
        let seen = look()
        if seen == known { continue }
        // In the moment in which a port appears it has neither its group nor its access list yet.
        guard (try? await clock.sleep(for: .milliseconds(250))) != nil else { return }
        known = seen
        continuation.yield(await list())
      }
    }
  }

  func list() async -> Result<[FoundReader], TransportError> {
    do throws(TransportError) { return .success(try await readers()) } catch { return .failure(error) }
  }
}
