// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import DumpFormats
package import GlucoseReport
import HostSystem
package import LibreDocuments
package import SensorHistory

package struct GlobalOptions: ParsableArguments {
  package init() {}

  @Option(
    help: .value("unit", "Unit in which glucose is shown: mg/dL or mmol/L (mmol for short)."),
    completion: .list(["mg/dL", "mmol/L"]))
  package var unit: String?

  @Option(
    help: .value("name", "Whose store, settings and sinks: a name of libre person list, or me. Default: you."),
    completion: .persons)
  package var person: String?

  @Option(help: .value("name", "Time zone for times in tables, such as Europe/Rome."))
  package var timeZone: String?

  @Option(
    help: .value("when", "When to use colour: auto, always or never."), completion: .list(["auto", "always", "never"]))
  package var color: String?

  @Flag(name: .shortAndLong, help: "Print only errors and results.")
  package var quiet = false

  @Flag(name: .shortAndLong, help: "Log each step; given twice, also each exchange with the reader and each setting.")
  package var verbose: Int

  @Option(
    help: .value("format", "Format of standard error: text, or json for one record per line."),
    completion: .list(["text", "json"]))
  package var logFormat: String?

  @Flag(help: "Never wait for input at the terminal.")
  package var noInput = false

  /// The person that the command is about: the named one, else that of the variable, else the user.
  package func chosenPerson() throws(LibreError) -> Person {
    let environment = Session.environment
    guard let word = person ?? environment[Person.variable], !word.isEmpty else { return .user }
    return try Persons.named(word, environment: environment)
  }

  package func environment() throws(LibreError) -> [String: String] {
    try chosenPerson().environment(from: Session.environment)
  }

  package var flags: [Setting: String] {
    let logLevel = verbose > 1 ? "debug" : verbose > 0 ? "info" : quiet ? "error" : nil
    let flags: [Setting: String?] = [
      .unit: unit, .timeZone: timeZone, .color: color, .logLevel: logLevel, .logFormat: logFormat,
      .noInput: noInput ? "true" : nil,
    ]
    return flags.compactMapValues(\.self)
  }
}

package struct OutputOptions: ParsableArguments {
  package init() {}

  @Flag(exclusivity: .exclusive, help: "Write a table (default), one JSON document, JSON lines, or CSV.")
  package var format: OutputFormat = .table
}

extension OutputFormat: EnumerableFlag {}

package struct SpreadsheetOption: ParsableArguments {
  package init() {}

  @Flag(help: "In CSV, put an apostrophe before text that a spreadsheet would run as a formula.")
  package var csvSafe = false
}

package struct ReadingOutputOptions: ParsableArguments {
  package init() {}

  @OptionGroup package var output: OutputOptions

  @Flag(help: "Print only the sensor and its current value, no samples.")
  package var noSamples = false

  package func validate() throws {
    try refuse(
      if: noSamples && output.format == .csv,
      "--csv writes one row per sample, and --no-samples leaves them out. Try: --json --no-samples")
  }
}

package struct StoreOption: ParsableArguments {
  package init() {}

  @Option(
    help: .value("file", "The store, the file that keeps samples. Default: history.sqlite in libre's data folder."),
    completion: .file())
  package var store: String?

  package var flags: [Setting: String] { store.map { [.store: $0] } ?? [:] }
}

/// The last options of a command with a store.
package struct StoreOptions: ParsableArguments {
  package init() {}

  @OptionGroup package var option: StoreOption
  @OptionGroup package var global: GlobalOptions

  package var store: String? { option.store }
  package var flags: [Setting: String] { option.flags }
}

package struct OwnerOption: ParsableArguments {
  package init() {}

  @Flag(help: "Store a sensor that was never read here as yours, even if you wear another one.")
  package var mine = false

  /// True if the user has said whose it is, by this option or by a name.
  package func isNamed(_ global: GlobalOptions) -> Bool { mine || global.person != nil }
}

