// SPDX-License-Identifier: Apache-2.0

/// Why there is no picture of values that are there.
public enum ReportError: Error, Hashable, Sendable {
  /// Several sensors, and none that was read at a known time: their samples have no common clock.
  case undatedSensors(count: Int)
  /// No program that makes PNG of SVG is installed.
  case noConverter(known: [String])
  /// One is, and did not do it.
  case converterFailed(program: String, status: Int)

  var exitStatus: Int32 {
    switch self {
    case .undatedSensors: 65
    case .noConverter, .converterFailed: 69
    }
  }

  var explanation: Explanation {
    switch self {
    case .undatedSensors(let count):
      Explanation(
        "undated_sensors", "these are samples of \(count) sensors, and nobody knows when they were read",
        "give one file, or the time of the read with --read-at")
    case .noConverter(let known):
      Explanation(
        "no_converter", "no program that turns SVG into PNG is installed (looked for \(known.joined(separator: ", ")))",
        "apt-get install librsvg2-bin, or use --svg")
    case .converterFailed(let program, let status):
      Explanation("converter_failed", "\(program) ended with \(status) and made no PNG", "use --svg")
    }
  }
}
