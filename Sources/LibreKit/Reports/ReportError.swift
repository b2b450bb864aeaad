// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Why there is no picture of values that are there.
public enum ReportError: ExplainedError {
  /// Several sensors, and none that was read at a known time: their samples have no common clock.
  case undatedSensors(count: Int)
  /// No program that makes one format of another is installed; the package that has one, and the option that needs none.
  case noConverter(from: String, to: String, known: [String], package: String, instead: String?)
  /// One is, and did not do it.
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
        "undated_sensors", "these are samples of \(count) sensors, and nobody knows when they were read",
        "give one file, or the time of the read with --read-at")
    case .noConverter(let from, let to, let known, let package, let instead):
      ErrorExplanation(
        "no_converter",
        "no program that turns \(from) into \(to) is installed (looked for \(known.joined(separator: ", ")))",
        "apt-get install \(package), or use \(instead ?? "--out with a name that ends in .html")")
    case .converterFailed(let program, let to, let status):
      ErrorExplanation(
        "converter_failed", "\(program) ended with \(status) and made no \(to)",
        to == "PNG" ? "use --svg" : "use --out with a name that ends in .html, and print that from a browser")
    }
  }
}
