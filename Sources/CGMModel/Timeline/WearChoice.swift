// SPDX-License-Identifier: Apache-2.0

/// Chooses the wear of a scan, or a new one: a restarted sensor counts its minutes from zero, so the same minute is
/// another moment.
///
/// | condition, in this order | result |
/// |---|---|
/// | common minutes have mostly equal counts | that wear, whatever the clocks say |
/// | by the clocks its start is within two minutes of the wear's | that wear: other counts are a conflict, not a new start |
/// | common minutes have mostly other counts | not that wear |
/// | a scan read later with a smaller age, or earlier with a larger one | not that wear |
/// | by the clocks its start is more than a day away | not that wear |
/// | otherwise | the nearest start; without clocks the only remaining wear, and a new one if several remain: it is not guessed |
package enum WearChoice {
  package struct Candidate: Hashable {
    package let wear: Int
    package let number: Int
    let activatedAt: Instant?
    /// Common minutes without errors: with equal counts, and with different ones.
    package var equal = 0
    package var different = 0
    /// True if its scans and this one contradict each other in the order of their ages.
    package var isAgeContradicted = false

    package init(wear: Int, number: Int, activatedAt: Instant?) {
      (self.wear, self.number, self.activatedAt) = (wear, number, activatedAt)
    }
  }

  /// A clock in use is not wrong by more, while an error by a time zone is common.
  static let maximumClockError: Int64 = Instant.secondsPerDay

  /// Returns the row of the wear; nil for a new wear. `activatedAt` is nil for a scan without a time.
  package static func wear(among candidates: [Candidate], activatedAt: Instant?) -> Int? {
    if let same = same(among: candidates, activatedAt: activatedAt).first { return same.wear }
    let known = candidates.filter { $0.equal > $0.different }.max { ($0.equal, $1.number) < ($1.equal, $0.number) }
    if let known { return known.wear }
    let sameStart = candidates.filter { hasStart($0, activatedAt) }
    if let same = nearest(of: sameStart, to: activatedAt) { return same.wear }
    let possible = candidates.filter { candidate in
      guard candidate.different == 0, !candidate.isAgeContradicted else { return false }
      return distance(candidate.activatedAt, activatedAt).map { $0 <= maximumClockError } ?? true
    }
    let near = possible.filter { distance($0.activatedAt, activatedAt) != nil }
    if let nearest = nearest(of: near, to: activatedAt) { return nearest.wear }
    return possible.count == 1 ? possible[0].wear : nil
  }

  /// Returns the wears that share so many counts with the scan, or its start, that they are the same wear, which may
  /// not have been known before this scan. The wear stored first comes first.
  package static func same(among candidates: [Candidate], activatedAt: Instant?) -> [Candidate] {
    let equal = candidates.filter { $0.equal >= 4 && $0.equal > 4 * $0.different }
    if equal.isEmpty { return [] }
    let others = candidates.filter { !equal.contains($0) && $0.equal >= $0.different && hasStart($0, activatedAt) }
    return (equal + others).sorted { $0.number < $1.number }
  }

  package static func hasStart(_ candidate: Candidate, _ activatedAt: Instant?) -> Bool {
    distance(candidate.activatedAt, activatedAt).map { $0 <= Int64(ActivationAnchor.reportedDisagreementSeconds) }
      ?? false
  }

  private static func nearest(of candidates: [Candidate], to activatedAt: Instant?) -> Candidate? {
    candidates.min { left, right in
      let (near, far) = (distance(left.activatedAt, activatedAt), distance(right.activatedAt, activatedAt))
      return (near ?? .max, right.number) < (far ?? .max, left.number)
    }
  }

  private static func distance(_ one: Instant?, _ other: Instant?) -> Int64? {
    guard let one, let other else { return nil }
    return abs(one.secondsSince1970 - other.secondsSince1970)
  }
}
