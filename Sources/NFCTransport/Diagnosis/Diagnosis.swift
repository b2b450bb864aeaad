// SPDX-License-Identifier: Apache-2.0

/// Result of the doctor.
package struct Diagnosis: Hashable, Sendable {
  package let outlook: Outlook
  /// First line: `Ready: …`, `Perhaps ready: …`, `Not ready: …`.
  package let summary: String
  /// Checks from the bottom up: service, driver, readers, then less important parts.
  package let checks: [Check]
  /// Exit status of the command (LibreDocuments/Contract, "Exit status"): 0 if a sensor can be read as far as known, 69
  /// if not, 77 if access is denied.
  package let exitStatus: Int32
  package let timeZone: SystemFacts.TimeZone

  package enum Outlook: String, Hashable, Sendable, CaseIterable {
    case ready
    /// A reader is present, but its ISO 15693 support is unknown.
    case perhaps
    case notReady = "not_ready"
  }
}
