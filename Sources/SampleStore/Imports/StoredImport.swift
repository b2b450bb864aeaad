// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// One run of `libre import`, or the merge of another store.
public struct StoredImport: Hashable, Sendable {
  /// What became of the values of its files.
  public struct Counts: Hashable, Sendable {
    /// Memories, and those of them that were new.
    public var scans = 0
    public var newScans = 0
    public var added = 0
    public var filled = 0
    public var known = 0
    public var conflicts = 0
    /// Values that were left out, by the reason in words.
    public var leftOut: [String: Int] = [:]

    public init() {}
  }

  /// The import's number, from 1; that of a removed import is not used again.
  public let id: Int
  /// When it began.
  public let at: Instant
  /// Files and directories as they were typed.
  public let files: [String]
  /// Names of the formats that the files had; nil for an import that did not come to its end.
  public let formats: [String]?
  /// The zone as which times without one were read; nil if every time had its own.
  public let timeZone: String?
  public let counts: Counts
}

/// What goes with an import that is removed: what it alone has brought.
public struct ImportContent: Hashable, Sendable {
  public var scans = 0
  /// Sensors' samples, from scans and from exports of other stores.
  public var samples = 0
  public var imported = 0
  public var fingerSticks = 0
  /// The times of the first and the last of these values; nil if none has a time.
  public var span: ClosedRange<Instant>?
  /// The sensors and the programs that the values come from, by name.
  public var sources: [String] = []
  /// Values that the import has met and that stay, because another import has them too.
  public var kept = 0

  public var values: Int { samples + imported + fingerSticks }

  public init() {}
}
