// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SampleStore
import Testing

@testable import LibreKit
@testable import SampleSync

struct RetryBackoffTests {
  private let now = Instant(secondsSince1970: 1_714_644_900)

  @Test("the pause before the second and the third try is a random part of a second, and of two; then there is none")
  func jitter() throws {
    for (tries, random, pause) in [
      (1, 0.0, 0.0), (1, 0.5, 0.5), (1, 0.999, 0.999), (2, 0, 0), (2, 0.5, 1), (2, 0.999, 1.998),
    ] {
      let found = try #require(RetryBackoff.pause(after: tries, asked: nil, random: random))
      #expect(abs(found - pause) < 1e-9)
    }
    for asked in [nil, 0, 1, 30, 31, 86_400] {
      for tries in [3, 4, 100] { #expect(RetryBackoff.pause(after: tries, asked: asked, random: 0.5) == nil) }
    }
  }

  @Test(
    "a requested wait is kept to the second, up to half a minute; a longer one is left to the outbox",
    arguments: [(0, 0.0), (1, 1), (29, 29), (30, 30), (31, nil), (3_600, nil), (.max, nil)] as [(Int, Double?)])
  func asked(seconds: Int, pause: Double?) {
    for tries in [1, 2] {
      for random in [0, 0.999] { #expect(RetryBackoff.pause(after: tries, asked: seconds, random: random) == pause) }
    }
  }

  @Test("the outbox waits 1, 5, 15, 60 minutes, then 6 hours, as where only the user can fix it, or what is requested")
  func outbox() {
    for (failures, minutes) in [
      (1, 1), (2, 5), (3, 15), (4, 60), (5, 360), (6, 360), (7, 360), (1_000_000, 360), (.max, 360),
    ] {
      let retry = RetryBackoff.retry(failures: failures, asked: nil, now: now)
      #expect(retry == StoredSink.Retry(at: now.adding(minutes: minutes), isAsked: false))
    }
    #expect(RetryBackoff.late(now: now) == .init(at: now.adding(minutes: 360), isAsked: false))
    // Without limit, after any number of failures; a time in the past means now.
    for seconds in [-60, 0, 1, 30, 31, 86_400] {
      let at = Instant(secondsSince1970: now.secondsSince1970 + Int64(max(0, seconds)))
      for failures in [1, 3, 9] {
        #expect(RetryBackoff.retry(failures: failures, asked: seconds, now: now) == .init(at: at, isAsked: true))
      }
    }
  }
}
