// SPDX-License-Identifier: Apache-2.0

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
      default: result.unicodeScalars.append(isForbidden(scalar) ? "\u{FFFD}" : scalar)
      }
    }
    return result
  }

  static func percent(_ value: Double?) -> String { text(ReportNumbers.percent(value)) }

  static func duration(minutes: Double?) -> String { text(ReportNumbers.duration(minutes: minutes)) }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    case 0xFEFF, 0xFFF9...0xFFFB, 0xFDD0...0xFDEF: true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }
}
