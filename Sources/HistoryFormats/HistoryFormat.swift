// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A file format in which programs store or exchange a history of glucose values.
package protocol HistoryFormat: Sendable {
  /// The name as given to `--to` and `--input-format`.
  var name: String { get }
  var summary: String { get }
}

extension HistoryEntry {
  /// The program that a value comes from; nil for a sensor's own sample, and for a finger-stick that was typed.
  package var foreignSource: String? {
    switch self {
    case .sensor: nil
    case .imported(let imported): imported.source
    case .fingerStick(let stick): stick.source
    case .bloodPressure(let pressure): pressure.source
    }
  }
}

package protocol HistoryReader: HistoryFormat {
  /// True if a file has the signature of this format, in its first bytes or, for a database, in its tables. A file has
  /// the signature of one format only.
  func hasSignature(_ file: any HistoryFile) -> Bool

  /// Reads a file from beginning to end, in pieces, and passes on all records but those that the returned facts count.
  /// Entries that were passed on before an error are valid.
  ///
  /// - Throws: `notThisFormat` before the first entry for a file without the format's signature; otherwise an error
  ///   that ends the reading, such as `truncated`.
  @discardableResult
  func read(_ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void)
    throws(HistoryError) -> HistoryFacts
}

/// Facts about a file besides its entries.
package struct HistoryFacts: Hashable, Sendable {
  /// The number of glucose values that were skipped, by the reason in words; other records (insulin, meals, ketones)
  /// are not counted.
  package var passedOver: [String: Int] = [:]
  /// True if times had no zone, and the clock of the options was used.
  package var hasLocalTimes = false
  package var dateOrder: ImportOptions.DateOrder?
  package var refused = RefusedRecords()

  package init() {}
}

/// The formats of this module.
package enum HistoryFiles {
  package static let readers: [any HistoryReader] = {
    let readers: [any HistoryReader] = [
      NDJSONReader(), CSVReader(), LibreViewReader(), ClarityReader(), NightscoutReader(), TidepoolReader(),
      AppleHealthReader(), SiDiaryReader(), JugglucoReader(), GlucometerUtilsReader(), TableReader(),
    ]
    #if SQLite
      return readers + [LibreLinkReader()]
    #else
      return readers
    #endif
  }()
  package static let writers: [any HistoryWriter] = [
    CSVWriter(), NDJSONWriter(), LibreViewWriter(), AppleHealthWriter(), OpenMHealthWriter(), FHIRWriter(),
    TidepoolWriter(), TerraWriter(), VitalWriter(), VitalBloodPressureWriter(),
  ]
}

extension [any HistoryReader] {
  /// Returns the one format whose signature a file has, since a history has no checksums that could decide; with a
  /// `name` the format with this name, whatever signature the file has.
  ///
  /// - Throws: `noSuchFormat` for an unknown name, `unknownFormat` for a file without a known signature,
  ///   `ambiguousFormat` for a file with those of several formats.
  package func detect(_ file: any HistoryFile, as name: String? = nil) throws(HistoryError) -> any HistoryReader {
    if let name {
      guard let reader = first(where: { $0.name == name }) else { throw .noSuchFormat(name, known: map(\.name)) }
      return reader
    }
    let found = filter { $0.hasSignature(file) }
    guard let reader = found.first else { throw .unknownFormat }
    guard found.count == 1 else { throw .ambiguousFormat(found.map(\.name)) }
    return reader
  }
}

package protocol HistoryWriter: HistoryFormat {
  /// Begins a document to which entries are added, oldest first.
  func document(_ context: ExportContext) -> any HistoryDocument
}

/// A file that is being written: the results of `begin`, `add` and `end`, in this order.
package protocol HistoryDocument {
  mutating func begin() -> [UInt8]
  /// Returns the bytes of an entry; none for an entry that the format cannot hold, or must not: a flagged value is
  /// never written as a value.
  mutating func add(_ entry: HistoryEntry) -> [UInt8]
  mutating func end() -> [UInt8]
  /// The number of entries that were left out, by the reason in words (`without a time`), for the user.
  var leftOut: [String: Int] { get }
  /// The number of entries that were written without the user's note, because the format has no place for it.
  var notesLeftOut: Int { get }
}

package struct ExportContext: Sendable {
  package let unit: GlucoseUnit
  package let program: String
  package let version: String
  package let now: Instant
  package let clock: LocalClock
  /// The user's own name for the person, for every record that has a place for it; libre never invents one.
  package let person: String?
  /// The reference to a Patient of a FHIR server, such as `Patient/123`; nil if only the person's name is known.
  package let patient: String?
  /// True to keep text in tables from being run as a formula by a spreadsheet.
  package var isWithoutFormulas = false

  package init(
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

  package func with(unit: GlucoseUnit, patient: String? = nil) -> ExportContext {
    ExportContext(
      unit: unit, program: program, version: version, now: now, clock: clock, person: person, patient: patient)
  }
}

/// The reasons why an entry is not in an export, in the words used by `HistoryDocument.leftOut`.
package enum Omission: String, Error, Hashable, Sendable, CaseIterable {
  case withoutTime = "without a time"
  case unusable = "without a usable value"
  case withoutID = "without an id, because the UID of the sensor is unknown"
  case bound = "only known to be below or above a limit, which the format cannot express"
  case outOfRange = "outside the range of the format"
  case bloodPressure = "blood pressure, which the format cannot express"
  case glucose = "glucose, which the format cannot express"
}
