// SPDX-License-Identifier: Apache-2.0
package import HostSystem
package import LibreKit
package import SampleSync
import TextFormats

/// The text of a section in the configuration file, and back.
extension SinkSection {
  /// Creates the section of a new sink as the user typed it. `send` is nil for the history alone.
  package init(
    name: String, type: String, values: [String: String], send: [String]?, environment: [String: String]
  ) throws(LibreError) {
    self.init(
      path: try ConfigurationFile.requiredPath(environment: environment), name: name,
      values: values.merging(["type": type]) { $1 }, send: send)
  }

  /// Throws `badValue` for a value that is not a table, or has a value that is neither a text, an integer nor a
  /// boolean.
  init(path: String, name: String, _ value: TOMLValue) throws(LibreError) {
    self.init(path: path, name: name, values: [:], send: nil)
    guard case .table(let table) = value else { throw bad(nil, "a table with type = \"nightscout\" or another") }
    for (key, value) in table.sorted(by: { $0.key < $1.key }) {
      if key == "send" {
        guard case .array(let list) = value else { throw bad(key, #"a list: ["glucose.history"]"#) }
        send = try list.map { element throws(LibreError) in
          guard case .string(let part) = element else { throw bad(key, #"texts in quotes: ["glucose.history"]"#) }
          return part
        }
      } else if let text = value.settingText {
        values[key] = text
      } else {
        throw bad(key, "a text in quotes, a whole number, or true and false")
      }
    }
  }

  /// Creates an error without the value, which may be a misplaced secret.
  private func bad(_ key: String?, _ allowed: String) -> LibreError {
    let place = [ConfigurationFile.sinksTable, name, key].compactMap(\.self).joined(separator: ".")
    return .configuration(.badValue(origin: path, key: place, value: "what it is", allowed: allowed))
  }

  var keys: [(String, TOMLValue)] {
    values.sorted { ($0.key == "type" ? 0 : 1, $0.key) < ($1.key == "type" ? 0 : 1, $1.key) }
      .map { ($0, TOMLValue(settingText: $1)) } + (send.map { [("send", .array($0.map(TOMLValue.string)))] } ?? [])
  }

  package var text: String {
    "[\(ConfigurationFile.sinksTable).\(name)]\n" + keys.map { "\($0) = \($1.text)\n" }.joined()
  }
}

extension ConfigurationFile {
  /// Returns the section of each sink by name, or its error: an invalid sink does not affect others.
  package func sinkSections() -> [String: Result<SinkSection, LibreError>] {
    Dictionary(
      uniqueKeysWithValues: sinks.map { name, value in
        (name, Result { () throws(LibreError) in try SinkSection(path: path, name: name, value) })
      })
  }

  package func sinkSetups() -> SinkSetups {
    sinkSections().mapValues { section in
      Result { () throws(LibreError) in try SinkSetup(section.get(), settings: settings) }
    }
  }

  /// Returns the sinks with these names, or all of them, by name. An empty name is an empty choice, never "all".
  /// - Throws: `noneChosen`, `noSuchSink`; `noSinks` without any sink.
  package static func sinks(
    of file: ConfigurationFile?, named names: [String]
  ) throws(LibreError) -> [(name: String, setup: Result<SinkSetup, LibreError>)] {
    let all = file?.sinkSetups() ?? [:]
    if names.isEmpty {
      guard !all.isEmpty else { throw .sink(.noSinks) }
      return all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
    var chosen: [(name: String, setup: Result<SinkSetup, LibreError>)] = []
    for name in names where !chosen.contains(where: { $0.name == name }) {
      guard !name.isEmpty else { throw .sink(.noneChosen) }
      guard let setup = all[name] else { throw .sink(.noSuchSink(name, known: all.keys.sorted())) }
      chosen.append((name, setup))
    }
    return chosen
  }
}

extension ConfigurationPath {
  /// Returns an absolute path as it is written: relative if the file is inside the configuration file's directory.
  package static func written(_ path: String, environment: [String: String]) throws(LibreError) -> String {
    let directory = try directory(of: ConfigurationFile.requiredPath(environment: environment))
    return path.hasPrefix(directory) ? String(path.dropFirst(directory.count)) : path
  }
}

extension SinkSetup {
  /// `settings`: the file's settings outside its sections.
  package init(_ section: SinkSection, settings: [Setting: String] = [:]) throws(LibreError) {
    var defaults = SinkDefaults()
    defaults.referenceID = settings[.referenceID] ?? ""
    defaults.ignoredSources = Setting.names(settings[.ignoreSources] ?? "")
    defaults.unit = settings[.unit].map(Setting.unit.spelled)
    try self.init(section, defaults: defaults)
  }
}
