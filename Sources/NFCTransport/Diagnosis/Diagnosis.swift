// SPDX-License-Identifier: Apache-2.0

/// Result of the doctor.
public struct Diagnosis: Hashable, Sendable {
  public let outlook: Outlook
  /// First line: `Ready: …`, `Perhaps ready: …`, `Not ready: …`.
  public let summary: String
  /// Checks from the bottom up: service, driver, readers, then less important parts.
  public let checks: [Check]
  /// Exit status of the command (LibreDocuments/Contract, "Exit status"): 0 if a sensor can be read as far as known, 69
  /// if not, 77 if access is denied.
  public let exitStatus: Int32
  public let timeZone: SystemFacts.TimeZone

  public enum Outlook: String, Hashable, Sendable, CaseIterable {
    case ready
    /// A reader is present, but its ISO 15693 support is unknown.
    case perhaps
    case notReady = "not_ready"
  }
}
