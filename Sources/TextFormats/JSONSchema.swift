// SPDX-License-Identifier: Apache-2.0

/// A JSON Schema (draft 2020-12): its keywords, in the published order.
package enum JSONSchema: Sendable {
  /// A value on one line.
  case text(String)
  case list([JSONSchema])
  case words([(word: String, value: JSONSchema)])

  package struct Member: Sendable {
    package let name: String
    package let schema: JSONSchema
    package var isRequired = true

    package init(_ name: String, _ schema: JSONSchema, _ description: String? = nil) {
      self.name = name
      self.schema = schema.described(description)
    }

    package static func optional(_ name: String, _ schema: JSONSchema, _ description: String? = nil) -> Self {
      var member = Self(name, schema, description)
      member.isRequired = false
      return member
    }
  }

  package static let string = type("string")
  package static let boolean = type("boolean")
  package static let integer = type("integer")
  package static let number = type("number")
  package static let count = integer.with("minimum", 0)
  /// A number that counts from 1.
  package static let ordinal = integer.with("minimum", 1)

  package static func type(_ name: String) -> Self { .words([("type", quoted(name))]) }
  package static func const(_ value: JSONSchema) -> Self { .words([("const", value)]) }
  package static func one(of values: String...) -> Self { one(of: values) }
  package static func one(of values: [String]) -> Self { .words([("enum", .list(values.map(quoted)))]) }
  package static func one<Word: RawRepresentable<String> & CaseIterable>(of words: Word.Type) -> Self {
    one(of: words.allCases.map(\.rawValue))
  }
  package static func one(of values: Int...) -> Self { .words([("enum", .list(values.map { .text("\($0)") }))]) }
  /// A reference to the definition with that name in the schema's `$defs`.
  package static func reference(_ name: String) -> Self { .words([("$ref", quoted("#/$defs/\(name)"))]) }
  package static func reference(_ name: String, and rules: JSONSchema) -> Self {
    guard case .words(let words) = reference(name), case .words(let others) = rules else { return rules }
    return .words(words + others)
  }
  package static func array(of items: JSONSchema) -> Self { type("array").with("items", items) }
  package static func object(ofAny values: JSONSchema) -> Self { type("object").with("additionalProperties", values) }

  package static func object(_ members: [Member]) -> Self {
    let required = members.filter(\.isRequired).map { quoted($0.name) }
    return .words(
      [
        ("type", quoted("object")),
        ("properties", .words(members.map { ($0.name, $0.schema) })),
      ] + (required.isEmpty ? [] : [("required", .list(required))]))
  }

  package var memberNames: [String] {
    guard case .words(let words) = self,
      case .words(let members)? = words.first(where: { $0.word == "properties" })?.value
    else { return [] }
    return members.map(\.word)
  }

  package var orNull: Self {
    guard case .words(var words) = self, let first = words.first else { return self }
    switch (first.word, first.value) {
    case ("type", .text): words[0].value = .list([first.value, JSONSchema.quoted("null")])
    case ("enum", .list(let values)): words[0].value = .list(values + [.text("null")])
    default: break
    }
    return .words(words)
  }

  /// Adds a keyword, before those about members or items (`last`) unless it is one of them.
  package func with(_ word: String, _ value: JSONSchema) -> Self {
    guard case .words(var words) = self else { return self }
    let last = ["properties", "items", "required", "additionalProperties", "uniqueItems", "oneOf"]
    let index = last.contains(word) ? nil : words.firstIndex { last.contains($0.word) }
    words.insert((word, value), at: index ?? words.endIndex)
    return .words(words)
  }

  package func with(_ word: String, _ value: Int) -> Self { with(word, .text("\(value)")) }
  package func matching(_ pattern: String) -> Self { with("pattern", .quoted(pattern)) }
  package func described(_ text: String?) -> Self { text.map { with("description", .quoted($0)) } ?? self }
  package func from(_ minimum: Int, to maximum: Int) -> Self { with("minimum", minimum).with("maximum", maximum) }

  /// The words of our schemas need no escapes in JSON.
  package static func quoted(_ text: String) -> Self { .text("\"\(text)\"") }

  /// The maximum line length; longer lines are broken if possible.
  private static let width = 117

  /// The text; its first line begins in `column` of a line that is indented by `depth` levels.
  package func text(depth: Int = 0, column: Int = 0) -> String {
    let line = oneLine
    if column + line.count < Self.width { return line }
    let indentation = String(repeating: "  ", count: depth + 1)
    let end = "\n" + indentation.dropLast(2)
    switch self {
    case .text(let text): return text
    case .words(let words):
      let lines = words.map { word, value in
        let start = "\(indentation)\"\(word)\": "
        return start + value.text(depth: depth + 1, column: start.count)
      }
      return "{\n" + lines.joined(separator: ",\n") + end + "}"
    case .list(let items):
      let lines = items.map { indentation + $0.text(depth: depth + 1, column: indentation.count) }
      return "[\n" + lines.joined(separator: ",\n") + end + "]"
    }
  }

  private var oneLine: String {
    switch self {
    case .text(let text): text
    case .list(let items): "[" + items.map(\.oneLine).joined(separator: ", ") + "]"
    case .words(let words): "{" + words.map { "\"\($0)\": " + $1.oneLine }.joined(separator: ", ") + "}"
    }
  }
}
