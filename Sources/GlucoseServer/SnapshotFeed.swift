// SPDX-License-Identifier: Apache-2.0
import HostSystem
import SampleStore
import Synchronization

/// Hands the newest snapshot to every request, and each new one to the answers that stay open.
final class SnapshotFeed: Sendable {
  private struct State {
    var newest: ServerSnapshot
    var receivers: [Int: AsyncStream<ServerSnapshot>.Continuation] = [:]
    var nextReceiver = 0
    var isFinished = false
  }

  private let state: Mutex<State>

  init(_ first: ServerSnapshot) { state = Mutex(State(newest: first)) }

  var newest: ServerSnapshot { state.withLock { $0.newest } }

  /// A snapshot with the current revision is ignored.
  func publish(_ snapshot: ServerSnapshot) {
    let receivers = state.withLock { state -> [AsyncStream<ServerSnapshot>.Continuation] in
      guard snapshot.revision != state.newest.revision else { return [] }
      state.newest = snapshot
      return Array(state.receivers.values)
    }
    for receiver in receivers { receiver.yield(snapshot) }
  }

  /// Ends every stream of snapshots, those that are asked for later too.
  func finish() {
    let receivers = state.withLock { state in
      state.isFinished = true
      return Array(state.receivers.values)
    }
    for receiver in receivers { receiver.finish() }
  }

  struct Receiver: Sendable {
    /// The newest snapshot at once, then each new one, of which a slow receiver skips some.
    let snapshots: AsyncStream<ServerSnapshot>
    fileprivate let continuation: AsyncStream<ServerSnapshot>.Continuation
    fileprivate let feed: SnapshotFeed

    func repeatNewest() { continuation.yield(feed.newest) }
  }

  func receiver() -> Receiver {
    let (stream, continuation) = AsyncStream.makeStream(of: ServerSnapshot.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state -> Int? in
      guard !state.isFinished else { return nil }
      defer { state.nextReceiver += 1 }
      state.receivers[state.nextReceiver] = continuation
      // Inside the lock, so that a snapshot published at the same time comes after it.
      continuation.yield(state.newest)
      return state.nextReceiver
    }
    if let number {
      continuation.onTermination = { [weak self] _ in
        _ = self?.state.withLock { $0.receivers.removeValue(forKey: number) }
      }
    } else {
      continuation.finish()
    }
    return Receiver(snapshots: stream, continuation: continuation, feed: self)
  }
}

/// Publishes a new snapshot whenever the store changes, also by another process.
struct StoreObserver: Sendable {
  let store: StoredValues
  let feed: SnapshotFeed
  let report: @Sendable (StoreError) -> Void

  /// Pause between two reads of a store that is being written: an import writes for seconds.
  private static let pause = Duration.milliseconds(250)
  /// Pause between two reads where the kernel can watch no more.
  private static let slowPause = Duration.seconds(10)

  func run() async {
    var failure: StoreError?
    while !Task.isCancelled {
      let changes = FileChanges.stream(ofDatabase: store.path)
      // The store may have changed before the watch began.
      refresh(&failure)
      if let changes {
        for await _ in changes {
          refresh(&failure)
          try? await Task.sleep(for: Self.pause)
        }
      }
      try? await Task.sleep(for: changes == nil ? Self.slowPause : Self.pause)
    }
  }

  private func refresh(_ failure: inout StoreError?) {
    do throws(StoreError) {
      feed.publish(try store.snapshot(now: LocalTime.now))
      failure = nil
    } catch {
      if error != failure { report(error) }
      failure = error
    }
  }
}
