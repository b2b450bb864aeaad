// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A file format in which programs keep or exchange a history of glucose values.
public protocol HistoryFormat: Sendable {
  /// As given to `--to` and `--input-format`.
  var name: String { get }
  /// One line for a list.
  var summary: String { get }
}

/// A format that can be read.
public protocol HistoryReader: HistoryFormat {
  /// True if a file has the marks of this format, in its first bytes or, of a database, in its tables. A file has the
  /// marks of one format only.
  func hasSignature(_ file: any HistoryFile) -> Bool

  /// Reads a file from its beginning to its end, in pieces, and hands over one entry after the other.
  ///
  /// Returns what is to be said about the file. Throws `notThisFormat` before the first entry for a file that lacks the format's marks; else a
  /// precise error with the line, and what was handed over before stands.
  @discardableResult
  func read(_ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void)
    throws(HistoryError) -> HistoryFacts
}

/// What reading a file has shown besides its entries.
public struct HistoryFacts: Hashable, Sendable {
  /// How many glucose values were passed over, by the reason in words; other records (insulin, meals, ketones) are not
  /// counted.
  public var passedOver: [String: Int] = [:]
  /// True if times in the file had no zone, so that they were read by the clock of the options.
  public var hasLocalTimes = false

  public init(passedOver: [String: Int] = [:], hasLocalTimes: Bool = false) {
    self.passedOver = passedOver
    self.hasLocalTimes = hasLocalTimes
  }
}

/// A format that can be written.
public protocol HistoryWriter: HistoryFormat {
  /// A document to which entries are added, oldest first.
  func document(_ context: ExportContext) -> any HistoryDocument
}

/// A file that is being written: what each step returns follows what the step before returned.
public protocol HistoryDocument {
  mutating func begin() -> [UInt8]
  /// Nothing for an entry that the format cannot hold, or must not: a flagged value is never written as a value.
  mutating func add(_ entry: HistoryEntry) -> [UInt8]
  mutating func end() -> [UInt8]
  /// Entries that were left out, by the reason in words (`without a time`); for the user to see.
  var leftOut: [String: Int] { get }
}

/// What a document says about itself, and how it writes times.
public struct ExportContext: Sendable {
  public let unit: GlucoseUnit
  /// Program and version, separately: `libre`, `0.1.0`.
  public let program: String
  public let version: String
  /// The moment of the export.
  public let now: Instant
  public let clock: LocalClock
  /// The user's own name for the person, which goes with every record that can carry it; never a name that libre makes up.
  public let person: String?
  /// A FHIR server's own Patient, such as `Patient/123`; nil where only the person's name is known.
  public let patient: String?

  public init(
    unit: GlucoseUnit, program: String, version: String, now: Instant, clock: LocalClock, person: String?,
    patient: String? = nil
  ) {
    self.unit = unit
    self.program = program
    self.version = version
    self.now = now
    self.clock = clock
    self.person = person
    self.patient = patient
  }
}

/// Why an entry is not in an export: the words are the keys of `HistoryDocument.leftOut`.
package enum Omission: String, Error, Hashable, Sendable, CaseIterable {
  case withoutTime = "without a time"
  case unusable = "without a value that may be used"
  case withoutID = "without an id, because the sensor's UID is not known"
  case bound = "known only to be under or over a limit, which the format cannot say"
  case outOfRange = "outside the values that the format allows"
}
