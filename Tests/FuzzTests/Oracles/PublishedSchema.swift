// SPDX-License-Identifier: Apache-2.0
import LibreDocuments
import LibreKit
import Synchronization
import TestSupport

/// A published JSON Schema, and whether a document is as it says: of draft 2020-12 exactly the words that our schemas
/// use. A word that it does not know is a failure, not passed over.
final class PublishedSchema: Sendable {
  private let name: String
  private let root: JSONValue
  private let patterns = Mutex<[String: Pattern]>([:])

  private struct Pattern: @unchecked Sendable { let regex: Regex<AnyRegexOutput> }

  convenience init(_ document: SchemaDocument) { self.init(document.identifier, document.jsonSchema) }

  init(_ name: String, _ text: String) {
    self.name = name
    root = (try? JSONValue(parsing: text.utf8)) ?? .null
  }

  /// Throws `OracleFailure` with the place of what is wrong.
  func check(_ document: some Sequence<UInt8>) throws(OracleFailure) {
    guard let value = try? JSONValue(parsing: document) else { throw OracleFailure(description: "\(name): no JSON") }
    guard case .object = root else { throw OracleFailure(description: "\(name): the schema is no object") }
    try check(value, root, "$")
  }

  /// Words about a schema, not about documents.
  private static let remarks: Set<String> = ["$schema", "$id", "$defs", "title", "description"]

  private func check(_ value: JSONValue, _ schema: JSONValue, _ place: String) throws(OracleFailure) {
    guard case .object(let rules) = schema else { throw failure(place, "a schema that is no object") }
    for (word, rule) in rules where !Self.remarks.contains(word) {
      try check(value, word, rule, rules, place)
    }
  }

  private func check(
    _ value: JSONValue, _ word: String, _ rule: JSONValue, _ rules: [String: JSONValue], _ place: String
  ) throws(OracleFailure) {
    switch word {
    case "type":
      let types = rule.text.map { [$0] } ?? rule.elements.compactMap(\.text)
      try require(types.contains { Self.is(value, $0) }, place, "\(value) is not \(types)")
    case "const": try require(value == rule, place, "\(value) is not \(rule)")
    case "enum": try require(rule.elements.contains(value), place, "\(value) is none of \(rule)")
    case "minimum": if let number = value.number { try require(number >= rule.number ?? .infinity, place, "\(number)") }
    case "maximum":
      if let number = value.number { try require(number <= rule.number ?? -.infinity, place, "\(number)") }
    case "pattern":
      if let text = value.text { try require(try matches(text, rule.text ?? "", place), place, "\(text): \(rule)") }
    case "minItems", "maxItems":
      guard case .array(let elements) = value, let limit = rule.number else { return }
      let isGood = word == "minItems" ? Double(elements.count) >= limit : Double(elements.count) <= limit
      try require(isGood, place, "\(elements.count) items")
    case "uniqueItems":
      try require(Set(value.elements).count == value.elements.count, place, "the same item twice")
    case "items":
      for (index, element) in value.elements.enumerated() { try check(element, rule, "\(place)[\(index)]") }
    case "properties":
      for key in rule.keys where value.keys.contains(key) { try check(value[key], rule[key], "\(place).\(key)") }
    case "required":
      guard case .object = value else { return }
      for key in rule.elements.compactMap(\.text) {
        try require(value.keys.contains(key), place, "\(key) is missing")
      }
    case "additionalProperties":
      for key in value.keys.subtracting((rules["properties"] ?? .null).keys) {
        if rule == .bool(false) { throw failure(place, "nothing is said of \(key)") }
        if rule != .bool(true) { try check(value[key], rule, "\(place).\(key)") }
      }
    case "oneOf", "anyOf":
      let fitting = rule.elements.count { isAs(value, $0, place) }
      try require(word == "oneOf" ? fitting == 1 : fitting > 0, place, "\(fitting) of \(rule.elements.count) fit")
    case "$ref":
      try check(value, try definition(rule.text ?? "", place), place)
    default: throw failure(place, "the word \(word) is not known here")
    }
  }

  private func isAs(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> Bool {
    do throws(OracleFailure) {
      try check(value, schema, place)
      return true
    } catch {
      return false
    }
  }

  private func definition(_ reference: String, _ place: String) throws(OracleFailure) -> JSONValue {
    guard reference.hasPrefix("#/") else { throw failure(place, "the reference \(reference)") }
    return reference.dropFirst(2).split(separator: "/").reduce(root) { $0[String($1)] }
  }

  private static func `is`(_ value: JSONValue, _ type: String) -> Bool {
    switch (value, type) {
    case (.null, "null"), (.bool, "boolean"), (.number, "number"), (.string, "string"), (.array, "array"),
      (.object, "object"):
      true
    case (.number(let number), "integer"): number == number.rounded()
    default: false
    }
  }

  private func matches(_ text: String, _ pattern: String, _ place: String) throws(OracleFailure) -> Bool {
    // Of thousands of repetitions Swift's engine makes thousands of steps to compile: digits are counted by hand.
    if pattern.hasPrefix("^([0-9A-F]{2}){"), pattern.hasSuffix("}$") {
      let limits = pattern.dropFirst(15).dropLast(2).split(separator: ",").compactMap { Int($0) }
      guard limits.count == 2 else { throw failure(place, "the pattern \(pattern)") }
      let isHex = text.utf8.allSatisfy("0123456789ABCDEF".utf8.contains)
      return isHex && text.utf8.count.isMultiple(of: 2) && (limits[0]...limits[1]).contains(text.utf8.count / 2)
    }
    return try patterns.withLock { known throws(OracleFailure) in
      if known[pattern] == nil {
        guard let regex = try? Regex(pattern) else { throw failure(place, "the pattern \(pattern)") }
        known[pattern] = Pattern(regex: regex)
      }
      return known[pattern].map { text.contains($0.regex) } ?? false
    }
  }

  private func require(_ holds: Bool, _ place: String, _ words: @autoclosure () -> String) throws(OracleFailure) {
    if !holds { throw failure(place, words()) }
  }

  private func failure(_ place: String, _ words: String) -> OracleFailure {
    OracleFailure(description: "\(name): \(place): \(words)")
  }
}
