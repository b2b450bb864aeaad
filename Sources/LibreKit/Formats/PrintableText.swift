// SPDX-License-Identifier: Apache-2.0

/// Text that others have made, fit for a terminal.
enum PrintableText {
  /// The text with a `?` for each control character: a device may put anything into its name.
  static func of(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}

extension String {
  /// As much of a value as a message repeats, fit for a terminal.
  var shownSafely: String { PrintableText.of(String(prefix(40))) }
}
