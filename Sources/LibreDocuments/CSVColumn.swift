// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// A column of comma-separated values (RFC 4180, with LF): its name, and the cell of each row. An empty cell is null.
struct CSVColumn<Row>: Sendable {
  let name: String
  let cell: @Sendable (Row) -> String
  /// True for a row that has the column; nil for a column of all rows.
  private(set) var isPresent: (@Sendable (Row) -> Bool)?

  init(_ name: String, _ value: @escaping @Sendable (Row) -> String?) {
    self.name = name
    cell = { value($0) ?? "" }
  }

  init(_ name: String, places: Int, _ value: @escaping @Sendable (Row) -> Double?) {
    self.init(name) { value($0).map { DecimalText.shortest($0, places: places) } }
  }

  /// The column of the rows that have this part; nil leaves the cell empty.
  func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row?) -> CSVColumn<Whole> {
    let cell = cell
    var column = CSVColumn<Whole>(name) { part($0).map(cell) }
    if let isPresent { column.isPresent = { part($0).map(isPresent) ?? false } }
    return column
  }

  /// The column with a condition: without a row that meets it, the column is left out.
  func when(_ isPresent: (@Sendable (Row) -> Bool)?) -> Self {
    var column = self
    column.isPresent = isPresent
    return column
  }

  static func header(_ columns: [Self]) -> String { CSVWriting.row(columns.map(\.name)) }

  static func rows(_ rows: some Sequence<Row>, _ columns: [Self]) -> String {
    rows.reduce(into: "") { text, row in text += CSVWriting.row(columns.map { $0.cell(row) }) }
  }
}
