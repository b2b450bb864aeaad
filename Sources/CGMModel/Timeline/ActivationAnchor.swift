// SPDX-License-Identifier: Apache-2.0

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

  package init(scanAt readAt: Instant, ageMinutes: Int, isProvisional: Bool = false) {
    (activatedAt, origin) = (readAt.adding(minutes: -ageMinutes), .scan)
    (self.readAt, self.isProvisional) = (readAt, isProvisional)
  }

  /// nil also while the start is provisional, because nothing may be concluded from it then.
  package var firmStart: Instant? { isProvisional ? nil : activatedAt }

  package mutating func fix(_ moment: Instant) {
    (activatedAt, origin, readAt, isProvisional) = (moment, .user, nil, false)
  }

  /// Takes another anchor of the same wear into account: of another store, an imported history, or a file's modification
  /// time. The better source wins, of equal ones the younger scan, or the earlier start. Two starts that users have set both
  /// stay where they are.
  package mutating func join(_ other: ActivationAnchor) {
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
  package func disagreement(scanAt readAt: Instant, ageMinutes: Int) -> Int? {
    activatedAt.map { Int(readAt.adding(minutes: -ageMinutes).secondsSince1970 - $0.secondsSince1970) }
  }

  package static let reportedDisagreementSeconds = 120
}
