// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
import GlucoseReport
import LibreDocuments
import LibreKit

/// Options that every command takes.
struct GlobalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Unit in which glucose is shown: mg/dL or mmol/L (mmol for short).", valueName: "unit"),
    completion: .list(["mg/dL", "mmol/L"]))
  var unit: String?

  @Option(help: ArgumentHelp("Zone of the times in tables, such as Europe/Rome.", valueName: "name"))
  var timeZone: String?

  @Option(
    help: ArgumentHelp("Colour: auto, always or never.", valueName: "when"),
    completion: .list(["auto", "always", "never"]))
  var color: String?

  @Flag(name: .shortAndLong, help: "Tell nothing but errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Log what is done; twice: every exchange with the reader and every setting, too.")
  var verbose: Int

  @Option(
    help: ArgumentHelp("Standard error: text, or json for one record a line.", valueName: "format"),
    completion: .list(["text", "json"]))
  var logFormat: String?

  @Flag(help: "Never wait for what a person types.")
  var noInput = false

  /// What the flags say, by setting.
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

/// How results are written.
struct OutputOptions: ParsableArguments {
  @Flag(exclusivity: .exclusive, help: "Write a table (default), one JSON document, JSON lines, or CSV.")
  var format: OutputFormat = .table
}

/// How readings are written.
struct ReadingOutputOptions: ParsableArguments {
  @OptionGroup var output: OutputOptions

  @Flag(help: "Leave out the samples: the sensor and the value of now alone.")
  var noSamples = false

  func validate() throws {
    if noSamples, output.format == .csv {
      throw ValidationError(
        "--csv has a row for each sample, and --no-samples leaves them out. Try: --json --no-samples")
    }
  }
}

extension OutputFormat: EnumerableFlag {}

/// Which store.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file in which samples are remembered; else history.sqlite in libre's data folder.", valueName: "file"),
    completion: .file())
  var store: String?

  /// What the flag says, by setting.
  var flags: [Setting: String] { store.map { [.store: $0] } ?? [:] }
}

/// Whether a file may be replaced although something in it is lost.
struct ForceOption: ParsableArguments {
  @Flag(help: "Replace a file even if something in it is lost.")
  var force = false

  /// Throws `output(wouldLose)` if a file holds anything, since nothing of that is in what comes.
  func checkReplacement(of path: String) throws(LibreError) {
    if !force { try FileReplacement.check(path) }
  }

  /// Throws `output(wouldLose)` if dumps in a file are not in the new one, or with less.
  func checkReplacement(of path: String, byDump dump: [UInt8]) throws(LibreError) {
    if !force { try FileReplacement.check(path, by: dump) }
  }
}

/// How a line is drawn more evenly than it was measured.
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

  /// nil draws what was measured.
  var choice: Smoothing? { smoothing.flatMap(Smoothing.init) }
}
