// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A clock on which no time passes but that which is slept.
public final class SleptClock: Clock, Sendable {
  public struct Instant: InstantProtocol {
    public var slept: Duration
    public func advanced(by duration: Duration) -> Self { Self(slept: slept + duration) }
    public func duration(to other: Self) -> Duration { other.slept - slept }
    public static func < (left: Self, right: Self) -> Bool { left.slept < right.slept }
  }
  private let time = Mutex(Instant(slept: .zero))

  public init() {}

  public var now: Instant { time.withLock { $0 } }
  public var minimumResolution: Duration { .zero }
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
  }
}