/// The option that allows replacing a file although data in it is lost. Its checks throw `output(wouldLose)`.
package struct ForceOption: ParsableArguments {
  package init() {}

  @Flag(help: "Replace an existing file even if data in it is lost.")
  package var force = false

  /// Checks that a file is empty or absent before it is replaced.
  package func checkReplacement(of path: String) throws(LibreError) {
    if !force { try FileReplacement.check(path) }
  }

  /// Checks that a file is empty, absent, or an older document of the same kind before it is replaced.
  package func checkReplacement(of path: String, by document: FileReplacement.OwnDocument) throws(LibreError) {
    if !force { try FileReplacement.check(path, by: document) }
  }

  /// Checks that a new dump file holds everything that the file which it replaces holds.
  package func checkReplacement(of path: String, byDump dump: [UInt8]) throws(LibreError) {
    if !force { try FileReplacement.check(path, by: dump) }
  }

  /// Writes a dump to a file, or to standard output for `-`.
  package func write(dump: [UInt8], to path: String, isPrivate: Bool = true, _ session: Session) throws(LibreError) {
    if path == "-" { return try session.write(dump) }
    try checkReplacement(of: path, byDump: dump)
    try libre(FileSystem.write(dump, to: path, isPrivate: isPrivate))
  }
}

/// The option for the calibration, which turns counts (raw values) into glucose.
package struct CalibrationOption: ParsableArguments {
  package init() {}

  @Option(name: .customLong("calibration"), help: .value("model", CalibrationEntry.help()), completion: .calibrations)
  package var model: String?

  package var flags: [Setting: String] { model.map { [.calibration: $0] } ?? [:] }

  package func choice(_ session: Session) -> CalibrationChoice {
    CalibrationChoice(session.configuration[.calibration].text) ?? .factory
  }

  /// The calibration for values of a store. Prints a notice if it is the user's, and the sensor in use has none.
  /// - Throws: `store(noUserCalibration)` if the option is `user` and no sensor has such a calibration.
  package func choice(_ session: Session, in store: SensorStore) throws -> CalibrationChoice {
    let choice = choice(session)
    guard case .user = choice else { return choice }
    let sensors = try store.sensors()
    let hasOne = sensors.contains { $0.wears.contains { $0.userCalibration != nil } }
    if !hasOne, model != nil { throw LibreError.store(.noUserCalibration) }
    let newest = sensors.compactMap(\.latestWear).filter { $0.lastReadAt != nil }.max {
      ($0.lastReadAt?.secondsSince1970 ?? 0) < ($1.lastReadAt?.secondsSince1970 ?? 0)
    }
    if let newest, newest.userCalibration == nil {
      session.remark(
        "the sensor in use has not been calibrated with finger-sticks: its values are the factory's",
        resolution: "libre add VALUE after a finger-stick, then libre calibrate")
    }
    return choice
  }
}

package struct SmoothingOption: ParsableArguments {
  package init() {}

  @Option(
    help: .value(
      "name",
      "Draw a smoothed line: \(Smoothing.allCases.map { "\($0.rawValue) (\($0.summary))" }.joined(separator: "; ")). Numbers stay as measured."
    ))
  package var smoothing: String?

  package func validate() throws {
    let names = Smoothing.allCases.map(\.rawValue).joined(separator: ", ")
    try check(smoothing, of: "--smoothing", allowed: names) { Smoothing(rawValue: $0) != nil }
  }

  package var choice: Smoothing? { smoothing.flatMap(Smoothing.init) }
}

extension CompletionKind {
  package static var calibrations: CompletionKind { .list(Catalogue.standard.calibrations.map(\.name) + ["user"]) }
  package static var dumpWriters: CompletionKind { .list(Catalogue.standard.dumpWriters.map(\.name)) }
  package static var settings: CompletionKind { .list(Setting.all.map(\.key)) }

  // Names from the user's configuration and store. Errors give an empty list: a shell cannot show them.

  package static var persons: CompletionKind {
    .custom { _, _, _ in [Person.userWord] + Persons.all(environment: Session.environment).map(\.word) }
  }

  package static var sinks: CompletionKind {
    .custom { _, _, _ in
      (try? ConfigurationFile.load(environment: Session.environment))?.sinkSetups().keys.sorted() ?? []
    }
  }

  package static var alerts: CompletionKind {
    .custom { _, _, _ in
      (try? ConfigurationFile.load(environment: Session.environment))?.alerts.keys.sorted() ?? []
    }
  }

  package static var sensors: CompletionKind {
    .custom { _, _, _ in
      ((try? store?.sensorIdentities()) ?? []).compactMap { $0.identity.serial ?? $0.identity.uid?.description }
    }
  }

