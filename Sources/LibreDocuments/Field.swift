// SPDX-License-Identifier: Apache-2.0
import LibreKit
import TextFormats

/// A member of a JSON object: its name, its schema, and the code that writes it.
struct Field<Row>: Sendable {
  /// The member's entry in the schema of the object.
  let members: [JSONSchema.Member]
  /// Writes the member, or nothing if it is left out.
  let write: @Sendable (Row, inout JSONWriter) -> Void
  /// The member as columns of a table: one for a value, those of its members for an object, none for an array.
  private(set) var columns: [CSVColumn<Row>] = []

  /// Creates a member that `write` writes. Without `isPresent` it is always present.
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

  /// Creates a field that a part of the row has.
  init<Part>(_ field: Field<Part>, of part: @escaping @Sendable (Row) -> Part) {
    members = field.members
    write = { field.write(part($0), &$1) }
    columns = field.columns.map { $0.of(part) }
  }

  /// Creates a member whose schema follows from its type unless one is given. An optional value may be null. Numbers
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

  /// Creates a member that is left out if its value is nil.
  init<Value: FieldValue>(
    ifKnown name: String, _ schema: JSONSchema = Value.schema, _ description: String? = nil, places: Int = 4,
    _ value: @escaping @Sendable (Row) -> Value?
  ) {
    self.init(writing: name, schema.described(description), when: { value($0) != nil }) {
      value($0)?.write(places: places, to: &$1)
    }
    columns = [CSVColumn(name) { value($0)?.cell(places: places) }.when { value($0) != nil }]
  }

  /// Creates an object with its own fields.
  init<Part>(
    _ name: String, _ description: String? = nil, object fields: Fields<Part>, as schema: JSONSchema? = nil,
    when isPresent: (@Sendable (Row) -> Bool)? = nil, _ part: @escaping @Sendable (Row) -> Part
  ) {
    self.init(writing: name, (schema ?? fields.schema).described(description), when: isPresent) {
      fields.write(part($0), to: &$1)
    }
    columns = fields.columns.map { $0.of(part) }
  }

  /// Creates an object with its own fields, or null for nil.
  init<Part>(
    _ name: String, _ description: String? = nil, objectOrNull fields: Fields<Part>, as schema: JSONSchema? = nil,
    _ part: @escaping @Sendable (Row) -> Part?
  ) {
    self.init(writing: name, schema ?? fields.schema.orNull.described(description)) {
      if let part = part($0) { fields.write(part, to: &$1) } else { $1.null() }
    }
    columns = fields.columns.map { $0.of(part) }
  }

  /// Creates an array of objects with these fields.
  init<Part>(
    _ name: String, _ description: String? = nil, array fields: Fields<Part>, as schema: JSONSchema? = nil,
    when isPresent: (@Sendable (Row) -> Bool)? = nil, _ parts: @escaping @Sendable (Row) -> [Part]
  ) {
    self.init(writing: name, (schema ?? .array(of: fields.schema)).described(description), when: isPresent) {
      $1.array(parts($0)) { fields.write($1, to: &$0) }
    }
  }

  /// Creates an array of objects with these fields, or null for nil.
  init<Part>(
    _ name: String, _ description: String? = nil, arrayOrNull fields: Fields<Part>,
    _ parts: @escaping @Sendable (Row) -> [Part]?
  ) {
    self.init(writing: name, JSONSchema.array(of: fields.schema).orNull.described(description)) {
      guard let parts = parts($0) else { return $1.null() }
      $1.array(parts) { fields.write($1, to: &$0) }
    }
  }

  /// Returns the field with columns for what is written as an array.
  func with(columns: [CSVColumn<Row>]) -> Self {
    var field = self
    field.columns = columns
    return field
  }
}
