// SPDX-License-Identifier: Apache-2.0

package enum ReportError: ExplainedError {
  case undatedSensors(count: Int)
  /// Nothing to draw, in the words of the hint on it, with the way out.
  case nothingFound(String, resolution: String)
  case noConverter(from: String, to: String, known: [String], package: String, instead: String?)
  case converterFailed(program: String, makes: String, status: Int)

  package var explanation: (code: String, message: String) {
    switch self {
    case .undatedSensors(let count):
      ("undated_sensors", "these are samples of \(count) sensors, and it is unknown when they were read")
    case .nothingFound(let words, _): ("nothing_found", words)
    case .noConverter(let from, let to, let known, _, _):
      (
        "no_converter",
        "no program to convert \(from) to \(to) is installed (looked for \(known.joined(separator: ", ")))"
      )
    case .converterFailed(let program, let to, let status):
      ("converter_failed", "\(program) failed with exit status \(status) and wrote no \(to)")
    }
  }
}
