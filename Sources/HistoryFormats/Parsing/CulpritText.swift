// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// A file's own text as an error shows it.
enum CulpritText {
  /// In quotes, shortened, and with control characters as numbers, so that a file cannot write to the user's terminal.
  static func shown(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(SafeText.excerptLength) {
      if SafeText.isPrintable(scalar) {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return "\"\(shown)\(text.unicodeScalars.dropFirst(SafeText.excerptLength).isEmpty ? "" : "…")\""
  }
}