  package static var sources: CompletionKind { .custom { _, _, _ in (try? store?.sources()) ?? [] } }

  private static var store: SensorStore? {
    guard let global = try? GlobalOptions.parse([]), let session = try? Session(global),
      let path = try? session.storePath()
    else { return nil }
    return try? StoreFile.openForReading(path)
  }
}

package struct SpanOptions: ParsableArguments {
  package init() {}

  // A time may begin with a minus, as no option's value usually does.
  @Option(parsing: .unconditional, help: .value("time", "Start of the range: \(TimeArgument.forms), or all."))
  package var from: String?

  @Option(
    parsing: .unconditional,
    help: .value("time", "End of the range, in the same forms; a date includes its whole day."))
  package var to: String?

  @Option(parsing: .unconditional, help: .hidden)
  package var until: String?

  package var isUsed: Bool { from != nil || to != nil || until != nil }

  /// The limits of the range, with `standard` as its start without `--from`; nil means unlimited.
  package func ends(now: Instant, standard: Instant?) throws(LibreError) -> (from: Instant?, to: Instant?) {
    if to != nil, let until {
      throw .configuration(.badOption(name: "--until", value: until, allowed: "it or --to, which are the same option"))
    }
    var ends = (from: standard, to: Instant?.none)
    if let from { ends.from = try TimeArgument(from, of: "--from", now: now).first }
    let end = to.map { (option: "--to", text: $0) } ?? until.map { (option: "--until", text: $0) }
    if let end { ends.to = try TimeArgument(end.text, of: end.option, now: now).last }
    guard let end, let first = ends.from, let last = ends.to, first > last else { return ends }
    let allowed =
      from.map { "a time after --from \($0)" }
      ?? "--from too: without it the range begins at \(LocalTime.minuteText(first))"
    throw .configuration(.badOption(name: end.option, value: end.text, allowed: allowed))
  }

  /// The end of the range that statistics cover, at most now: future values are not missing. nil without limits.
  package func end(of ends: (from: Instant?, to: Instant?), now: Instant) -> Instant? {
    ends.from == nil && ends.to == nil ? nil : min(ends.to ?? now, now)
  }
}

package struct RingOption: ParsableArguments {
  package init() {}

  @Option(
    help: .value(
      "ring",
      "Which samples of the sensor's memory, which has two rings: history (one value every 15 minutes), trend (one value a minute for the last 16 minutes) or all."
    ),
    completion: .list(["history", "trend", "all"]))
  package var ring = "history"

  package func validate() throws {
    try check(ring, of: "--ring", allowed: "history, trend or all") { $0 == "all" || SampleRing(rawValue: $0) != nil }
  }

  package var rings: Set<SampleRing> { Set(SampleRing.allCases.filter { ring == "all" || ring == $0.rawValue }) }
}

package struct ScopeOptions: ParsableArguments {
  package init() {}

  @Option(
    help: .value("sensor", "Only this sensor, by UID or serial or the beginning of one; may be repeated."),
    completion: .sensors)
  package var sensor: [String] = []

  @Option(
    help: .value(
      "name",
      "Only this source: the name under which values were imported, such as libreview, or \(HistoryScope.ownSource) for values that libre read; may be repeated."
    ),
    completion: .sources)
  package var source: [String] = []

  package var isUsed: Bool { !sensor.isEmpty || !source.isEmpty }

  /// The scope of the named sensors and sources; without names, all but the ignored sources.
  package func scope(in store: SensorStore, ignoring ignoredSources: Set<String> = []) throws(StoreError)
    -> HistoryScope
  {
    var sensors: Set<StoredSensor.ID> = []
    for name in sensor { sensors.insert(try store.chosenWear(of: name, wear: nil).sensor.id) }
    return try store.scope(sensors: sensors, sources: Set(source), ignoring: ignoredSources)
  }
}

extension CalibrationEntry {
  package static func help(default: String = Setting.calibration.defaultValue) -> String {
    "Calibration, which turns counts (the sensor's raw values) into glucose: "
      + Catalogue.standard.calibrations.map { "\($0.usage) (\($0.summary))" }.joined(separator: "; ") + ". "
      + Catalogue.standard.calibrations.compactMap({ $0.caution }).map { "\($0) " }.joined() + "Default: \(`default`)."
  }
}
