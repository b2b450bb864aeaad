// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// A column of comma-separated values (RFC 4180, with LF): its name, and the cell of each row. An empty cell is null.
struct CSVColumn<Row>: Sendable {
  let name: String
  let cell: @Sendable (Row) -> String

  init(_ name: String, _ value: @escaping @Sendable (Row) -> String?) {
    self.name = name
    cell = { value($0) ?? "" }
  }

  /// A number with at most `places` decimals.
  init(_ name: String, places: Int, _ value: @escaping @Sendable (Row) -> Double?) {
    self.init(name) { value($0).map { DecimalText.shortest($0, places: places) } }
  }

  static func header(_ columns: [Self]) -> String { CSVWriting.row(columns.map(\.name)) }

  static func rows(_ rows: some Sequence<Row>, _ columns: [Self]) -> String {
    rows.reduce(into: "") { text, row in text += CSVWriting.row(columns.map { $0.cell(row) }) }
  }
}
