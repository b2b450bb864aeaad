// SPDX-License-Identifier: Apache-2.0

/// The activation instant of a wear, from which all its times are counted.
///
/// A sensor counts whole minutes, so a scan at age a means that the sensor was started in the minute (scan − a − 1 min,
/// scan − a]. The anchor is the end of one scan's minute (LibreDocuments/Contract, "Time", `activated_at`). It follows from
/// the scans alone, not from the order in which they are stored or from what was shown meanwhile:
///
/// | the scans | the anchor |
/// |---|---|
/// | are within a day of each other | that of the youngest scan, the one at the smallest age, that another one confirms; of the youngest while none does |
/// | are further apart: a clock was wrong | the same, of the group with two scans that agree; of several such groups, of the one with scans on more days of the sensor's life |
/// | and no group is stronger | the same, of the group with the oldest scan, whose clock can still be looked at; disputed |
///
/// So a scan later in the sensor's life changes nothing, unless the youngest stands alone against two that agree. Days count
/// and not scans, because a sensor that is read every minute beside a wrong clock makes a thousand scans that agree.
/// `StartAgreement` combines all scans.
///
/// Without a scan an imported history dates its sensor, and the user's word stands above all. A start in doubt is
/// provisional: its times are shown but never sent to a sink, and any better source replaces it.
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
  /// nil for a start from which something may be concluded.
  package var doubt: StartDoubt?
  package var isProvisional: Bool { doubt != nil }

  package init() {}

  package init(scanAt readAt: Instant, ageMinutes: Int, doubt: StartDoubt? = nil) {
    (activatedAt, origin) = (readAt.adding(minutes: -ageMinutes), .scan)
    (self.readAt, self.doubt) = (readAt, doubt)
  }

  /// Returns the anchor by scans that date a wear, in any order; nil without any. Scans at the same age were read with the
  /// same clock, so that they neither confirm nor outnumber each other.
  package init?(_ scans: [StartAgreement.Scan]) {
    let groups = Self.groups(of: scans).map { group in
      let byAge = group.sorted { ($0.ageMinutes, $0.readAt) < ($1.ageMinutes, $1.readAt) }
      let confirmed = byAge.first { scan in byAge.contains { $0.confirms(scan) } }
      let days = Set(byAge.map { $0.ageMinutes / 1_440 }).count
      let oldest = byAge[byAge.count - 1].ageMinutes
      return (scan: confirmed ?? byAge[0], votes: confirmed == nil ? 0 : days, oldest: oldest)
    }
    guard let best = groups.max(by: { ($0.votes, $0.oldest) < ($1.votes, $1.oldest) }) else { return nil }
    let isDisputed = groups.count { $0.votes == best.votes } > 1
    self.init(scanAt: best.scan.readAt, ageMinutes: best.scan.ageMinutes, doubt: isDisputed ? .disputed : nil)
  }

  /// The scans in groups by the starts that they give, which are more than a day apart.
  private static func groups(of scans: [StartAgreement.Scan]) -> [[StartAgreement.Scan]] {
    var groups: [[StartAgreement.Scan]] = []
    for scan in scans.sorted(by: { $0.latest < $1.latest }) {
      if let last = groups.last?.last,
        scan.latest.secondsSince1970 - last.latest.secondsSince1970 <= WearChoice.maximumClockError
      {
        groups[groups.count - 1].append(scan)
      } else {
        groups.append([scan])
      }
    }
    return groups
  }

  /// nil also while the start is provisional, because nothing may be concluded from it then.
  package var firmStart: Instant? { isProvisional ? nil : activatedAt }

  package mutating func fix(_ moment: Instant) {
    (activatedAt, origin, readAt, doubt) = (moment, .user, nil, nil)
  }

  /// Takes another anchor of the same wear into account: of another store, an imported history, or a file's modification
  /// time. The better source wins, of equal ones the younger scan, or the earlier start. Two starts that users have set both
  /// stay where they are.
  package mutating func join(_ other: ActivationAnchor) {
    if other.rank > rank || other.rank == rank && other.origin != .user && other.order < order { self = other }
  }

  private var rank: Int {
    switch (origin, doubt) {
    case (nil, _): 0
    case (.scan, .clockNotSet): 1
    case (.scan, .modificationTime): 2
    case (.history, _): 3
    case (.scan, _): 4
    case (.user, _): 5
    }
  }

  /// Age of the sensor at the scan, and the start. A modification time is only ever too late, whatever the age; of two
  /// clocks that were not set, either may be the wronger.
  private var order: (Int64, Instant) {
    let start = activatedAt ?? .firstSensor
    return (doubt == .modificationTime ? 0 : (readAt ?? start).secondsSince1970 - start.secondsSince1970, start)
  }

  /// Seconds by which a scan dates the start later than this anchor. Up to a minute is normal: the sensor counts
  /// minutes.
  package func disagreement(scanAt readAt: Instant, ageMinutes: Int) -> Int? {
    activatedAt.map { Int(readAt.adding(minutes: -ageMinutes).secondsSince1970 - $0.secondsSince1970) }
  }

  package func disagreements(of scans: [StartAgreement.Scan]) -> [ScanDisagreement] {
    scans.compactMap { scan in
      disagreement(scanAt: scan.readAt, ageMinutes: scan.ageMinutes)
        .map { ScanDisagreement(readAt: scan.readAt, seconds: $0) }
    }
  }

  package static let reportedDisagreementSeconds = 120

  /// Returns the seconds between two starts; nil for two minutes and less, which is within the resolution of the scans.
  package static func reported(_ seconds: Int) -> Int? { abs(seconds) > reportedDisagreementSeconds ? seconds : nil }

  /// True if a scan gives this start, by the resolution of a scan.
  package func agrees(with scan: StartAgreement.Scan) -> Bool {
    disagreement(scanAt: scan.readAt, ageMinutes: scan.ageMinutes).map { Self.reported($0) == nil } ?? false
  }
}

package struct ScanDisagreement: Hashable, Sendable {
  package let readAt: Instant
  /// Seconds by which the scan dates the start later than the anchor.
  package let seconds: Int

  /// True for more than two minutes: a clock was wrong.
  package var isReported: Bool { ActivationAnchor.reported(seconds) != nil }
}

extension StartAgreement.Scan {
  /// True if both give the same start, by the resolution of a scan.
  fileprivate func confirms(_ other: Self) -> Bool {
    ageMinutes != other.ageMinutes
      && abs(latest.secondsSince1970 - other.latest.secondsSince1970)
        <= Int64(ActivationAnchor.reportedDisagreementSeconds)
  }
}
