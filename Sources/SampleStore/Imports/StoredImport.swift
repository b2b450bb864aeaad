// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// One run of `libre import`, or a merge of another store.
public struct StoredImport: Hashable, Sendable {
  /// Counts of the values in its files.
  public struct Counts: Hashable, Sendable {
    /// Memories, and the number of new ones.
    public var scans = 0
    public var newScans = 0
    public var added = 0
    public var filled = 0
    public var known = 0
    public var conflicts = 0
    /// Values left out, by reason.
    public var leftOut: [String: Int] = [:]

    public init() {}

    /// Adds the counts of other values.
    public mutating func add(_ other: Counts) {
      scans += other.scans
      newScans += other.newScans
      added += other.added
      filled += other.filled
      known += other.known
      conflicts += other.conflicts
      leftOut.merge(other.leftOut, uniquingKeysWith: +)
    }

    /// The counts that were added since `earlier`.
    public func since(_ earlier: Counts) -> Counts {
      var counts = self
      counts.scans -= earlier.scans
      counts.newScans -= earlier.newScans
      counts.added -= earlier.added
      counts.filled -= earlier.filled
      counts.known -= earlier.known
      counts.conflicts -= earlier.conflicts
      for (reason, count) in earlier.leftOut { counts.leftOut[reason, default: 0] -= count }
      counts.leftOut = counts.leftOut.filter { $0.value != 0 }
      return counts
    }
  }

  /// Number of the import, from 1; the number of a removed import is not reused.
  public let id: Int
  /// Start of the import.
  public let at: Instant
  /// Files and directories as typed.
  public let files: [String]
  /// Names of the files' formats; nil for an incomplete import.
  public let formats: [String]?
  /// Time zone used for times without one; nil if every time had its own.
  public let timeZone: String?
  public let counts: Counts
}

/// A file with local times, by its content, and the way in which they were read.
public struct DatedFile: Hashable, Sendable {
  /// The digest of the file.
  public let sha256: String
  /// The name of the zone; nil if it has none.
  public let timeZone: String?
  /// The order of day and month.
  public let dateOrder: String

  public init(sha256: String, timeZone: String?, dateOrder: String) {
    (self.sha256, self.timeZone, self.dateOrder) = (sha256, timeZone, dateOrder)
  }
}

/// Content that only one import brought, and that is removed with it.
public struct ImportContent: Hashable, Sendable {
  public var scans = 0
  /// Sensors' samples, from scans and from exports of other stores.
  public var samples = 0
  public var imported = 0
  public var fingerSticks = 0
  public var bloodPressures = 0
  /// Times of the first and last value; nil if no value has a time.
  public var span: ClosedRange<Instant>?
  /// Names of the sensors and programs that the values come from.
  public var sources: [String] = []
  /// Values of the import that stay, because another import has them too.
  public var kept = 0

  public var values: Int { samples + imported + fingerSticks + bloodPressures }

  public init() {}
}
