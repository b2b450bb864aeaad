// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A chart that rates pairs by the clinical effect of their difference.
package enum ErrorGrid: String, CaseIterable, Hashable, Sendable {
  case clarke
  case parkesType1 = "parkes-1"
  case parkesType2 = "parkes-2"

  package var title: String {
    switch self {
    case .clarke: "Clarke error grid"
    case .parkesType1: "Parkes (consensus) error grid, type 1"
    case .parkesType2: "Parkes (consensus) error grid, type 2"
    }
  }

  package func zone(of pair: GlucosePair) -> ErrorGridZone {
    switch self {
    case .clarke: Self.clarkeZone(of: pair)
    case .parkesType1: ParkesErrorGrid.type1.zone(of: pair)
    case .parkesType2: ParkesErrorGrid.type2.zone(of: pair)
    }
  }
}

/// Effect of a wrong value, from A (the same treatment) to E (the opposite treatment).
package enum ErrorGridZone: String, CaseIterable, Hashable, Sendable {
  case a = "A"
  case b = "B"
  case c = "C"
  case d = "D"
  case e = "E"
}

package struct ErrorGridCounts: Hashable, Sendable {
  package let total: Int
  private let counts: [ErrorGridZone: Int]

  package init(_ pairs: [GlucosePair], grid: ErrorGrid) {
    total = pairs.count
    counts = pairs.reduce(into: [:]) { $0[grid.zone(of: $1), default: 0] += 1 }
  }

  package func count(_ zone: ErrorGridZone) -> Int { counts[zone] ?? 0 }

  package func percent(_ zone: ErrorGridZone) -> Double? {
    total > 0 ? 100 * Double(count(zone)) / Double(total) : nil
  }
}

extension ErrorGrid {
  /// Clarke's error grid of 1987 (Diabetes Care 10, 622 to 628).
  ///
  /// The paper gives a figure and words, but no inequalities: these were read in the R package ega 2.0.0 and the Python
  /// package methcomp 1.0.0, whose counts were compared over 0 to 550 mg/dL
  /// (`Tests/GlucoseReportTests/Comparison/MethcompTests.swift`). r is the reference, s the sensor's value, in mg/dL; the
  /// first matching row applies.
  ///
  /// | zone | condition | on its line |
  /// |---|---|---|
  /// | A | s within 20 % of r; or r and s both under 70 | 20 % is A, 70 is not |
  /// | E | r ≤ 70 and s ≥ 180; or r ≥ 180 and s ≤ 70 | E |
  /// | C | r > 70 and s > r + 110; or 130 ≤ r ≤ 180 and s < 1.4 (r − 130) | B |
  /// | D | 70 ≤ s < 180, and r < 70 or r > 240 | s = 70 is D, the others B |
  /// | B | otherwise | |
  ///
  /// ega counts the same way (read). methcomp gives C and D precedence over E: it counts r = 180 with s < 70 as C, and s
  /// = 70 with r > 240 as D (verified). Other programs end the upper C at r = 290, where it leaves the paper's figure;
  /// this one does not.
  private static func clarkeZone(of pair: GlucosePair) -> ErrorGridZone {
    let (r, s) = (pair.reference.milligramsPerDecilitre, pair.sensor.milligramsPerDecilitre)
    // Multiply instead of dividing, so that a pair on a line is exactly on it.
    if 5 * abs(s - r) <= r || (r < 70 && s < 70) { return .a }
    if (r <= 70 && s >= 180) || (r >= 180 && s <= 70) { return .e }
    if (r > 70 && s > r + 110) || ((130...180).contains(r) && 5 * s < 7 * (r - 130)) { return .c }
    return s >= 70 && s < 180 && (r < 70 || r > 240) ? .d : .b
  }
}
