// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import GlucoseReport

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
      throw ValidationError("--smoothing \(smoothing) is none. Try: \(names)")
    }
  }

  /// nil draws what was measured.
  var choice: Smoothing? { smoothing.flatMap(Smoothing.init) }
}
