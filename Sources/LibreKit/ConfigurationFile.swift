// SPDX-License-Identifier: Apache-2.0
import DumpFormats
import TOMLKit

/// `config.toml`: one line for each setting, `key = "value"`, and a table `[sinks.NAME]` for each sink.
public struct ConfigurationFile: Sendable {
  public let path: String
  let values: [Setting: String]
  /// What stands under `[sinks]`, by name. It is looked at when a sink is used: a mistake there keeps nobody from reading
  /// a sensor.
  let sinks: [String: Result<SinkSection, LibreError>]

  /// Where it is: below `XDG_CONFIG_HOME`, else below `~/.config`; nil if neither can be told.
  public static func path(environment: [String: String]) -> String? {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return "\(folder)/libre/config.toml" }
    return environment["HOME"].flatMap { $0.isEmpty ? nil : "\($0)/.config/libre/config.toml" }
  }

  /// The file at its place; nil if there is none.
  ///
  /// Throws `notTOML` with line and column, `unknownKey` (a typing error would else do nothing, silently) or `unreadable`.
  public static func load(environment: [String: String]) throws(LibreError) -> ConfigurationFile? {
    guard let path = path(environment: environment), let text = try text(of: path) else { return nil }
    return try ConfigurationFile(path: path, text: text)
  }

  /// More than a hundred sinks fit in it. The parser takes a file of megabytes apart into hundreds of them.
  static let sizeLimit = 32 << 10
  /// The parser goes one call deeper for each name in a key with dots, which stands on one line: 30,000 overflow its stack.
  static let lineLimit = 4 << 10

  /// nil if there is no such file.
  static func text(of path: String) throws(LibreError) -> String? {
    do {
      return String(decoding: try FileBytes.read(path, limit: sizeLimit), as: UTF8.self)
    } catch .input(.notFound) {
      return nil
    } catch .dump(.tooLarge) {
      throw tooLong(path)
    } catch .input(let reason) {
      throw .configuration(.unreadable(path: path, reason: LibreError.input(reason).message))
    }
  }

  private static func tooLong(_ path: String) -> LibreError {
    .configuration(.unreadable(path: path, reason: "it has more than \(sizeLimit) bytes"))
  }

  init(path: String, text: String) throws(LibreError) {
    if text.utf8.count > Self.sizeLimit { throw Self.tooLong(path) }
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if let long = lines.firstIndex(where: { $0.count > Self.lineLimit }) {
      let reason = "its line \(long + 1) has more than \(Self.lineLimit) bytes"
      throw .configuration(.unreadable(path: path, reason: reason))
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
    guard let text = value.string else {
      throw .configuration(
        .badValue(origin: path, key: key, value: "\(value)", allowed: "a text in quotes: \(setting.allowed)"))
    }
    values[setting] = text
  }
}
