// SPDX-License-Identifier: Apache-2.0

/// The start of a wear on which most of its scans agree.
///
/// A scan at age a means that the sensor was started in the minute (scan − a − 1 min, scan − a]. The result is the
/// span that lies in the maximum number of these minutes. A computer's clock that was wrong once is outvoted; of two
/// clocks with as many scans the one counts that read the sensor last, because it can still be looked at.
package struct StartAgreement: Hashable, Sendable {
  package struct Scan: Hashable, Sendable {
    package let readAt: Instant
    package let ageMinutes: Int

    package init(readAt: Instant, ageMinutes: Int) { (self.readAt, self.ageMinutes) = (readAt, ageMinutes) }

    var latest: Instant { readAt.adding(minutes: -ageMinutes) }
  }

  /// Start is later than this.
  package let after: Instant
  /// Start is not later than this.
  package let until: Instant
  package let votes: Int

  package init?(_ scans: [Scan]) {
    // A span shared by the maximum number of minutes ends where one of them ends; scans agree if their minutes end
    // there or less than a minute later.
    let scans = scans.sorted { $0.latest < $1.latest }
    let ends = scans.map { $0.latest.secondsSince1970 }
    func oldest(_ span: (first: Int, last: Int)) -> Int {
      scans[span.first...span.last].map { $0.ageMinutes }.max() ?? 0
    }
    var best: (first: Int, last: Int)?
    var last = 0
    for first in ends.indices {
      while last + 1 < ends.count, ends[last + 1] - ends[first] < 60 { last += 1 }
      let isBetter = best.map { best in
        last - first == best.last - best.first
          ? oldest((first, last)) > oldest(best) : last - first > best.last - best.first
      }
      if isBetter ?? true { best = (first, last) }
    }
    guard let best else { return nil }
    after = Instant(secondsSince1970: ends[best.last] - 60)
    until = Instant(secondsSince1970: ends[best.first])
    votes = best.last - best.first + 1
  }
}
