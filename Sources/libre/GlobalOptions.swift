// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
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

  @Flag(name: .shortAndLong, help: "Tell more; twice for even more.")
  var verbose: Int

  /// What the flags say, by setting.
  var flags: [Setting: String] {
    var flags: [Setting: String] = [:]
    flags[.unit] = unit
    flags[.timeZone] = timeZone
    flags[.color] = color
    if quiet { flags[.logLevel] = "error" }
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
