// SPDX-License-Identifier: Apache-2.0

/// Result of a merge.
public struct MergeReceipt: Hashable, Sendable {
  public var sensors = 0
  public var scans = 0
  public var samples = 0
  public var filled = 0
  public var conflicts = 0
  public var imported = 0
  public var fingerSticks = 0
  public var bloodPressures = 0
  /// Sensors that the user removed here; they stay removed.
  public var forgotten = 0
  /// Maximum difference between the two stores' starts of the same wear; this store's times stay once they have been
  /// shown.
  public var maximumDisagreementSeconds = 0

  public init() {}

  /// The same numbers as counts of an import.
  public var counts: StoredImport.Counts {
    var counts = StoredImport.Counts()
    (counts.scans, counts.newScans) = (scans, scans)
    (counts.added, counts.filled, counts.conflicts) = (
      samples + imported + fingerSticks + bloodPressures, filled, conflicts
    )
    return counts
  }
}
