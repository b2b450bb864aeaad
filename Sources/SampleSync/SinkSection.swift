// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The settings of a sink as they are written, unvalidated: a table `[sinks.NAME]` of the configuration file.
package struct SinkSection: Hashable, Sendable {
  /// The file that they are from; paths in it are relative to its directory.
  package let path: String
  package let name: String
  /// Values; numbers and booleans as text.
  package var values: [String: String]
  package var send: [String]?

  package init(path: String, name: String, values: [String: String], send: [String]?) {
    (self.path, self.name, self.values, self.send) = (path, name, values, send)
  }
}

extension SinkSection {
  /// Reads a key that is not a parameter of the type; nil if it is not set. Throws `bad` if `read` returns nil.
  func value<Value>(_ key: String, allowed: String, _ read: (String) -> Value?) throws(LibreError) -> Value? {
    guard let text = values[key] else { return nil }
    guard let value = read(text) else { throw error(.bad(key: key, value: text, allowed: allowed)) }
    return value
  }

  func number(_ key: String, in range: ClosedRange<Int>) throws(LibreError) -> Int? {
    try value(key, allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func error(_ error: SinkOptionError) -> LibreError { .sink(.option(sink: name, error)) }
}
