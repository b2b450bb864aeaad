// SPDX-License-Identifier: Apache-2.0

/// What a merge brought.
public struct MergeReceipt: Hashable, Sendable {
  public var sensors = 0
  public var scans = 0
  public var samples = 0
  public var filled = 0
  public var conflicts = 0
  public var imported = 0
  public var fingerSticks = 0
  /// Sensors that the user has removed here, and that stay so.
  public var forgotten = 0
  /// By how much the two stores date the same wear differently at most; this store's times stay once it has shown them.
  public var longestDisagreementSeconds = 0

  public init() {}

  /// The same numbers as the counts of an import.
  public var counts: StoredImport.Counts {
    var counts = StoredImport.Counts()
    (counts.scans, counts.newScans) = (scans, scans)
    (counts.added, counts.filled, counts.conflicts) = (samples + imported + fingerSticks, filled, conflicts)
    return counts
  }
}
