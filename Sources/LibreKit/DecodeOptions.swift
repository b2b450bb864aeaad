// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import DumpFormats

/// What a user says about a dump that the dump does not say itself.
public struct DecodeOptions: Sendable {
  /// The moment of the scan.
  public enum ReadTime: Hashable, Sendable {
    /// What the file says; else nobody knows. Never the present moment.
    case fromFile
    case at(Instant)
    /// When the file was last changed. Only on request: a copied file lies.
    case modificationTime
  }

  /// A format's name; nil finds it out.
  public var inputFormat: String?
  /// Which of several memories in one file.
  public var choice: DumpChoice = .only
  public var readTime: ReadTime = .fromFile
  public var uid: SensorUID?
  public var patchInfo: PatchInfo?
  public var calibration: CalibrationChoice = .factory
  /// Take samples from a body whose checksum does not hold, and say so.
  public var salvage = false

  public init() {}
}
