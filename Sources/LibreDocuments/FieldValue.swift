// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import TextFormats

/// A type that the value of a field may have.
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

extension String: FieldValue {
  static var schema: JSONSchema { .string }
  func write(places: Int, to json: inout JSONWriter) { json.string(self) }
  func cell(places: Int) -> String { self }
}

extension Bool: FieldValue {
  static var schema: JSONSchema { .boolean }
  func write(places: Int, to json: inout JSONWriter) { json.value(self) }
  func cell(places: Int) -> String { description }
}

extension Int: FieldValue {
  static var schema: JSONSchema { .integer }
  func write(places: Int, to json: inout JSONWriter) { json.value(self) }
  func cell(places: Int) -> String { description }
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
  func cell(places: Int) -> String { description }
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
