// SPDX-License-Identifier: Apache-2.0

/// A chart that rates pairs by the clinical effect of their difference.
package enum ErrorGrid: String, CaseIterable, Hashable, Sendable {
  case clarke
  /// The consensus grid for type 1 diabetes, required by ISO 15197.
  case parkesType1 = "parkes-1"
  /// The consensus grid for type 2 diabetes.
  case parkesType2 = "parkes-2"

  /// Title: `Clarke error grid`.
  package var title: String {
    switch self {
    case .clarke: "Clarke error grid"
    case .parkesType1: "Parkes (consensus) error grid, type 1"
    case .parkesType2: "Parkes (consensus) error grid, type 2"
    }
  }

  package func zone(of pair: GlucosePair) -> ErrorGridZone {
    switch self {
    case .clarke: ClarkeErrorGrid.zone(of: pair)
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
