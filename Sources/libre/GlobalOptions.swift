// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import GlucoseReport
import LibreDocuments
import LibreKit

/// Options that every command takes.
struct GlobalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Unit in which glucose is shown: mg/dL or mmol/L (mmol for short).", valueName: "unit"),
    completion: .list(["mg/dL", "mmol/L"]))
  var unit: String?

  @Option(
    help: ArgumentHelp(
      "Whose store, settings and sinks: a name of libre person list, or me. Default: you.", valueName: "name"),
    completion: .persons)
  var person: String?

  @Option(help: ArgumentHelp("Time zone for times in tables, such as Europe/Rome.", valueName: "name"))
  var timeZone: String?

  @Option(
    help: ArgumentHelp("When to use colour: auto, always or never.", valueName: "when"),
    completion: .list(["auto", "always", "never"]))
  var color: String?

  @Flag(name: .shortAndLong, help: "Print only errors and results.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Log each step; given twice, also each exchange with the reader and each setting.")
  var verbose: Int

  @Option(
    help: ArgumentHelp("Format of standard error: text, or json for one record per line.", valueName: "format"),
    completion: .list(["text", "json"]))
  var logFormat: String?

  @Flag(help: "Never wait for input at the terminal.")
  var noInput = false

  /// The person that the command is about: the named one, else that of the variable, else the user.
  ///
  /// - Throws: `LibreError.person` for somebody unknown.
  func chosenPerson() throws(LibreError) -> Person {
    let environment = Session.environment
    guard let word = person ?? environment[Person.variable], !word.isEmpty else { return .user }
    return try Persons.named(word, environment: environment)
  }

  /// The environment in which that person's files are found.
  func environment() throws(LibreError) -> [String: String] {
    try chosenPerson().environment(from: Session.environment)
  }

  /// Settings from the flags.
  var flags: [Setting: String] {
    var flags: [Setting: String] = [:]
    flags[.unit] = unit
    flags[.timeZone] = timeZone
    flags[.color] = color
    if quiet { flags[.logLevel] = "error" }
    flags[.logFormat] = logFormat
    if noInput { flags[.noInput] = "true" }
    if verbose > 0 { flags[.logLevel] = verbose > 1 ? "debug" : "info" }
    return flags
  }
}

/// Options for the format of results.
struct OutputOptions: ParsableArguments {
  @Flag(exclusivity: .exclusive, help: "Write a table (default), one JSON document, JSON lines, or CSV.")
  var format: OutputFormat = .table
}

/// The option for CSV that is opened in a spreadsheet.
struct SpreadsheetOption: ParsableArguments {
  @Flag(help: "In CSV, put an apostrophe before text that a spreadsheet would run as a formula.")
  var csvSafe = false
}

/// Options for the format of readings.
struct ReadingOutputOptions: ParsableArguments {
  @OptionGroup var output: OutputOptions

  @Flag(help: "Print only the sensor and its current value, no samples.")
  var noSamples = false

  func validate() throws {
    if noSamples, output.format == .csv {
      throw ValidationError(
        "--csv writes one row per sample, and --no-samples leaves them out. Try: --json --no-samples")
    }
  }
}

extension OutputFormat: EnumerableFlag {}

/// The option for the store.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store, the file that keeps samples. Default: history.sqlite in libre's data folder.", valueName: "file"),
    completion: .file())
  var store: String?

  /// Settings from the option.
  var flags: [Setting: String] { store.map { [.store: $0] } ?? [:] }
}

/// The option that says whose an unknown sensor is.
struct OwnerOption: ParsableArguments {
  @Flag(help: "Store a sensor that was never read here as yours, even if you wear another one.")
  var mine = false

  /// True if the user has said whose it is, by this option or by a name.
  func isNamed(_ global: GlobalOptions) -> Bool { mine || global.person != nil }
}

/// The option that allows replacing a file although data in it is lost.
struct ForceOption: ParsableArguments {
  @Flag(help: "Replace an existing file even if data in it is lost.")
  var force = false

  /// Checks that a file is empty or absent before it is replaced.
  ///
  /// - Throws: `output(wouldLose)` if it holds data.
  func checkReplacement(of path: String) throws(LibreError) {
    if !force { try FileReplacement.check(path) }
  }

  /// Checks that a file is empty, absent, or an older document of the same kind before it is replaced.
  ///
  /// - Throws: `output(wouldLose)` if it holds anything else.
  func checkReplacement(of path: String, by document: FileReplacement.OwnDocument) throws(LibreError) {
    if !force { try FileReplacement.check(path, by: document) }
  }

  /// Checks that a new dump file holds everything that the file which it replaces holds.
  ///
  /// - Throws: `output(wouldLose)` if data would be lost.
  func checkReplacement(of path: String, byDump dump: [UInt8]) throws(LibreError) {
    if !force { try FileReplacement.check(path, by: dump) }
  }
}

/// The option that smooths a drawn line.
struct SmoothingOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Draw a smoothed line: \(Smoothing.allCases.map { "\($0.rawValue) (\($0.summary))" }.joined(separator: "; ")). Numbers stay as measured.",
      valueName: "name"))
  var smoothing: String?

  func validate() throws {
    if let smoothing, Smoothing(rawValue: smoothing) == nil {
      let names = Smoothing.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("invalid value \(smoothing) for --smoothing. Try: \(names)")
    }
  }

  /// The chosen smoothing; nil draws the measured values.
  var choice: Smoothing? { smoothing.flatMap(Smoothing.init) }
}
