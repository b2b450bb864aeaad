// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import SampleStore

/// When something that failed is tried again (SampleSinks/Receivers, "Retries").
///
/// | where | wait |
/// |---|---|
/// | in the foreground, two more times | a random part of 0.5 s × 2ⁿ (full jitter), at most 10 s; what the receiver asks for, up to 30 s |
/// | in the outbox | 1, 5, 15, 60 minutes, then 6 hours; what the receiver asks for, without limit |
enum RetryBackoff {
  static let foregroundTries = 3
  private static let base = 0.5
  private static let cap = 10.0
  private static let longestAsked = 30
  private static let minutes = [1, 5, 15, 60, 360]
  /// Seconds; no wait of our own is longer.
  static let longestWait = 360 * 60

  /// Seconds before the next of `most` tries; nil where it is not waited for. `tries` were made; `random` is 0 ..< 1.
  static func pause(after tries: Int, of most: Int = foregroundTries, asked: Int?, random: Double) -> Double? {
    guard tries < most else { return nil }
    if let asked { return asked <= longestAsked ? Double(asked) : nil }
    return min(cap, base * Double(1 << tries)) * random
  }

  /// When the outbox tries again after `failures` failures in a row, this one included.
  static func retry(failures: Int, asked: Int?, now: Instant) -> StoredSink.Retry {
    let wait = minutes[min(max(failures, 1), minutes.count) - 1] * 60
    let seconds = Int64(asked.map { max(0, $0) } ?? wait)
    return StoredSink.Retry(at: Instant(secondsSince1970: now.secondsSince1970 + seconds), isAsked: asked != nil)
  }

  /// For what no waiting mends but a person: the longest wait.
  static func late(now: Instant) -> StoredSink.Retry {
    StoredSink.Retry(at: now.adding(minutes: minutes[minutes.count - 1]), isAsked: false)
  }
}
