// SPDX-License-Identifier: Apache-2.0

/// One thing that the doctor looked at.
public struct Check: Hashable, Sendable {
  /// `pcscd`, `reader`: what was looked at, stable, in snake_case. Several readers make several checks of one name.
  public let name: String
  public let verdict: Verdict
  /// What was found, as a sentence without its full stop.
  public let what: String
  /// What else to know before anything is done about it; nil for nothing.
  public let advice: String?
  /// The exact line to run; nil where there is nothing to mend.
  public let remedy: String?

  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    case good
    /// Neither good nor bad.
    case note
    /// May keep a sensor from being read.
    case warning
    /// Keeps a sensor from being read.
    case bad
  }

  public init(_ name: String, _ verdict: Verdict, _ what: String, advice: String? = nil, remedy: String? = nil) {
    self.name = name
    self.verdict = verdict
    self.what = what
    self.advice = advice
    self.remedy = remedy
  }
}
