// SPDX-License-Identifier: Apache-2.0

package struct Diagnosis: Hashable, Sendable {
  package let outlook: Outlook
  /// First line: `Ready: …`, `Perhaps ready: …`, `Not ready: …`.
  package let summary: String
  /// Checks from the bottom up: service, driver, readers, then less important parts.
  package let checks: [Check]
  /// Reason why no sensor can be read; nil if one can be read as far as known.
  package let error: TransportError?
  package let timeZone: SystemFacts.TimeZone

  package enum Outlook: String, Hashable, Sendable, CaseIterable {
    case ready
    /// A reader is present, but its ISO 15693 support is unknown.
    case perhaps
    case notReady = "not_ready"
  }
}

package struct Check: Hashable, Sendable {
  /// Stable, in snake_case: `pcscd`, `reader`, of which each of several readers has its own.
  package let name: String
  package let verdict: Verdict
  /// Result, as a sentence without its full stop.
  package let what: String
  /// Advice to read before acting; nil without any.
  package let advice: String?
  /// Command line to run; nil if nothing needs fixing.
  package let remedy: String?
  /// The error that is reported, if it needs no other advice than its own.
  package let error: TransportError?

  package enum Verdict: String, Hashable, Sendable, CaseIterable {
    case good
    case note
    case warning
    case bad
  }

  package init(
    _ name: String, _ verdict: Verdict, _ what: String, advice: String? = nil, remedy: String? = nil,
    error: TransportError? = nil
  ) {
    self.name = name
    self.verdict = verdict
    self.what = what
    self.advice = advice
    self.remedy = remedy
    self.error = error
  }

  init(_ name: String, _ verdict: Verdict, _ obstacle: Obstacle) {
    self.init(name, verdict, obstacle.message, advice: obstacle.advice, remedy: obstacle.remedy)
  }
}
