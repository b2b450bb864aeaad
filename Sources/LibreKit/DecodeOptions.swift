// SPDX-License-Identifier: Apache-2.0
package import DumpFormats

/// Facts about a dump that a user gives because the file lacks them.
public struct DecodeOptions: Sendable {
  /// The time of the scan.
  public enum ReadTime: Hashable, Sendable {
    /// The time in the file, else unknown; never the current time.
    case fromFile
    case at(Instant)
    /// The time in the file, else its modification time. Only on request, because copying changes it.
    case modificationTime
  }

  /// The name of a format; nil detects it.
  public var inputFormat: String?
  package var choice: DumpChoice = .only
  public var readTime: ReadTime = .fromFile
  public var uid: SensorUID?
  public var patchInfo: PatchInfo?
  public var calibration: CalibrationChoice = .factory
  /// True to decode samples from a body with a wrong checksum, and mark the reading.
  public var salvage = false

  public init() {}
}
