// SPDX-License-Identifier: Apache-2.0

/// A moment in Coordinated Universal Time, in whole seconds.
///
/// A sensor counts whole minutes, so a finer clock would only pretend: sample times are whole seconds by contract.
public struct Instant: Hashable, Sendable, Comparable {
  /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
  public let secondsSince1970: Int64

  public init(secondsSince1970 seconds: Int64) { secondsSince1970 = seconds }

  /// This moment and `minutes` more (fewer if negative).
  public func adding(minutes: Int) -> Instant {
    Instant(secondsSince1970: secondsSince1970 + Int64(minutes) * 60)
  }

  public static func < (left: Instant, right: Instant) -> Bool { left.secondsSince1970 < right.secondsSince1970 }
}
