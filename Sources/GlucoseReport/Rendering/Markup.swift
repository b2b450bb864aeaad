// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// Text escaped for HTML and SVG, in elements and attributes.
package enum Markup {
  /// Escapes the five special characters. White space becomes a space; other control characters, marks that change the
  /// direction of writing, and characters forbidden in XML become U+FFFD, so that a name cannot hide or break the text
  /// next to it.
  package static func text(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t", "\n", "\r": result += " "
      default: result.unicodeScalars.append(SafeText.isPrintable(scalar) ? scalar : "\u{FFFD}")
      }
    }
    return result
  }

  static func percent(_ value: Double?) -> String { text(ReportNumbers.percent(value)) }

  static func duration(minutes: Double?) -> String { text(ReportNumbers.duration(minutes: minutes)) }
}
