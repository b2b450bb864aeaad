// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import LibreKit
package import SampleSync
import TextFormats

/// Adds, changes and removes sinks in the configuration file, and keeps all other text unchanged.
package enum SinkFile {
  /// Throws `exists`, and `cannotEdit` if the edited file would not have the intended content.
  package static func add(_ setup: SinkSetup, environment: [String: String]) throws(LibreError) {
    let (path, text) = try ConfigurationFile.text(environment: environment)
    if try ConfigurationFile(path: path, bytes: text.bytes).sinks[setup.name] != nil {
      throw .sink(.exists(setup.name, path: path))
    }
    try ConfigurationFile.write(text, to: path, place(setup.name)) {
      $0.append(table: place(setup.name), setup.section.keys)
    }
  }

  /// Throws `noSuchSink`, and `cannotEdit` if the sink is not written as a table of its own.
  package static func remove(_ name: String, environment: [String: String]) throws(LibreError) {
    let (path, text) = try ConfigurationFile.text(environment: environment)
    _ = try section(name, in: ConfigurationFile(path: path, bytes: text.bytes))
    try ConfigurationFile.write(text, to: path, place(name)) { $0.remove(table: place(name)) }
  }

  /// Changes some keys of a sink and returns it; nil removes a key, so that its default applies.
  /// - Throws: `noSuchSink`, errors of the new section, and `cannotEdit` if it is not a table of its own.
  package static func set(
    _ name: String, _ changes: [String: String?], send: [String]??, isRehearsal: Bool, environment: [String: String]
  ) throws(LibreError) -> SinkSetup {
    let (path, text) = try ConfigurationFile.text(environment: environment)
    let file = try ConfigurationFile(path: path, bytes: text.bytes)
    var section = try section(name, in: file)
    for (key, value) in changes { section.values[key] = value }
    if let send { section.send = send }
    let setup = try SinkSetup(section, settings: file.values)
    // The secret may be available only where it is used.
    try setup.check(secret: setup.type.secret == .none ? nil : Secret("(secret)"), environment: environment)
    var keys = changes.mapValues { $0.map(TOMLValue.init(settingText:)) }
    if let send { keys.updateValue(send.map { TOMLValue.array($0.map(TOMLValue.string)) }, forKey: "send") }
    try ConfigurationFile.write(text, to: path, place(name), isRehearsal: isRehearsal) { text in
      keys.sorted { $0.key < $1.key }.allSatisfy { text.set(place(name) + [$0], to: $1) }
    }
    return setup
  }

  private static func place(_ name: String) -> [String] { [ConfigurationFile.sinksTable, name] }

  private static func section(_ name: String, in file: ConfigurationFile) throws(LibreError) -> SinkSection {
    guard let section = file.sinkSections()[name] else {
      throw .sink(.noSuchSink(name, known: file.sinks.keys.sorted()))
    }
    return try section.get()
  }

  /// Returns the path for a secret given to `sink add`: next to the configuration file.
  package static func secretPath(of name: String, environment: [String: String]) throws(LibreError) -> String {
    try ConfigurationPath.directory(of: ConfigurationFile.requiredPath(environment: environment)) + "secrets/\(name)"
  }
}
