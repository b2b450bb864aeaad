// SPDX-License-Identifier: Apache-2.0

/// A table in a page. Cells are markup already.
struct HTMLTable {
  /// What it is a table of, for those who hear it.
  let caption: String
  let head: [String]
  let rows: [[String]]
  /// Columns of words, to the left; the first is one in any case.
  var words: Set<Int> = []
  /// Columns that a narrow screen leaves out.
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
