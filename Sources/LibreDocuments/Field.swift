// SPDX-License-Identifier: Apache-2.0
import LibreKit
import TextFormats

/// A member of a JSON object: its name, what its schema says, and how it is written.
struct Field<Row>: Sendable {
  /// What the schema of the object says of it.
  let members: [JSONSchema.Member]
  /// Writes the member, or nothing where it is left out.
  let write: @Sendable (Row, inout JSONWriter) -> Void

  /// A value that `write` writes. Without `isPresent` the member is always there.
  init(
    writing name: String, _ schema: JSONSchema, when isPresent: (@Sendable (Row) -> Bool)? = nil,
    _ write: @escaping @Sendable (Row, inout JSONWriter) -> Void
  ) {
    members = [isPresent == nil ? .init(name, schema) : .optional(name, schema)]
    self.write = { row, json in
      if isPresent?(row) ?? true { json.member(name) { write(row, &$0) } }
    }
  }

  /// The fields of another list, which the schema refers to as a whole.
  init<Part>(including fields: Fields<Part>, _ part: @escaping @Sendable (Row) -> Part) {
    members = []
    write = { fields.writeMembers(part($0), to: &$1) }
  }

  /// A value whose schema is that of its type unless another is given. It may be null if it may be nil. Numbers have at
  /// most `places` decimals.
  init<Value: FieldValue>(
    _ name: String, _ schema: JSONSchema = Value.schema, _ description: String? = nil, places: Int = 4,
    when isPresent: (@Sendable (Row) -> Bool)? = nil, _ value: @escaping @Sendable (Row) -> Value
  ) {
    let schema = Value.isOptional ? schema.orNull : schema
    self.init(writing: name, schema.described(description), when: isPresent) {
      value($0).write(places: places, to: &$1)
    }
  }

  /// A value; the member is left out where it is nil.
  init<Value: FieldValue>(
    ifKnown name: String, _ schema: JSONSchema = Value.schema, _ description: String? = nil, places: Int = 4,
    _ value: @escaping @Sendable (Row) -> Value?
  ) {
    self.init(writing: name, schema.described(description), when: { value($0) != nil }) {
      value($0)?.write(places: places, to: &$1)
    }
  }

  /// An object with fields of its own.
  init<Part>(
    _ name: String, _ description: String? = nil, object fields: Fields<Part>, as schema: JSONSchema? = nil,
    when isPresent: (@Sendable (Row) -> Bool)? = nil, _ part: @escaping @Sendable (Row) -> Part
  ) {
    self.init(writing: name, (schema ?? fields.schema).described(description), when: isPresent) {
      fields.write(part($0), to: &$1)
    }
  }

  /// The same; null for nil.
  init<Part>(
    _ name: String, _ description: String? = nil, objectOrNull fields: Fields<Part>, as schema: JSONSchema? = nil,
    _ part: @escaping @Sendable (Row) -> Part?
  ) {
    self.init(writing: name, schema ?? fields.schema.orNull.described(description)) {
      if let part = part($0) { fields.write(part, to: &$1) } else { $1.null() }
    }
  }

  /// An array of such objects.
  init<Part>(
    _ name: String, _ description: String? = nil, array fields: Fields<Part>, as schema: JSONSchema? = nil,
    when isPresent: (@Sendable (Row) -> Bool)? = nil, _ parts: @escaping @Sendable (Row) -> [Part]
  ) {
    self.init(writing: name, (schema ?? .array(of: fields.schema)).described(description), when: isPresent) {
      $1.array(parts($0)) { fields.write($1, to: &$0) }
    }
  }
}
