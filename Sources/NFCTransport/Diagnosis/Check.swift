// SPDX-License-Identifier: Apache-2.0

/// One check of the doctor.
public struct Check: Hashable, Sendable {
  /// Stable name of the checked part, in snake_case: `pcscd`, `reader`. Each of several readers has its own `reader`
  /// check.
  public let name: String
  public let verdict: Verdict
  /// Result, as a sentence without its full stop.
  public let what: String
  /// Advice to read before acting; nil without any.
  public let advice: String?
  /// Command line to run; nil if nothing needs fixing.
  public let remedy: String?

  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    case good
    /// Neither good nor bad.
    case note
    /// May prevent sensors from being read.
    case warning
    /// Prevents sensors from being read.
    case bad
  }

  public init(_ name: String, _ verdict: Verdict, _ what: String, advice: String? = nil, remedy: String? = nil) {
    self.name = name
    self.verdict = verdict
    self.what = what
    self.advice = advice
    self.remedy = remedy
  }

  init(_ name: String, _ verdict: Verdict, _ obstacle: Obstacle) {
    self.init(name, verdict, obstacle.message, advice: obstacle.advice, remedy: obstacle.remedy)
  }
}
