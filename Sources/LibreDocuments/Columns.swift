// SPDX-License-Identifier: Apache-2.0
import LibreKit
import TextFormats

/// Text in columns, as wide as their widest cell. Cells may come from a store or a device, so none can set a colour.
enum Columns {
  enum Alignment {
    case left
    case right
  }

  /// The lines of a table under its head.
  static func table(_ head: [String], _ rows: [[String]], _ alignments: [Alignment], style: Style) -> [String] {
    let lines = lines([head] + rows, alignments)
    return [style.dim(lines[0])] + lines.dropFirst()
  }

  /// One line per row. A row may have fewer cells than there are columns; lines have no trailing spaces.
  static func lines(_ rows: [[String]], _ alignments: [Alignment]) -> [String] {
    let rows = rows.map { $0.map(SafeText.line) }
    let widths = alignments.indices.map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return alignments[column] == .left ? row[column] + padding : padding + row[column]
      }
      return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }
  }
}
