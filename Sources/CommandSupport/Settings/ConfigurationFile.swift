// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import LibreKit
import SensorHistory
package import TextFormats

/// The file `config.toml`: a line `key = "value"` per setting, and a table `[sinks.NAME]` per sink and `[alerts.NAME]` per rule
/// for alerts.
package struct ConfigurationFile: Sendable {
  package let path: String
  package let values: [Setting: String]
  /// Values of the user's file that apply where this one, a person's, sets none.
  package private(set) var shared: [Setting: String] = [:]
  package var settings: [Setting: String] { values.merging(shared) { own, _ in own } }
  /// Checked when a sink is used, so that an error in one does not prevent reading a sensor.
  package let sinks: [String: TOMLValue]
  /// Checked when alerts are evaluated, for the same reason.
  package let alerts: [String: TOMLValue]

  package static let sinksTable = "sinks"

  /// The path of the person's file below `XDG_CONFIG_HOME`, else below `~/.config`; nil if neither is known.
  package static func path(environment: [String: String]) -> String? {
    Person.path(of: "config.toml", .configuration, environment: environment)
  }

  /// - Throws: `noPlace` if the path is unknown.
  package static func requiredPath(environment: [String: String]) throws(LibreError) -> String {
    if let path = path(environment: environment) { return path }
    throw .configuration(.noPlace(of: "config.toml", variable: "XDG_CONFIG_HOME", option: nil))
  }

  /// Loads the file; nil if it does not exist.
  /// - Throws: `notTOML` with line and column, `unknownKey` (so that typing errors are noticed) or `unreadable`.
  package static func load(environment: [String: String]) throws(LibreError) -> ConfigurationFile? {
    guard let path = path(environment: environment), let bytes = try bytes(of: path) else { return nil }
    var file = try ConfigurationFile(path: path, bytes: bytes)
    if Person(of: environment) != .user, let user = try load(environment: Person.user.environment(from: environment)) {
      file.shared = user.values.filter { !$0.key.isPersonal }
    }
    return file
  }

  /// The path and the text of the file, empty if it does not exist. Keys are not checked, so that errors can be fixed.
  package static func text(environment: [String: String]) throws(LibreError) -> (path: String, text: TOMLText) {
    let path = try requiredPath(environment: environment)
    let bytes = try bytes(of: path) ?? []
    return (path, try parsed(path) { () throws(TOMLError) in try TOMLText(bytes) })
  }

  private static func parsed<Value>(
    _ path: String, _ parse: () throws(TOMLError) -> Value
  ) throws(LibreError) -> Value {
    do throws(TOMLError) { return try parse() } catch {
      throw .configuration(.notTOML(path: path, reason: error.message))
    }
  }

  /// Sets a key in the file; nil removes it. Other lines stay as they are. Returns false if nothing changed.
  /// - Throws: `cannotEdit` if the file has to be edited by hand.
  @discardableResult
  package static func set(_ key: String, to value: String?, environment: [String: String]) throws(LibreError) -> Bool {
    var (path, text) = try text(environment: environment)
    let before = text.bytes
    guard text.set(key.split(separator: ".").map(String.init), to: value.map(TOMLValue.init(settingText:))) else {
      throw .configuration(.cannotEdit(path: path, place: key))
    }
    if text.bytes == before { return false }
    try Files.writePrivate(text.bytes, to: path, keepsMode: true)
    return true
  }

  /// Writes the file with a changed table at `place`.
  /// - Throws: `cannotEdit` if `change` cannot make the change.
  static func write(
    _ text: TOMLText, to path: String, _ place: [String], isRehearsal: Bool = false, change: (inout TOMLText) -> Bool
  ) throws(LibreError) {
    var text = text
    guard change(&text) else {
      throw .configuration(.cannotEdit(path: path, place: "[\(place.joined(separator: "."))]"))
    }
    if !isRehearsal { try Files.writePrivate(text.bytes, to: path, keepsMode: true) }
  }

  package static func bytes(of path: String) throws(LibreError) -> [UInt8]? {
    // Every command would wait for a program that writes to it.
    if FileSystem.isNamedPipe(path) { throw .configuration(.unreadable(path: path, reason: "it is a named pipe")) }
    do throws(InputError) {
      return try FileSystem.read(path, limit: TOMLReader.sizeLimit)
    } catch .notFound {
      return nil
    } catch .tooLarge {
      throw .configuration(.notTOML(path: path, reason: TOMLError.tooLarge(limit: TOMLReader.sizeLimit).message))
    } catch {
      let reason = if case .unreadable(let reason) = error { reason } else { error.message }
      throw .configuration(.unreadable(path: path, reason: reason))
    }
  }

  package init(path: String, bytes: some Collection<UInt8>) throws(LibreError) {
    let document = try Self.parsed(path) { () throws(TOMLError) in try TOMLReader.read(bytes) }
    var values: [Setting: String] = [:]
    var sections: [String: [String: TOMLValue]] = [:]
    // Sorted by name, so that the same one of several errors is always reported.
    for (key, value) in document.sorted(by: { $0.key < $1.key }) {
      if [Self.sinksTable, AlertSetup.table].contains(key), case .table(let tables) = value {
        sections[key] = tables
      } else if case .table(let table) = value, Setting.all.contains(where: { $0.key.hasPrefix("\(key).") }) {
        for (name, value) in table.sorted(by: { $0.key < $1.key }) {
          try Self.add(value, key: "\(key).\(name)", path: path, &values)
        }
      } else {
        try Self.add(value, key: key, path: path, &values)
      }
    }
    (self.path, self.values) = (path, values)
    (sinks, alerts) = (sections[Self.sinksTable] ?? [:], sections[AlertSetup.table] ?? [:])
  }

  private static func add(
    _ value: TOMLValue, key: String, path: String, _ values: inout [Setting: String]
  ) throws(LibreError) {
    guard let setting = Setting.all.first(where: { $0.key == key }) else {
      throw .configuration(
        .unknownKey(path: path, key: key, known: Setting.all.map(\.key) + ["[sinks.NAME]", "[alerts.NAME]"]))
    }
    switch value {
    case .string, .integer, .boolean: values[setting] = value.settingText
    case .array(let elements):
      // A list of strings is another way to write names with commas between them.
      let texts = elements.compactMap { element in if case .string(let text) = element { text } else { nil } }
      guard texts.count == elements.count else { throw bad("a list with values other than text") }
      values[setting] = texts.joined(separator: ",")
    case .float(let text): throw bad(text)
    case .table: throw bad("a table")
    }
    func bad(_ value: String) -> LibreError {
      .configuration(.badValue(origin: path, key: key, value: value, allowed: setting.allowed))
    }
  }
}

extension TOMLValue {
  /// The text of a string, an integer or a boolean; nil for other values, which no key accepts.
  package var settingText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .boolean(let isTrue): isTrue ? "true" : "false"
    case .float, .array, .table: nil
    }
  }
}
