// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Any JSON, read by the platform's parser and not by ours.
package indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  package init(parsing bytes: some Sequence<UInt8>) throws {
    self.init(try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
  }

  private init(_ value: Any) {
    switch value {
    // What is read as true or false has the C type of a char, and no number has.
    case let number as NSNumber: self = number.isTruth ? .bool(number.boolValue) : .number(number.doubleValue)
    case let text as String: self = .string(text)
    case let array as [Any]: self = .array(array.map(JSONValue.init))
    case let members as [String: Any]: self = .object(members.mapValues(JSONValue.init))
    default: self = .null
    }
  }

  /// A member; null where there is none, so that tests of a member's presence ask `keys`.
  package subscript(key: String) -> JSONValue {
    if case .object(let members) = self { members[key] ?? .null } else { .null }
  }

  package subscript(index: Int) -> JSONValue {
    if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { .null }
  }

  package var keys: Set<String> {
    if case .object(let members) = self { Set(members.keys) } else { [] }
  }

  package var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }
}

extension NSNumber {
  fileprivate var isTruth: Bool { String(cString: objCType) == "c" }
}
