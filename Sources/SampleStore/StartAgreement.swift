// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Where most of a wear's scans put its start.
///
/// A scan at age a says that the sensor was started in the minute that ends a minutes before it: in
/// (scan − a − 1 min, scan − a]. The start is within as many of these minutes as can be; of several such places the
/// earliest. A computer's clock that was wrong once is outvoted.
public struct StartAgreement: Hashable, Sendable {
  struct Scan: Hashable {
    let readAt: Instant
    let ageMinutes: Int

    /// The last moment at which it allows the start.
    var latest: Instant { readAt.adding(minutes: -ageMinutes) }
  }

  /// After this…
  public let after: Instant
  /// … and not later than this.
  public let until: Instant
  /// How many scans agree with it.
  public let votes: Int

  /// nil without scans.
  init?(_ scans: [Scan]) {
    // A place that most minutes share ends where one of them ends: those agree that end there or less than a minute later.
    let ends = scans.map(\.latest.secondsSince1970).sorted()
    var best: (first: Int, last: Int)?
    var last = 0
    for first in ends.indices {
      while last + 1 < ends.count, ends[last + 1] - ends[first] < 60 { last += 1 }
      if best.map({ last - first > $0.last - $0.first }) ?? true { best = (first, last) }
    }
    guard let best else { return nil }
    after = Instant(secondsSince1970: ends[best.last] - 60)
    until = Instant(secondsSince1970: ends[best.first])
    votes = best.last - best.first + 1
  }
}
