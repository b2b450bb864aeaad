// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HistoryFormats
import HostSystem
import SensorHistory
import TextFormats

struct ExportCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "export", "Write the history for other programs.",
    discussion: """
      Formats: \(Catalogue.standard.historyWriters.map(\.name).joined(separator: ", ")) (libre formats describes them). Values that a \
      sensor flagged are never written as glucose; data that a format cannot hold is left out and counted on standard error. \
      ndjson holds everything, and libre import reads it again. An older export is replaced if the new one or the store \
      still has every line of it; any other file only with --force.

      Examples:
        libre export --format libreview --out history.csv
        libre export --format fhir --from -90d | gzip > bundle.json.gz
      """)

  // If it is missing, --to may name the format, as in earlier versions; no format has a name that is a time.
  @Option(
    help: .value("format", "Output format, see libre formats."),
    completion: .list(Catalogue.standard.historyWriters.map(\.name)))
  var format: String?

  @Option(name: .shortAndLong, help: .value("file", "Output file. Default: standard output."), completion: .file())
  var out: String?

  @OptionGroup var span: SpanOptions
  @OptionGroup var force: ForceOption
  @OptionGroup var spreadsheet: SpreadsheetOption
  @OptionGroup var ring: RingOption
  @OptionGroup var scope: ScopeOptions
  @OptionGroup var calibration: CalibrationOption

  @Option(
    name: .customLong("reference-id"),
    help: .value("name", "Name or number of the person, for formats that hold one. Default: the setting reference_id."))
  var referenceID: String?

  @OptionGroup var store: StoreOptions
  var flags: [Setting: String] {
    var flags = store.flags.merging(calibration.flags) { $1 }
    flags[.referenceID] = referenceID
    return flags
  }

  /// Endings of compressed files. An export is not compressed, whatever the name says.
  private static let compressed = [".gz", ".bz2", ".xz", ".zst", ".zip"]

  private static let tables = ["csv", "libreview"]

  /// The name of the format, and the range without it.
  private var chosen: (format: String, span: SpanOptions)? {
    if let format { return (format, span) }
    guard let to = span.to, Catalogue.standard.historyWriters.contains(where: { $0.name == to }) else { return nil }
    var rest = span
    rest.to = nil
    return (to, rest)
  }

  func validate() throws {
    guard let chosen else { throw ValidationError("--format is missing. Try: --format csv, see libre formats") }
    try refuse(
      if: spreadsheet.csvSafe && !Self.tables.contains(chosen.format),
      "--csv-safe works only with \(Self.tables.joined(separator: " and ")). Try: --format csv")
    if let out, Self.compressed.contains(where: out.lowercased().hasSuffix) {
      throw ValidationError(
        "export does not compress, so \(out) is a misleading name. Try: libre export --format \(chosen.format) | gzip > FILE.gz"
      )
    }
  }

  func execute(_ session: Session) throws {
    guard let (format, span) = chosen else { return }
    guard let writer = Catalogue.standard.historyWriters.first(where: { $0.name == format }) else {
      throw LibreError.history(.noSuchFormat(format, known: Catalogue.standard.historyWriters.map(\.name)))
    }
    let now = try Program.documentTime(Session.environment)
    let store = try StoreFile.openForReading(try session.storePath())
    var query = Self.everything
    query.rings = ring.rings
    (query.from, query.to) = try span.ends(now: now, standard: nil)
    query.scope = try scope.scope(in: store)
    var context = ExportContext(
      unit: session.configuration.unit, program: Program.name, version: Program.version, now: now,
      clock: LocalTime.clock, person: session.configuration[.referenceID].textIfSet)
    context.isWithoutFormulas = spreadsheet.csvSafe
    let document = writer.document(context)
    let file = try OutputFile(out, session: session)
    var replacement = try replacement(by: document)
    let (written, isEmpty) = try write(document, query, store) { bytes throws(LibreError) in
      replacement?.add(bytes)
      try file.write(bytes)
    }
    if let out {
      if isEmpty { try force.checkReplacement(of: out) }
      try check(replacement, of: out, document, store)
    }
    try file.finish()
    for (reason, count) in written.leftOut.sorted(by: { $0.key < $1.key }) {
      Session.notify("\(CountText.of(count, "value")) left out: \(reason)")
    }
    if written.notesLeftOut > 0 {
      Session.notify("\(CountText.of(written.notesLeftOut, "note")) left out: the format has no place for them")
    }
  }

  /// Passes on the bytes of a document; returns the document at its end, and whether the query had no result.
  private func write(
    _ document: any HistoryDocument, _ query: HistoryQuery, _ store: SensorStore,
    _ write: (_ bytes: [UInt8]) throws(LibreError) -> Void
  ) throws -> (document: any HistoryDocument, isEmpty: Bool) {
    var document = document
    var isEmpty = true
    try write(document.begin())
    let values = calibration.model.flatMap(CalibrationChoice.init) ?? .factory
    try store.forEachEntry(query, calibration: values) { entry throws(LibreError) in
      isEmpty = false
      try write(document.add(entry))
      return true
    }
    try write(document.end())
    return (document, isEmpty)
  }

  /// The lines that the new document must have of the file that it replaces; nil if there is nothing to lose, or with --force.
  private func replacement(by document: any HistoryDocument) throws(LibreError) -> ExportReplacement? {
    guard let out, !force.force else { return nil }
    do throws(LibreError) {
      try force.checkReplacement(of: out)
      return nil
    } catch {
      guard case .wouldLose = error.cause as? OutputError else { throw error }
      var document = document
      return ExportReplacement(title: document.begin())
    }
  }

  /// Checks that the new document, or else the whole store, has every line of the file that is replaced.
  private func check(
    _ replacement: ExportReplacement?, of path: String, _ document: any HistoryDocument, _ store: SensorStore
  ) throws {
    guard var contents = replacement else { return }
    contents.end()
    if try contents.missingLines(ofFile: path) > 0 {
      // A shorter range loses nothing as long as the store has the rest.
      _ = try write(document, Self.everything, store) { contents.add($0) }
      contents.end()
    }
    let missing = try contents.missingLines(ofFile: path)
    guard missing > 0 else { return }
    let lines = CountText.of(missing, "line")
    throw LibreError.output(.wouldLose(path: path, loss: "\(lines) that neither the new export nor the store has"))
  }

  private static var everything: HistoryQuery {
    var query = HistoryQuery()
    query.rings = Set(SampleRing.allCases)
    query.includesFingerSticks = true
    query.includesBloodPressure = true
    query.isNewestFirst = false
    return query
  }

}
