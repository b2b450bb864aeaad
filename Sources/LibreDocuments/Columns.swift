// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// Text in columns, as wide as their widest cell. Cells may come from a store or a device, so none can set a colour.
package enum Columns {
  package enum Alignment { case left, right }

  package static func table(
    _ head: [String], _ rows: [[String]], _ alignments: [Alignment] = [], style: Style
  ) -> [String] {
    let lines = lines([head] + rows, alignments)
    return [style.dim(lines[0])] + lines.dropFirst()
  }

  /// Names with their values, below a heading. A fact without a value is left out.
  package static func facts(_ facts: KeyValuePairs<String, String?>) -> [String] {
    indented(facts.compactMap { name, value in value.map { [name, $0] } })
  }

  package static func indented(_ rows: [[String]], _ alignments: [Alignment] = []) -> [String] {
    lines(rows, alignments).map { "  \($0)" }
  }

  /// One line per row. Rows may have fewer cells than others; columns without an alignment are aligned left; lines have
  /// no trailing spaces.
  package static func lines(_ rows: [[String]], _ alignments: [Alignment] = []) -> [String] {
    let rows = rows.map { $0.map(SafeText.line) }
    let widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        let isRight = column < alignments.count && alignments[column] == .right
        return isRight ? padding + row[column] : row[column] + padding
      }
      return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }
  }
}
