// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// The activation instant of a wear, from which all its times are counted.
///
/// A sensor counts whole minutes, so a scan at age a means that the sensor was started in the minute (scan − a − 1 min,
/// scan − a]. The anchor is the end of the earliest scan's minute (LibreDocuments/Contract, "Time", `activated_at`),
/// whatever order scans are stored in. Once samples with times have been handed out it stays, so that a receiver never
/// gets a sample again with another time. `StartAgreement` combines all scans.
///
/// A start known only from a file's modification time is provisional: its times are shown but never fixed or sent to a
/// sink, and any better source replaces it.
public struct ActivationAnchor: Hashable, Sendable {
  /// Source of the anchor.
  public enum Origin: String, Hashable, Sendable {
    case scan
    /// An imported history, with its own times.
    case history
    case user
  }

  /// Activation instant; nil until a scan has a time.
  public var activatedAt: Instant?
  public var origin: Origin?
  /// Read time of the scan that set it.
  public var readAt: Instant?
  /// True once a sample's time has been shown, exported or sent; always false for a provisional start.
  public var isHandedOut: Bool
  /// True while the start is known only from a file's modification time.
  public var isProvisional = false

  public init() { isHandedOut = false }

  /// Activation instant; nil while it is provisional, because nothing may be concluded from it then.
  public var firmStart: Instant? { isProvisional ? nil : activatedAt }

  /// Takes a dated scan into account.
  mutating func narrow(scanAt readAt: Instant, ageMinutes: Int, isProvisional: Bool = false) {
    choose(readAt.adding(minutes: -ageMinutes), .scan, readAt: readAt, isProvisional: isProvisional)
  }

  /// Sets the start given or accepted by the user.
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

  /// Chooses the better of two starts: the user's wins over scans, and the earliest scan over later ones.
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

  /// Seconds by which a scan dates the start later than this anchor. Up to a minute is normal: the sensor counts
  /// minutes.
  func disagreement(scanAt readAt: Instant, ageMinutes: Int) -> Int? {
    activatedAt.map { Int(readAt.adding(minutes: -ageMinutes).secondsSince1970 - $0.secondsSince1970) }
  }

  /// Disagreement in seconds from which it is reported.
  static let reportedDisagreementSeconds = 120
}

extension Instant {
  /// Later than every scan.
  fileprivate static let distant = Instant.writable.upperBound
}
