// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HistoryFormats
import HostSystem
import LibreKit
import SampleStore
import TextFormats

struct ExportCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the history for other programs.",
    discussion: """
      Formats: \(Registry.historyWriters.map(\.name).joined(separator: ", ")) (libre formats describes them). Values that a \
      sensor flagged are never written as glucose; data that a format cannot hold is left out and counted on standard error. \
      ndjson holds everything, and libre import reads it again.

      Examples:
        libre export --format libreview --out history.csv
        libre export --format fhir --from -90d | gzip > bundle.json.gz
      """)

  // --to is the old name, kept for scripts; in other commands --to is a time.
  @Option(
    name: [.customLong("format"), .customLong("to")],
    help: ArgumentHelp("Output format, see libre formats.", valueName: "format"),
    completion: .list(Registry.historyWriters.map(\.name)))
  var format: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Output file. Default: standard output.", valueName: "file"),
    completion: .file())
  var out: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Start of the range: \(TimeArgument.forms), or all.", valueName: "time")
  )
  var from = "all"

  @Option(parsing: .unconditional, help: ArgumentHelp("End of the range, in the same forms.", valueName: "time"))
  var until = "all"

  @OptionGroup var force: ForceOption
  @OptionGroup var ring: RingOption

  @OptionGroup var scope: ScopeOptions
  @OptionGroup var calibration: CalibrationOption

  @Option(
    name: .customLong("reference-id"),
    help: ArgumentHelp(
      "Name or number of the person, for formats that hold one. Default: the setting reference_id.",
      valueName: "name"))
  var referenceID: String?

  @OptionGroup var store: StoreOptions
  @OptionGroup var global: GlobalOptions
  var flags: [Setting: String] {
    var flags = store.flags.merging(calibration.flags) { $1 }
    flags[.referenceID] = referenceID
    return flags
  }

  func execute(_ session: Session) throws {
    guard let writer = Registry.historyWriters.first(where: { $0.name == format }) else {
      throw LibreError.history(.noSuchFormat(format, known: Registry.historyWriters.map(\.name)))
    }
    let path = try session.storePath()
    let store = try StoreFile.openForReading(path)
    let query = try query(store)
    let context = ExportContext(
      unit: session.configuration.unit, program: Program.name, version: Program.version, now: LocalTime.now,
      clock: LocalTime.clock, person: session.referenceID)
    var document = writer.document(context)
    let file = try OutputFile(out, session: session)
    try file.write(document.begin())
    let values = calibration.model.flatMap(CalibrationChoice.init) ?? .factory
    var isEmpty = true
    try store.forEachEntry(query, calibration: values) { entry throws(LibreError) in
      isEmpty = false
      try file.write(document.add(entry))
      return true
    }
    try file.write(document.end())
    if isEmpty, let out { try force.checkReplacement(of: out) }
    try file.finish()
    for (reason, count) in document.leftOut.sorted(by: { $0.key < $1.key }) {
      Session.notify("\(CountText.of(count, "value")) left out: \(reason)")
    }
  }

  private func query(_ store: SensorStore) throws -> HistoryQuery {
    var query = HistoryQuery()
    query.rings = ring.rings
    query.includesFingerSticks = true
    query.includesBloodPressure = true
    query.isNewestFirst = false
    query.from = try TimeArgument(from, of: "--from", now: LocalTime.now).first
    query.to = try TimeArgument(until, of: "--until", now: LocalTime.now).last
    query.scope = try scope.scope(in: store)
    return query
  }
}
