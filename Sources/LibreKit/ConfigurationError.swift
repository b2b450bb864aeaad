// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Why the configuration cannot be used. The culprit is a file, a variable or an option.
public enum ConfigurationError: ExplainedError {
  /// The file is not TOML: words that name line and column.
  case notTOML(path: String, reason: String)
  /// A key that nothing reads.
  case unknownKey(path: String, key: String, known: [String])
  /// A value that its key does not take.
  case badValue(origin: String, key: String, value: String, allowed: String)
  /// The same, from the command line.
  case badOption(name: String, value: String, allowed: String)
  /// Variables of the environment that look like ours and are read by nothing.
  case unknownVariables([String], known: [String])
  /// Neither HOME nor the other variable is set, so that a file of ours has no place; the option that names one.
  case noPlace(of: String, variable: String, option: String?)
  /// The file is there but cannot be read.
  case unreadable(path: String, reason: String)
  /// The file is written in a way in which a program cannot change the place without losing what is around it.
  case cannotEdit(path: String, place: String)
}

extension ConfigurationError {
  public var explanation: ErrorExplanation {
    switch self {
    case .notTOML(let path, let reason):
      ErrorExplanation(
        "configuration_not_toml", "\(path) is not TOML: \(reason)", "mend the file, then: libre config check")
    case .unknownKey(let path, let key, let known):
      ErrorExplanation(
        "configuration_unknown_key", "\(path) has the key \(key), which nothing reads",
        "the keys are \(known.joined(separator: ", "))")
    case .badValue(let origin, let key, let value, let allowed):
      ErrorExplanation("configuration_bad_value", "\(origin): \(key) cannot be \(value)", "it takes \(allowed)")
    case .badOption(let name, let value, let allowed):
      ErrorExplanation("bad_option", "\(name) cannot be \(value)", "it takes \(allowed)")
    case .unknownVariables(let names, let known):
      ErrorExplanation(
        "configuration_unknown_variable",
        "\(names.joined(separator: ", ")) in the environment: no setting has such a name",
        "unset it, or use one of \(known.joined(separator: ", "))")
    case .noPlace(let file, let variable, let option):
      ErrorExplanation(
        "no_home", "\(file) has no place: neither \(variable) nor HOME is set",
        option.map { "name it with \($0), or set HOME" } ?? "set HOME, for instance: HOME=/root")
    case .unreadable(let path, let reason):
      ErrorExplanation(
        "configuration_unreadable", "\(path) cannot be read: \(reason)",
        "make it a file that you can read: ls -ld \(path) shows what it is")
    case .cannotEdit(let path, let place):
      ErrorExplanation(
        "cannot_edit_configuration", "\(path) is written in a way that libre does not change by itself",
        "edit \(place) in it by hand, then: libre config check")
    }
  }

  public var exitStatus: Int32 {
    if case .badOption = self { 64 } else { 78 }
  }
}
