// SPDX-License-Identifier: Apache-2.0
import TOMLKit

/// A table `[sinks.NAME]` of the configuration file, as it stands there.
package struct SinkSection: Hashable, Sendable {
  package static let table = "sinks"

  package let path: String
  package let name: String
  /// Numbers and truth values as text.
  package var values: [String: String]
  /// nil where nothing is said.
  package var send: [String]?

  package init(path: String, name: String, values: [String: String], send: [String]?) {
    self.path = path
    self.name = name
    self.values = values
    self.send = send
  }

  /// Throws `badValue` for what is neither a text, a number nor a truth value.
  init(path: String, name: String, _ value: any TOMLValueConvertible) throws(LibreError) {
    guard let table = value.table else {
      throw Self.bad(path, "\(Self.table).\(name)", "a table with type = \"nightscout\" or another")
    }
    var values: [String: String] = [:]
    var send: [String]?
    for (key, value) in table {
      let place = "\(Self.table).\(name).\(key)"
      if key == "send" {
        guard let list = value.array else { throw Self.bad(path, place, #"a list: ["glucose.history"]"#) }
        send = []
        for element in list {
          guard let part = element.string else {
            throw Self.bad(path, place, #"texts in quotes: ["glucose.history"]"#)
          }
          send?.append(part)
        }
      } else if let text = value.string {
        values[key] = text
      } else if let number = value.int {
        values[key] = String(number)
      } else if let isTrue = value.bool {
        values[key] = isTrue ? "true" : "false"
      } else {
        throw Self.bad(path, place, "a text in quotes, a whole number, or true and false")
      }
    }
    self.init(path: path, name: name, values: values, send: send)
  }

  /// Without the value, which may be a secret in the wrong place.
  private static func bad(_ path: String, _ key: String, _ allowed: String) -> LibreError {
    .configuration(.badValue(origin: path, key: key, value: "what it is", allowed: allowed))
  }

  /// As it is written into the file: TOML's basic strings, one key a line.
  package var text: String {
    var text = "[\(Self.table).\(name)]\n"
    for (key, value) in values.sorted(by: { ($0.key == "type" ? 0 : 1, $0.key) < ($1.key == "type" ? 0 : 1, $1.key) }) {
      let isBare = ["true", "false"].contains(value) || Int(value).map { String($0) == value } ?? false
      text += "\(key) = \(isBare ? value : Self.quoted(value))\n"
    }
    if let send { text += "send = [\(send.map(Self.quoted).joined(separator: ", "))]\n" }
    return text
  }

  package static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
