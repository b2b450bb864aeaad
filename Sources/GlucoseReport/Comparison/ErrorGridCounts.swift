// SPDX-License-Identifier: Apache-2.0

/// Number of pairs in each zone of an error grid.
package struct ErrorGridCounts: Hashable, Sendable {
  package let total: Int
  private let counts: [ErrorGridZone: Int]

  package init(_ pairs: [GlucosePair], grid: ErrorGrid) {
    total = pairs.count
    counts = pairs.reduce(into: [:]) { $0[grid.zone(of: $1), default: 0] += 1 }
  }

  package func count(_ zone: ErrorGridZone) -> Int { counts[zone] ?? 0 }

  /// Returns the percentage of all pairs; nil without pairs.
  package func percent(_ zone: ErrorGridZone) -> Double? {
    total > 0 ? 100 * Double(count(zone)) / Double(total) : nil
  }
}
