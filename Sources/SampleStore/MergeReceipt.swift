// SPDX-License-Identifier: Apache-2.0

package struct MergeReceipt: Hashable, Sendable {
  package var sensors = 0
  package var scans = 0
  package var samples = 0
  package var filled = 0
  package var conflicts = 0
  package var imported = 0
  package var fingerSticks = 0
  package var bloodPressures = 0
  /// Imported values, finger-sticks and blood pressures that were left out, because they cannot have been measured.
  package var impossible = 0
  /// Sensors that the user removed here; they stay removed.
  package var forgotten = 0
  /// Maximum difference between the other store's start of a wear and the start after the merge.
  package var maximumDisagreementSeconds = 0
  /// Maximum by which the merge moved the start of a wear that this store had dated.
  package var maximumMoveSeconds = 0

  package var counts: StoredImport.Counts {
    var counts = StoredImport.Counts()
    (counts.scans, counts.newScans, counts.filled, counts.conflicts) = (scans, scans, filled, conflicts)
    counts.added = samples + imported + fingerSticks + bloodPressures
    return counts
  }
}
