// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A clock on which no time passes but that which is slept.
package final class SleptClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    package var slept: Duration
    package func advanced(by duration: Duration) -> Self { Self(slept: slept + duration) }
    package func duration(to other: Self) -> Duration { other.slept - slept }
    package static func < (left: Self, right: Self) -> Bool { left.slept < right.slept }
  }
  private let time = Mutex(Instant(slept: .zero))

  package init() {}

  package var now: Instant { time.withLock { $0 } }
  package var minimumResolution: Duration { .zero }
  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
  }
}
