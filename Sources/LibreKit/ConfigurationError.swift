// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// An error in the configuration: in a file, a variable or an option.
public enum ConfigurationError: ExplainedError {
  /// The file is not valid TOML; `reason` names line and column.
  case notTOML(path: String, reason: String)
  /// The file has an unknown key.
  case unknownKey(path: String, key: String, known: [String])
  /// A key has an invalid value.
  case badValue(origin: String, key: String, value: String, allowed: String)
  /// An option has an invalid value.
  case badOption(name: String, value: String, allowed: String)
  /// The environment has unknown variables that begin with `LIBRE_`.
  case unknownVariables([String], known: [String])
  /// Neither HOME nor the other variable is set, so a file of libre has no path; `option` can name one.
  case noPlace(of: String, variable: String, option: String?)
  /// The file exists but cannot be read.
  case unreadable(path: String, reason: String)
  /// The file is written in a form that libre cannot change without losing other text.
  case cannotEdit(path: String, place: String)
}

extension ConfigurationError {
  public var explanation: ErrorExplanation {
    switch self {
    case .notTOML(let path, let reason):
      ErrorExplanation(
        "configuration_not_toml", "\(path) is not valid TOML: \(reason)", "fix the file, then run libre config check")
    case .unknownKey(let path, let key, let known):
      ErrorExplanation(
        "configuration_unknown_key", "\(path) has the unknown key \(key)",
        "use one of \(known.joined(separator: ", "))")
    case .badValue(let origin, let key, let value, let allowed):
      ErrorExplanation("configuration_bad_value", "\(origin): invalid value \(value) for \(key)", "use \(allowed)")
    case .badOption(let name, let value, let allowed):
      ErrorExplanation("bad_option", "invalid value \(value) for \(name)", "use \(allowed)")
    case .unknownVariables(let names, let known):
      ErrorExplanation(
        "configuration_unknown_variable",
        "unknown setting in the environment: \(names.joined(separator: ", "))",
        "unset it, or use one of \(known.joined(separator: ", "))")
    case .noPlace(let file, let variable, let option):
      ErrorExplanation(
        "no_home", "no path for \(file): neither \(variable) nor HOME is set",
        option.map { "use \($0), or set HOME" } ?? "set HOME, such as HOME=/root")
    case .unreadable(let path, let reason):
      ErrorExplanation(
        "configuration_unreadable", "\(path) cannot be read: \(reason)",
        "ls -ld \(path), and make it a readable file")
    case .cannotEdit(let path, let place):
      ErrorExplanation(
        "cannot_edit_configuration", "libre cannot change \(place) in \(path) automatically",
        "edit \(place) by hand, then run libre config check")
    }
  }

  public var exitStatus: Int32 {
    if case .badOption = self { 64 } else { 78 }
  }
}
