// SPDX-License-Identifier: Apache-2.0

/// A table in a page. Cells contain markup.
struct HTMLTable {
  /// Caption for screen readers.
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
