// SPDX-License-Identifier: Apache-2.0

/// A file's own text as an error shows it.
enum CulpritText {
  private static let limit = 40

  /// In quotes, shortened, and with control characters as numbers, so that a file cannot write to the user's terminal.
  static func shown(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      if isPrintable(scalar) {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return "\"\(shown)\(text.unicodeScalars.dropFirst(limit).isEmpty ? "" : "…")\""
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
