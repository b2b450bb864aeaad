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
  /// Imported values, finger-sticks and blood pressures that were left out, because they cannot have been measured.
  public var impossible = 0
  /// Sensors that the user removed here; they stay removed.
  public var forgotten = 0
  /// Maximum difference between the other store's start of a wear and the start after the merge.
  public var maximumDisagreementSeconds = 0
  /// Maximum by which the merge moved the start of a wear that this store had dated.
  public var maximumMoveSeconds = 0

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
