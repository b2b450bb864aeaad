// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import LibreKit

/// The value and origin of each setting: a flag overrides a variable, a variable the file, the file the default. A
/// person's file lies over the user's: what it does not set is as the user set it, except for what is personal.
package struct Configuration: Sendable {
  package enum Origin: Hashable, Sendable {
    case flag
    case variable(String)
    case file(String)
    case standard

    package var text: String {
      switch self {
      case .flag: "flag"
      case .variable(let name): name
      case .file(let path): path
      case .standard: "default"
      }
    }
  }

  package struct Value: Hashable, Sendable {
    package let text: String
    package let origin: Origin

    /// The text; nil if it is empty, which means that nothing is set.
    package var textIfSet: String? { text.isEmpty ? nil : text }

    package init(text: String, origin: Origin) { (self.text, self.origin) = (text, origin) }
  }

  private let values: [Setting: Value]

  package subscript(setting: Setting) -> Value {
    values[setting] ?? Value(text: setting.defaultValue, origin: .standard)
  }

  /// `shared` is the user's file below that of a person. Invalid values are refused.
  package init(
    flags: [Setting: String], environment: [String: String], file: ConfigurationFile?, shared: ConfigurationFile? = nil
  ) throws(LibreError) {
    var values: [Setting: Value] = [:]
    for setting in Setting.all {
      if let text = flags[setting].map(setting.spelled) {
        values[setting] = Value(text: text, origin: .flag)
      } else if let text = environment[setting.variable].map(setting.spelled), !text.isEmpty {
        let path = setting.isPath ? UserDirectories.expanded(text, environment: environment) : text
        values[setting] = Value(text: path, origin: .variable(setting.variable))
      } else if let (file, text) = Self.written(setting, in: file, over: shared) {
        let path = setting.isPath ? UserDirectories.expanded(text, environment: environment) : text
        if setting.isPath, !path.isEmpty, !path.hasPrefix("/") {
          throw .configuration(.badValue(origin: file.path, key: setting.key, value: text, allowed: setting.allowed))
        }
        values[setting] = Value(text: path, origin: .file(file.path))
      }
      if let value = values[setting], !setting.accepts(value.text) {
        throw .configuration(
          value.origin == .flag
            ? .badOption(name: setting.option, value: value.text, allowed: setting.allowed)
            : .badValue(origin: value.origin.text, key: setting.key, value: value.text, allowed: setting.allowed))
      }
    }
    self.values = values
  }

  private static func written(
    _ setting: Setting, in file: ConfigurationFile?, over shared: ConfigurationFile?
  ) -> (ConfigurationFile, String)? {
    for file in [file, setting.isPersonal ? nil : shared] {
      if let file, let text = file.values[setting] { return (file, setting.spelled(text)) }
    }
    return nil
  }

  package var unit: GlucoseUnit { GlucoseUnit(rawValue: self[.unit].text) ?? .milligramsPerDecilitre }
}
