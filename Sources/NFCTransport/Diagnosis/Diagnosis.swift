// SPDX-License-Identifier: Apache-2.0

/// What the doctor says.
public struct Diagnosis: Hashable, Sendable {
  public let outlook: Outlook
  /// The first line: `Ready: …`, `Perhaps ready: …`, `Not ready: …`.
  public let summary: String
  /// From the bottom up: service, driver, readers, then what matters less.
  public let checks: [Check]
  /// Of the command, by LibreDocuments/Contract, "Exit status": 0 if a sensor can be read as far as anyone knows, 69 if
  /// not, 77 if access is denied.
  public let exitStatus: Int32
  public let timeZone: SystemFacts.TimeZone

  public enum Outlook: String, Hashable, Sendable, CaseIterable {
    case ready
    /// There is a reader, but nobody knows whether it can.
    case perhaps
    case notReady = "not_ready"
  }
}
