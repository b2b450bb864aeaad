// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import SampleStore

/// Times of further attempts after a failure (SampleSync/Receivers, "Retries"): in the foreground after a random
/// part of 0.5 s × 2ⁿ (full jitter), at most 10 s; then by the outbox. A receiver's own wait counts up to 30 s and up
/// to a day.
enum RetryBackoff {
  static let foregroundAttempts = 3
  private static let base = 0.5
  private static let cap = 10.0
  private static let maximumAskedSeconds = 30
  private static let minutes = [1, 5, 15, 60, 360]
  /// Maximum wait of our own, in seconds.
  static let maximumWait = 360 * 60

  /// Seconds before the next attempt, after `tries` of `most`; nil if it is left to the outbox. `random` is 0 ..< 1.
  static func pause(after tries: Int, of most: Int = foregroundAttempts, asked: Int?, random: Double) -> Double? {
    guard tries < most else { return nil }
    if let asked { return asked <= maximumAskedSeconds ? Double(asked) : nil }
    return min(cap, base * Double(1 << tries)) * random
  }

  /// Returns the outbox's next attempt after `failures` failures in a row, including this one.
  static func retry(failures: Int, asked: Int?, now: Instant) -> StoredSink.Retry {
    let wait = minutes[min(max(failures, 1), minutes.count) - 1] * 60
    let seconds = Int64(asked.map { max(0, $0) } ?? wait)
    return StoredSink.Retry(at: Instant(secondsSince1970: now.secondsSince1970 + seconds), isAsked: asked != nil)
  }

  /// Returns the maximum wait, for a failure that only a person can fix.
  static func late(now: Instant) -> StoredSink.Retry {
    StoredSink.Retry(at: now.adding(minutes: minutes[minutes.count - 1]), isAsked: false)
  }
}
