// SPDX-License-Identifier: Apache-2.0
import LibreKit
import TextFormats

/// A member of a JSON object: its name, its schema, and the code that writes it.
package struct Field<Row>: Sendable {
  let members: [JSONSchema.Member]
  /// Writes the member, or nothing if it is left out.
  let write: @Sendable (Row, inout JSONWriter) -> Void
  /// The member as columns of a table: one for a value, those of its members for an object, none for an array.
  private(set) var columns: [CSVColumn<Row>] = []

  /// A member that is always present unless `isPresent` decides it.
  init(
    writing name: String, _ schema: JSONSchema, when isPresent: (@Sendable (Row) -> Bool)? = nil,
    _ write: @escaping @Sendable (Row, inout JSONWriter) -> Void
  ) {
    members = [isPresent == nil ? .init(name, schema) : .optional(name, schema)]
    self.write = { row, json in
      if isPresent?(row) ?? true { json.member(name) { write(row, &$0) } }
    }
  }

  /// Includes the fields of another list, which the schema references as a whole.
  init<Part>(including fields: Fields<Part>, _ part: @escaping @Sendable (Row) -> Part) {
    members = []
    write = { fields.writeMembers(part($0), to: &$1) }
    columns = fields.columns.map { $0.of(part) }
  }

  init<Part>(_ field: Field<Part>, of part: @escaping @Sendable (Row) -> Part) {
    members = field.members
    write = { field.write(part($0), &$1) }
    columns = field.columns.map { $0.of(part) }
  }

  /// A member whose schema follows from its type unless one is given. An optional value may be null. Numbers
  /// have at most `places` decimals.
  init<Value: FieldValue>(
    _ name: String, _ schema: JSONSchema = Value.schema, _ description: String? = nil, places: Int = 4,
    when isPresent: (@Sendable (Row) -> Bool)? = nil, _ value: @escaping @Sendable (Row) -> Value
  ) {
    let schema = Value.isOptional ? schema.orNull : schema
    self.init(writing: name, schema.described(description), when: isPresent) {
      value($0).write(places: places, to: &$1)
    }
    columns = [CSVColumn(name) { value($0).cell(places: places) }.when(isPresent)]
  }

  /// A concentration, given in mg/dL, as a member in mmol/L, which rows of that unit have.
  init(
    millimoles name: String, _ schema: JSONSchema = .number, unit: @escaping @Sendable (Row) -> GlucoseUnit,
    _ milligrams: @escaping @Sendable (Row) -> Double?
  ) {
    self.init(name, schema, when: { unit($0) == .millimolesPerLitre }) {
      milligrams($0).map { GlucoseConcentration(milligramsPerDecilitre: $0).millimolesPerLitre }
    }
  }

  /// A member that is left out if its value is nil.
  init<Value: FieldValue>(
    ifKnown name: String, _ schema: JSONSchema = Value.schema, _ description: String? = nil, places: Int = 4,
    _ value: @escaping @Sendable (Row) -> Value?
  ) {
    self.init(writing: name, schema.described(description), when: { value($0) != nil }) {
      value($0)?.write(places: places, to: &$1)
    }
    columns = [CSVColumn(name) { value($0)?.cell(places: places) }.when { value($0) != nil }]
  }

  init<Part>(
    _ name: String, _ description: String? = nil, object fields: Fields<Part>, as schema: JSONSchema? = nil,
    when isPresent: (@Sendable (Row) -> Bool)? = nil, _ part: @escaping @Sendable (Row) -> Part
  ) {
    self.init(writing: name, (schema ?? fields.schema).described(description), when: isPresent) {
      fields.write(part($0), to: &$1)
    }
    columns = fields.columns.map { $0.of(part) }
  }

  /// An object that is left out if it is nil.
  init<Part>(
    ifKnown name: String, _ description: String? = nil, object fields: Fields<Part>,
    _ part: @escaping @Sendable (Row) -> Part?
  ) {
    self.init(writing: name, fields.schema.described(description), when: { part($0) != nil }) {
      if let part = part($0) { fields.write(part, to: &$1) }
    }
    columns = fields.columns.map { $0.of(part).when { part($0) != nil } }
  }

  init<Part>(
    _ name: String, _ description: String? = nil, objectOrNull fields: Fields<Part>, as schema: JSONSchema? = nil,
    _ part: @escaping @Sendable (Row) -> Part?
  ) {
    self.init(writing: name, schema ?? fields.schema.orNull.described(description)) {
      if let part = part($0) { fields.write(part, to: &$1) } else { $1.null() }
    }
    columns = fields.columns.map { $0.of(part) }
  }

  init<Part>(
    _ name: String, _ description: String? = nil, array fields: Fields<Part>, as schema: JSONSchema? = nil,
    when isPresent: (@Sendable (Row) -> Bool)? = nil, _ parts: @escaping @Sendable (Row) -> [Part]
  ) {
    self.init(writing: name, (schema ?? .array(of: fields.schema)).described(description), when: isPresent) {
      $1.array(parts($0)) { fields.write($1, to: &$0) }
    }
  }

  init<Part>(
    _ name: String, _ description: String? = nil, arrayOrNull fields: Fields<Part>,
    _ parts: @escaping @Sendable (Row) -> [Part]?
  ) {
    self.init(writing: name, JSONSchema.array(of: fields.schema).orNull.described(description)) {
      guard let parts = parts($0) else { return $1.null() }
      $1.array(parts) { fields.write($1, to: &$0) }
    }
  }

  /// The field with columns for what is written as an array.
  func with(columns: [CSVColumn<Row>]) -> Self {
    var field = self
    field.columns = columns
    return field
  }
}

