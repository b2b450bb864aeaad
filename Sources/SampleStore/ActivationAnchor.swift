// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// The one moment from which all times of a wear are counted.
///
/// A sensor counts whole minutes, so a scan at age a says that it was started in the minute that ends a minutes before
/// the scan: in (scan − a − 1 min, scan − a]. The moment chosen is the end of the earliest scan's
/// (LibreDocuments/Contract, "Time", `activated_at`), whatever order scans are stored in; but once samples with times
/// have been handed out it stays, so that nobody who took one over gets it again with another time. What all scans
/// together say is in `StartAgreement`.
///
/// A start that only a file's modification time tells is provisional: it gives times to look at, it is never fixed, no
/// sink gets them, and anything else that tells the start replaces it.
public struct ActivationAnchor: Hashable, Sendable {
  /// Who chose it.
  public enum Origin: String, Hashable, Sendable {
    case scan
    /// A history that was imported, with the times it had there.
    case history
    case user
  }

  /// nil until a scan has a time.
  public var activatedAt: Instant?
  public var origin: Origin?
  /// When the scan that it comes from was read.
  public var readAt: Instant?
  /// True once a sample's time has been shown, exported or sent; of a provisional start always false.
  public var isHandedOut: Bool
  /// True while only the modification time of a file tells the start.
  public var isProvisional = false

  public init() { isHandedOut = false }

  /// nil while it is provisional: then nothing may be concluded from it.
  public var firmStart: Instant? { isProvisional ? nil : activatedAt }

  /// Takes a dated scan into account.
  mutating func narrow(scanAt readAt: Instant, ageMinutes: Int, isProvisional: Bool = false) {
    choose(readAt.adding(minutes: -ageMinutes), .scan, readAt: readAt, isProvisional: isProvisional)
  }

  /// Dates it by the user's word, or by what the user has accepted.
  mutating func fix(_ moment: Instant) {
    (activatedAt, origin, readAt, isProvisional) = (moment, .user, nil, false)
  }

  /// Takes the anchor of another store, or of an imported history, into account.
  mutating func join(_ other: ActivationAnchor) {
    guard let activatedAt = other.activatedAt, let origin = other.origin else { return }
    if other.isHandedOut, !isHandedOut, self.origin != .user {
      self = other
    } else {
      choose(activatedAt, origin, readAt: other.readAt, isProvisional: other.isProvisional)
    }
  }

  /// The user's word is kept against scans, and the earliest scan against later ones.
  private mutating func choose(_ moment: Instant, _ from: Origin, readAt read: Instant?, isProvisional: Bool) {
    if isHandedOut, activatedAt != nil { return }
    let isBetter: Bool =
      if origin != nil, self.isProvisional != isProvisional {
        self.isProvisional
      } else {
        switch (origin, from) {
        case (nil, _), (.history, .scan), (.history, .user), (.scan, .user): true
        case (.scan, .scan):
          (read ?? .distant, moment) < (readAt ?? .distant, activatedAt ?? moment)
        case (.scan, .history), (.history, .history), (.user, _): false
        }
      }
    if isBetter { (activatedAt, origin, readAt, self.isProvisional) = (moment, from, read, isProvisional) }
  }

  /// Seconds by which a scan dates the start later than this anchor does. Up to a minute is the sensor's own grain.
  func disagreement(scanAt readAt: Instant, ageMinutes: Int) -> Int? {
    activatedAt.map { Int(readAt.adding(minutes: -ageMinutes).secondsSince1970 - $0.secondsSince1970) }
  }

  /// From here on, a disagreement is worth telling.
  static let tellingSeconds = 120
}

extension Instant {
  /// After every scan.
  fileprivate static let distant = Instant.writable.upperBound
}
