// SPDX-License-Identifier: Apache-2.0
import TOMLKit

/// `config.toml`: one line for each setting, `key = "value"`.
public struct ConfigurationFile: Sendable {
  public let path: String
  let values: [Setting: String]

  /// Where it is: below `XDG_CONFIG_HOME`, else below `~/.config`; nil if neither can be told.
  public static func path(environment: [String: String]) -> String? {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return "\(folder)/libre/config.toml" }
    return environment["HOME"].flatMap { $0.isEmpty ? nil : "\($0)/.config/libre/config.toml" }
  }

  /// The file at its place; nil if there is none.
  ///
  /// Throws `notTOML` with line and column, `unknownKey` (a typing error would else do nothing, silently) or `unreadable`.
  public static func load(environment: [String: String]) throws(LibreError) -> ConfigurationFile? {
    guard let path = path(environment: environment) else { return nil }
    do {
      return try ConfigurationFile(path: path, text: String(decoding: FileBytes.read(path), as: UTF8.self))
    } catch .input(.notFound) {
      return nil
    } catch .input(let reason) {
      throw .configuration(.unreadable(path: path, reason: LibreError.input(reason).message))
    }
  }

  init(path: String, text: String) throws(LibreError) {
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch {
      throw .configuration(.notTOML(path: path, reason: "\(error)"))
    }
    var values: [Setting: String] = [:]
    for (key, value) in table {
      guard let setting = Setting.all.first(where: { $0.key == key }) else {
        throw .configuration(.unknownKey(path: path, key: key, known: Setting.all.map(\.key)))
      }
      guard let text = value.string else {
        throw .configuration(
          .badValue(origin: path, key: key, value: "\(value)", allowed: "a text in quotes: \(setting.allowed)"))
      }
      values[setting] = text
    }
    self.path = path
    self.values = values
  }
}
