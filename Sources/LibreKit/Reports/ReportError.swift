// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// An error that prevents a report of existing values.
public enum ReportError: ExplainedError {
  /// Several sensors, none of them read at a known time: their samples have no common clock.
  case undatedSensors(count: Int)
  /// No program for a conversion is installed; names a package that has one, and an option that needs none.
  case noConverter(from: String, to: String, known: [String], package: String, instead: String?)
  /// The program for a conversion failed.
  case converterFailed(program: String, makes: String, status: Int)

  public var exitStatus: Int32 {
    switch self {
    case .undatedSensors: 65
    case .noConverter, .converterFailed: 69
    }
  }

  public var explanation: ErrorExplanation {
    switch self {
    case .undatedSensors(let count):
      ErrorExplanation(
        "undated_sensors", "these are samples of \(count) sensors, and it is unknown when they were read",
        "use one file, or give the time of the read with --read-at")
    case .noConverter(let from, let to, let known, let package, let instead):
      ErrorExplanation(
        "no_converter",
        "no program to convert \(from) to \(to) is installed (looked for \(known.joined(separator: ", ")))",
        "apt-get install \(package), or use \(instead ?? "--out with a name that ends in .html")")
    case .converterFailed(let program, let to, let status):
      ErrorExplanation(
        "converter_failed", "\(program) failed with exit status \(status) and wrote no \(to)",
        to == "PNG" ? "use --svg" : "use --out with a name that ends in .html, and print it from a browser")
    }
  }
}
