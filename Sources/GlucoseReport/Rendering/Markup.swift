// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// Text as it may stand in HTML and SVG, between tags and in attributes.
enum Markup {
  /// With the five characters escaped that mean something there. White space becomes a blank; other control characters,
  /// marks that turn the direction of writing, and what XML forbids become U+FFFD, so that no name can hide or
  /// break what stands beside it.
  static func text(_ text: String) -> String {
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
