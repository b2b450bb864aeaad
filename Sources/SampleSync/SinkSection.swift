// SPDX-License-Identifier: Apache-2.0
import LibreKit
import TextFormats

/// A table `[sinks.NAME]` of the configuration file, unvalidated.
struct SinkSection: Hashable, Sendable {
  let path: String
  let name: String
  /// Values; numbers and booleans as text.
  var values: [String: String]
  /// Parts to send; nil if not set.
  var send: [String]?

  init(path: String, name: String, values: [String: String], send: [String]?) {
    self.path = path
    self.name = name
    self.values = values
    self.send = send
  }

  /// Creates a section from the value of `sinks.NAME`.
  ///
  /// - Throws: `badValue` for a value that is not a table, or a value in it that is neither a text, an integer nor a
  /// boolean.
  init(path: String, name: String, _ value: TOMLValue) throws(LibreError) {
    let place = "\(ConfigurationFile.sinksTable).\(name)"
    guard case .table(let table) = value else {
      throw Self.bad(path, place, "a table with type = \"nightscout\" or another")
    }
    var values: [String: String] = [:]
    var send: [String]?
    for (key, value) in table.sorted(by: { $0.key < $1.key }) {
      if key == "send" {
        guard case .array(let list) = value else {
          throw Self.bad(path, "\(place).send", #"a list: ["glucose.history"]"#)
        }
        send = []
        for element in list {
          guard case .string(let part) = element else {
            throw Self.bad(path, "\(place).send", #"texts in quotes: ["glucose.history"]"#)
          }
          send?.append(part)
        }
      } else if let text = value.settingText {
        values[key] = text
      } else {
        throw Self.bad(path, "\(place).\(key)", "a text in quotes, a whole number, or true and false")
      }
    }
    self.init(path: path, name: name, values: values, send: send)
  }

  /// Creates an error without the value, which may be a misplaced secret.
  private static func bad(_ path: String, _ key: String, _ allowed: String) -> LibreError {
    .configuration(.badValue(origin: path, key: key, value: "what it is", allowed: allowed))
  }

  /// Keys in the order of the file, the type first.
  var keys: [(String, TOMLValue)] {
    values.sorted { ($0.key == "type" ? 0 : 1, $0.key) < ($1.key == "type" ? 0 : 1, $1.key) }
      .map { ($0, TOMLValue(settingText: $1)) } + (send.map { [("send", .array($0.map(TOMLValue.string)))] } ?? [])
  }

  /// Text of the section in the file: one key a line.
  var text: String {
    "[\(ConfigurationFile.sinksTable).\(name)]\n" + keys.map { "\($0) = \($1.text)\n" }.joined()
  }
}

extension ConfigurationFile {
  /// Returns the section of each sink by name, or its error: an invalid sink does not affect others.
  func sinkSections() -> [String: Result<SinkSection, LibreError>] {
    var sections: [String: Result<SinkSection, LibreError>] = [:]
    for (name, value) in sinks {
      sections[name] = Result { () throws(LibreError) in try SinkSection(path: path, name: name, value) }
    }
    return sections
  }
}
