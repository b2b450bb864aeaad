// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// Text escaped for HTML and SVG, in elements and attributes.
package enum Markup {
  /// Escapes the five special characters. White space becomes a space; other control characters, marks that change the
  /// direction of writing, and characters forbidden in XML become U+FFFD: a name cannot hide the text next to it.
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

extension Double {
  /// The number in an SVG path or attribute.
  var coordinate: String { DecimalText.shortest(self, places: 1) }
}

/// A table in a page. Cells contain markup.
struct HTMLTable {
  let caption: String
  let head: [String]
  let rows: [[String]]
  /// Columns of text, aligned left; the first column always is.
  var words: Set<Int> = []
  /// Columns that are hidden on a narrow screen.
  var optional: Set<Int> = []

  var html: String {
    var html = #"<div class="wide"><table><caption class="hidden">\#(caption)</caption><thead><tr>"#
    for (column, name) in head.enumerated() { html += #"<th scope="col"\#(kind(column))>\#(name)</th>"# }
    html += "</tr></thead><tbody>"
    for row in rows {
      html += "<tr>"
      for (column, cell) in row.enumerated() {
        html += column == 0 ? #"<th scope="row">\#(cell)</th>"# : "<td\(kind(column))>\(cell)</td>"
      }
      html += "</tr>\n"
    }
    return html + "</tbody></table></div>"
  }

  private func kind(_ column: Int) -> String {
    let kinds = (words.contains(column) ? ["words"] : []) + (optional.contains(column) ? ["optional"] : [])
    return kinds.isEmpty ? "" : #" class="\#(kinds.joined(separator: " "))""#
  }
}

/// Text by which the documents of this module are recognized, so that a newer one can replace an older one.
package enum DocumentMark {
  /// Text in the head of every report page.
  package static let page = "<title>Glucose report, "
  /// The beginning of the root element of every picture.
  package static let picture = #"<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t d" "#
}