/// The members of an object, listed once, for both its JSON Schema and its output.
package struct Fields<Row>: Sendable, ExpressibleByArrayLiteral {
  private let fields: [Field<Row>]

  package init(arrayLiteral fields: Field<Row>...) { self.fields = fields }
  init(_ fields: [Field<Row>]) { self.fields = fields }

  var members: [JSONSchema.Member] { fields.flatMap(\.members) }
  var schema: JSONSchema { .object(members) }

  /// The columns of all fields. Of two with the same name, which then mean the same, the first one stays.
  var columns: [CSVColumn<Row>] {
    var names: Set<String> = []
    return fields.flatMap(\.columns).filter { names.insert($0.name).inserted }
  }

  func columns(_ names: [String]) -> [CSVColumn<Row>] {
    let columns = columns
    return names.flatMap { name in columns.filter { $0.name == name } }
  }

  /// A table of rows, without the columns that none of them has.
  func table(of rows: [Row]) -> String {
    let columns = columns.filter { column in column.isPresent.map { rows.contains(where: $0) } ?? true }
    return CSVColumn.header(columns) + CSVColumn.rows(rows, columns)
  }

  func write(_ row: Row, to writer: inout JSONWriter) {
    writer.object { writeMembers(row, to: &$0) }
  }

  func writeMembers(_ row: Row, to json: inout JSONWriter) {
    for field in fields { field.write(row, &json) }
  }
}

protocol FieldValue: Sendable {
  static var schema: JSONSchema { get }
  static var isOptional: Bool { get }
  /// Numbers that may have a fraction have at most `places` decimals.
  func write(places: Int, to json: inout JSONWriter)
  /// The value as a cell of a table, with the same digits; null is empty.
  func cell(places: Int) -> String
}

extension FieldValue {
  static var isOptional: Bool { false }
}

extension FieldValue where Self: CustomStringConvertible {
  func cell(places: Int) -> String { description }
}

extension String: FieldValue {
  static var schema: JSONSchema { .string }
  func write(places: Int, to json: inout JSONWriter) { json.string(self) }
}

extension Bool: FieldValue {
  static var schema: JSONSchema { .boolean }
  func write(places: Int, to json: inout JSONWriter) { json.value(self) }
}

extension Int: FieldValue {
  static var schema: JSONSchema { .integer }
  func write(places: Int, to json: inout JSONWriter) { json.value(self) }
}

extension Double: FieldValue {
  static var schema: JSONSchema { .number }
  func write(places: Int, to json: inout JSONWriter) { json.value(self, places: places) }
  func cell(places: Int) -> String { isFinite ? DecimalText.shortest(self, places: places) : "" }
}

extension Instant: FieldValue {
  static var schema: JSONSchema { .time }
  func write(places: Int, to json: inout JSONWriter) { json.value(self) }
  func cell(places: Int) -> String { rfc3339 }
}

extension SampleID: FieldValue {
  static var schema: JSONSchema { .sampleID }
  func write(places: Int, to json: inout JSONWriter) { json.value(self) }
}

extension Array: FieldValue where Element: FieldValue {
  static var schema: JSONSchema { .array(of: Element.schema) }
  func write(places: Int, to json: inout JSONWriter) { json.array(self) { $1.write(places: places, to: &$0) } }
  func cell(places: Int) -> String { map { $0.cell(places: places) }.joined(separator: " ") }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  static var schema: JSONSchema { Wrapped.schema }
  static var isOptional: Bool { true }
  func write(places: Int, to json: inout JSONWriter) {
    if let self { self.write(places: places, to: &json) } else { json.null() }
  }
  func cell(places: Int) -> String { self?.cell(places: places) ?? "" }
}
