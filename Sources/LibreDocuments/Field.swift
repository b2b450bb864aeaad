// SPDX-License-Identifier: Apache-2.0
import LibreKit
import TextFormats

/// A member of a JSON object: its name, its schema, and the code that writes it.
struct Field<Row>: Sendable {
  /// The member's entry in the schema of the object.
  let members: [JSONSchema.Member]
  /// Writes the member, or nothing if it is left out.
  let write: @Sendable (Row, inout JSONWriter) -> Void

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
  }

  /// Creates a member that is left out if its value is nil.
  init<Value: FieldValue>(
    ifKnown name: String, _ schema: JSONSchema = Value.schema, _ description: String? = nil, places: Int = 4,
    _ value: @escaping @Sendable (Row) -> Value?
  ) {
    self.init(writing: name, schema.described(description), when: { value($0) != nil }) {
      value($0)?.write(places: places, to: &$1)
    }
  }

  /// Creates an object with its own fields.
  init<Part>(
    _ name: String, _ description: String? = nil, object fields: Fields<Part>, as schema: JSONSchema? = nil,
    when isPresent: (@Sendable (Row) -> Bool)? = nil, _ part: @escaping @Sendable (Row) -> Part
  ) {
    self.init(writing: name, (schema ?? fields.schema).described(description), when: isPresent) {
      fields.write(part($0), to: &$1)
    }
  }

  /// Creates an object with its own fields, or null for nil.
  init<Part>(
    _ name: String, _ description: String? = nil, objectOrNull fields: Fields<Part>, as schema: JSONSchema? = nil,
    _ part: @escaping @Sendable (Row) -> Part?
  ) {
    self.init(writing: name, schema ?? fields.schema.orNull.described(description)) {
      if let part = part($0) { fields.write(part, to: &$1) } else { $1.null() }
    }
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
}
