// SPDX-License-Identifier: Apache-2.0
import LibreKit
import TextFormats

/// The members of an object, listed once, for both its JSON Schema and its output.
struct Fields<Row>: Sendable, ExpressibleByArrayLiteral {
  private let fields: [Field<Row>]

  init(arrayLiteral fields: Field<Row>...) { self.fields = fields }
  init(_ fields: [Field<Row>]) { self.fields = fields }

  var members: [JSONSchema.Member] { fields.flatMap(\.members) }
  var schema: JSONSchema { .object(members) }

  /// The columns of all fields. Of two with the same name, which then mean the same, the first one stays.
  var columns: [CSVColumn<Row>] {
    var names: Set<String> = []
    return fields.flatMap(\.columns).filter { names.insert($0.name).inserted }
  }

  /// A table of rows, without the columns that none of them has.
  func table(of rows: [Row]) -> String {
    let columns = columns.filter { column in column.isPresent.map { rows.contains(where: $0) } ?? true }
    return CSVColumn.header(columns) + CSVColumn.rows(rows, columns)
  }

  func write(_ row: Row, to writer: inout JSONWriter) {
    writer.object { writeMembers(row, to: &$0) }
  }

  /// Writes the members without braces.
  func writeMembers(_ row: Row, to json: inout JSONWriter) {
    for field in fields { field.write(row, &json) }
  }
}
