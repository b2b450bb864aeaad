// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Which of a sensor's wears a scan belongs to, or that it is a new one: a sensor that is started again counts its minutes
/// from zero, and the same minute means another moment.
///
/// | in this order | then |
/// |---|---|
/// | minutes that both have, with mostly the same counts | that wear, whatever the clocks say |
/// | the clocks put its start within two minutes of the wear's | that wear: other counts are a conflict, not a new start |
/// | minutes that both have, with mostly other counts | not that wear |
/// | a scan read later with a smaller age, or earlier with a larger one | not that wear |
/// | the clocks put its start more than a day away | not that wear |
/// | what is left | the nearest start; without clocks the only wear that is left, and of several none: it is not guessed |
struct WearChoice {
  /// What is known of one wear beside the scan.
  struct Candidate: Hashable {
    /// The row of the wear.
    let wear: Int
    let number: Int
    /// nil if no scan has dated it.
    let activatedAt: Instant?
    /// Minutes without errors that both have: with the same counts, and with others.
    var equal = 0
    var different = 0
    /// True if its scans and this one contradict each other in the order of their ages.
    var isAgeContradicted = false
  }

  /// Two starts that are further apart are two starts: no clock of a computer in use is wrong by more, while one that is
  /// wrong by a time zone is common.
  static let longestClockError: Int64 = Instant.secondsPerDay

  /// nil for a new wear. `activatedAt` is nil for a scan without a time.
  static func wear(among candidates: [Candidate], activatedAt: Instant?) -> Int? {
    if let same = same(among: candidates, activatedAt: activatedAt).first { return same.wear }
    let known = candidates.filter { $0.equal > $0.different }.max { ($0.equal, $1.number) < ($1.equal, $0.number) }
    if let known { return known.wear }
    let sameStart = candidates.filter { hasStart($0, activatedAt) }
    if let same = nearest(of: sameStart, to: activatedAt) { return same.wear }
    let possible = candidates.filter { candidate in
      guard candidate.different == 0, !candidate.isAgeContradicted else { return false }
      return distance(candidate.activatedAt, activatedAt).map { $0 <= longestClockError } ?? true
    }
    let near = possible.filter { distance($0.activatedAt, activatedAt) != nil }
    if let nearest = nearest(of: near, to: activatedAt) { return nearest.wear }
    return possible.count == 1 ? possible[0].wear : nil
  }

  /// The wears that share so many counts with the scan, or its start, that they are one, which may not have been known
  /// before this scan: the one that became known first stands first.
  static func same(among candidates: [Candidate], activatedAt: Instant?) -> [Candidate] {
    let equal = candidates.filter { $0.equal >= 4 && $0.equal > 4 * $0.different }
    if equal.isEmpty { return [] }
    let others = candidates.filter { !equal.contains($0) && $0.equal >= $0.different && hasStart($0, activatedAt) }
    return (equal + others).sorted { $0.number < $1.number }
  }

  /// True if the clocks put the scan's start where the wear's is.
  static func hasStart(_ candidate: Candidate, _ activatedAt: Instant?) -> Bool {
    distance(candidate.activatedAt, activatedAt).map { $0 <= Int64(ActivationAnchor.tellingSeconds) } ?? false
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
