// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The activation instant of a wear, from which all its times are counted.
///
/// A sensor counts whole minutes, so a scan at age a means that the sensor was started in the minute (scan − a − 1 min,
/// scan − a]. The anchor is the end of one scan's minute (LibreDocuments/Contract, "Time", `activated_at`): that of the
/// youngest scan, the one at the smallest age, that another one confirms; of the youngest one while none does. So it
/// follows from the scans alone, not from the order in which they are stored or from what was shown meanwhile, and a scan
/// later in the sensor's life changes nothing, unless the youngest stands alone against two that agree: then its clock was
/// wrong. `StartAgreement` combines all scans.
///
/// Without a scan an imported history dates its sensor, and the user's word stands above all. A start known only from a
/// file's modification time is provisional: its times are shown but never sent to a sink, and any better source
/// replaces it.
package struct ActivationAnchor: Hashable, Sendable {
  package enum Origin: String, Hashable, Sendable {
    case scan
    /// An imported history, with its own times.
    case history
    case user
  }

  /// nil until a scan has a time.
  package var activatedAt: Instant?
  package var origin: Origin?
  /// Time of the scan that dates it.
  package var readAt: Instant?
  /// True while the start is known only from a file's modification time.
  package var isProvisional = false

  package init() {}

  init(scanAt readAt: Instant, ageMinutes: Int, isProvisional: Bool = false) {
    (activatedAt, origin) = (readAt.adding(minutes: -ageMinutes), .scan)
    (self.readAt, self.isProvisional) = (readAt, isProvisional)
  }

  /// nil also while the start is provisional, because nothing may be concluded from it then.
  package var firmStart: Instant? { isProvisional ? nil : activatedAt }

  mutating func fix(_ moment: Instant) {
    (activatedAt, origin, readAt, isProvisional) = (moment, .user, nil, false)
  }

  /// Takes another anchor of the same wear into account: of another store, an imported history, or a file's modification
  /// time. The better source wins, of equal ones the younger scan, or the earlier start. Two starts that users have set both
  /// stay where they are.
  mutating func join(_ other: ActivationAnchor) {
    if other.rank > rank || other.rank == rank && other.origin != .user && other.order < order { self = other }
  }

  private var rank: Int {
    switch origin {
    case nil: 0
    case .scan: isProvisional ? 1 : 3
    case .history: 2
    case .user: 4
    }
  }

  /// Age of the sensor at the scan, and the start. A modification time is only ever too late, whatever the age.
  private var order: (Int64, Instant) {
    let start = activatedAt ?? .firstSensor
    return (isProvisional ? 0 : (readAt ?? start).secondsSince1970 - start.secondsSince1970, start)
  }

  /// Seconds by which a scan dates the start later than this anchor. Up to a minute is normal: the sensor counts
  /// minutes.
  func disagreement(scanAt readAt: Instant, ageMinutes: Int) -> Int? {
    activatedAt.map { Int(readAt.adding(minutes: -ageMinutes).secondsSince1970 - $0.secondsSince1970) }
  }

  static let reportedDisagreementSeconds = 120
}

/// The start of a wear on which most of its scans agree.
///
/// A scan at age a means that the sensor was started in the minute (scan − a − 1 min, scan − a]. The result is the
/// span that lies in the maximum number of these minutes. A computer's clock that was wrong once is outvoted; of two
/// clocks with as many scans the one counts that read the sensor last, because it can still be looked at.
package struct StartAgreement: Hashable, Sendable {
  struct Scan: Hashable {
    let readAt: Instant
    let ageMinutes: Int

    var latest: Instant { readAt.adding(minutes: -ageMinutes) }
  }

  /// Start is later than this.
  package let after: Instant
  /// Start is not later than this.
  package let until: Instant
  package let votes: Int

  init?(_ scans: [Scan]) {
    // A span shared by the maximum number of minutes ends where one of them ends; scans agree if their minutes end
    // there or less than a minute later.
    let scans = scans.sorted { $0.latest < $1.latest }
    let ends = scans.map(\.latest.secondsSince1970)
    func oldest(_ span: (first: Int, last: Int)) -> Int { scans[span.first...span.last].map(\.ageMinutes).max() ?? 0 }
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
