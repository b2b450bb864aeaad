// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// The start of a wear on which most of its scans agree.
///
/// A scan at age a means that the sensor was started in the minute (scan − a − 1 min, scan − a]. The result is the
/// span that lies in the maximum number of these minutes; the earliest one if there are several. A computer's
/// clock that was wrong once is outvoted.
public struct StartAgreement: Hashable, Sendable {
  struct Scan: Hashable {
    let readAt: Instant
    let ageMinutes: Int

    /// Latest start that this scan allows.
    var latest: Instant { readAt.adding(minutes: -ageMinutes) }
  }

  /// Start is later than this.
  public let after: Instant
  /// Start is not later than this.
  public let until: Instant
  /// Number of scans that agree.
  public let votes: Int

  /// Finds the span; nil without scans.
  init?(_ scans: [Scan]) {
    // A span shared by the maximum number of minutes ends where one of them ends; scans agree if their minutes end
    // there or less than a minute later.
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
