// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import HostSystem
import TOMLKit

/// `config.toml`: one line for each setting, `key = "value"`, and a table `[sinks.NAME]` for each sink.
public struct ConfigurationFile: Sendable {
  public let path: String
  package let values: [Setting: String]
  /// What stands under `[sinks]`, by name. It is looked at when a sink is used: a mistake there keeps nobody from reading
  /// a sensor.
  package let sinks: [String: Result<SinkSection, LibreError>]

  /// Where it is: below `XDG_CONFIG_HOME`, else below `~/.config`; nil if neither can be told.
  public static func path(environment: [String: String]) -> String? {
    UserDirectories.path(of: "config.toml", .configuration, environment: environment)
  }

  /// The file at its place; nil if there is none.
  ///
  /// Throws `notTOML` with the line, `unknownKey` (a typing error would else do nothing, silently) or `unreadable`.
  public static func load(environment: [String: String]) throws(LibreError) -> ConfigurationFile? {
    guard let path = path(environment: environment), let text = try text(of: path) else { return nil }
    return try ConfigurationFile(path: path, text: text)
  }

  /// nil if there is no such file.
  package static func text(of path: String) throws(LibreError) -> String? {
    do throws(InputError) {
      return String(decoding: try FileSystem.read(path, limit: TOMLShape.sizeLimit), as: UTF8.self)
    } catch .notFound {
      return nil
    } catch .tooLarge {
      throw .configuration(.notTOML(path: path, reason: TOMLShape.tooLong.reason))
    } catch {
      throw .configuration(.unreadable(path: path, reason: error.message))
    }
  }

  package init(path: String, text: String) throws(LibreError) {
    do {
      try TOMLShape.check(text)
    } catch {
      throw .configuration(.notTOML(path: path, reason: error.reason))
    }
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch {
      throw .configuration(.notTOML(path: path, reason: "\(error)"))
    }
    var values: [Setting: String] = [:]
    var sinks: [String: Result<SinkSection, LibreError>] = [:]
    for (key, value) in table {
      if key == SinkSection.table, let sections = value.table {
        for (name, section) in sections {
          sinks[name] = Result { () throws(LibreError) in try SinkSection(path: path, name: name, section) }
        }
      } else if let inner = value.table, Setting.all.contains(where: { $0.key.hasPrefix("\(key).") }) {
        for (name, value) in inner { try Self.take(value, key: "\(key).\(name)", path: path, &values) }
      } else {
        try Self.take(value, key: key, path: path, &values)
      }
    }
    self.path = path
    self.values = values
    self.sinks = sinks
  }

  private static func take(
    _ value: any TOMLValueConvertible, key: String, path: String, _ values: inout [Setting: String]
  ) throws(LibreError) {
    guard let setting = Setting.all.first(where: { $0.key == key }) else {
      throw .configuration(.unknownKey(path: path, key: key, known: Setting.all.map(\.key) + ["[sinks.NAME]"]))
    }
    guard let text = Self.text(of: value) else {
      throw .configuration(.badValue(origin: path, key: key, value: "\(value)", allowed: setting.allowed))
    }
    values[setting] = text
  }

  /// A text, a whole number or a truth value as text; a list of texts with commas between them.
  private static func text(of value: any TOMLValueConvertible) -> String? {
    if let text = value.string { return text }
    if let number = value.int { return String(number) }
    if let isTrue = value.bool { return isTrue ? "true" : "false" }
    guard let list = value.array else { return nil }
    let texts = list.compactMap(\.string)
    return texts.count == list.count ? texts.joined(separator: ",") : nil
  }
}
