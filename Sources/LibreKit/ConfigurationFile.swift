// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import HostSystem
package import TextFormats

/// `config.toml`: one line for each setting, `key = "value"`, and a table `[sinks.NAME]` for each sink.
public struct ConfigurationFile: Sendable {
  public let path: String
  package let values: [Setting: String]
  /// The values under `[sinks]`, by name. They are checked when a sink is used: a mistake in one of them keeps nobody from
  /// reading a sensor.
  package let sinks: [String: TOMLValue]

  package static let sinksTable = "sinks"

  /// Where it is: below `XDG_CONFIG_HOME`, else below `~/.config`; nil if neither can be told.
  public static func path(environment: [String: String]) -> String? {
    UserDirectories.path(of: "config.toml", .configuration, environment: environment)
  }

  /// The same. Throws `noPlace` where it cannot be told.
  public static func requiredPath(environment: [String: String]) throws(LibreError) -> String {
    if let path = path(environment: environment) { return path }
    throw .configuration(.noPlace(of: "config.toml", variable: "XDG_CONFIG_HOME", option: nil))
  }

  /// The file at its place; nil if there is none.
  ///
  /// Throws `notTOML` with line and column, `unknownKey` (a typing error would else do nothing, silently) or `unreadable`.
  public static func load(environment: [String: String]) throws(LibreError) -> ConfigurationFile? {
    guard let path = path(environment: environment), let bytes = try bytes(of: path) else { return nil }
    return try ConfigurationFile(path: path, bytes: bytes)
  }

  /// The file's text to be changed, empty if there is no such file, and where it is. What its keys mean is not looked at,
  /// so that a mistake in it can be mended.
  package static func text(environment: [String: String]) throws(LibreError) -> (path: String, text: TOMLText) {
    let path = try requiredPath(environment: environment)
    let bytes = try bytes(of: path) ?? []
    do {
      return (path, try TOMLText(bytes))
    } catch {
      throw .configuration(.notTOML(path: path, reason: error.message))
    }
  }

  /// Writes a key into the file in place of what it has there; nil takes it out. The other lines stay as they are.
  ///
  /// Returns false where nothing had to be changed. Throws `cannotEdit` where only a person can change it.
  @discardableResult
  public static func set(_ key: String, to value: String?, environment: [String: String]) throws(LibreError) -> Bool {
    var (path, text) = try text(environment: environment)
    let before = text.bytes
    guard text.set(key.split(separator: ".").map(String.init), to: value.map(TOMLValue.init(settingText:))) else {
      throw .configuration(.cannotEdit(path: path, place: key))
    }
    if text.bytes == before { return false }
    try Files.writePrivate(text.bytes, to: path, keepsMode: true)
    return true
  }

  /// The content of the file; nil if there is no such file.
  package static func bytes(of path: String) throws(LibreError) -> [UInt8]? {
    do throws(InputError) {
      return try FileSystem.read(path, limit: TOMLReader.sizeLimit)
    } catch .notFound {
      return nil
    } catch .tooLarge {
      throw .configuration(.notTOML(path: path, reason: TOMLError.tooLarge(limit: TOMLReader.sizeLimit).message))
    } catch {
      throw .configuration(.unreadable(path: path, reason: error.message))
    }
  }

  package init(path: String, bytes: some Collection<UInt8>) throws(LibreError) {
    let document: [String: TOMLValue]
    do {
      document = try TOMLReader.read(bytes)
    } catch {
      throw .configuration(.notTOML(path: path, reason: error.message))
    }
    var values: [Setting: String] = [:]
    var sinks: [String: TOMLValue] = [:]
    // By name, so that of several mistakes the same one is always reported.
    for (key, value) in document.sorted(by: { $0.key < $1.key }) {
      if key == Self.sinksTable, case .table(let sections) = value {
        sinks = sections
      } else if case .table(let table) = value, Setting.all.contains(where: { $0.key.hasPrefix("\(key).") }) {
        for (name, value) in table.sorted(by: { $0.key < $1.key }) {
          try Self.take(value, key: "\(key).\(name)", path: path, &values)
        }
      } else {
        try Self.take(value, key: key, path: path, &values)
      }
    }
    self.path = path
    self.values = values
    self.sinks = sinks
  }

  private static func take(
    _ value: TOMLValue, key: String, path: String, _ values: inout [Setting: String]
  ) throws(LibreError) {
    guard let setting = Setting.all.first(where: { $0.key == key }) else {
      throw .configuration(.unknownKey(path: path, key: key, known: Setting.all.map(\.key) + ["[sinks.NAME]"]))
    }
    switch value {
    case .string, .integer, .boolean: values[setting] = value.settingText
    case .array(let elements):
      // A list of strings is another way to write names with commas between them.
      let texts = elements.compactMap { element in if case .string(let text) = element { text } else { nil } }
      guard texts.count == elements.count else { throw bad("a list of other values than text") }
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
  /// A string, an integer or a boolean as text; nil for all other values, which no key takes.
  package var settingText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .boolean(let isTrue): isTrue ? "true" : "false"
    case .float, .array, .table: nil
    }
  }
}
