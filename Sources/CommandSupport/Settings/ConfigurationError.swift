// SPDX-License-Identifier: Apache-2.0
import LibreDocuments
package import LibreKit

package enum ConfigurationError: ExplainedError {
  case notTOML(path: String, reason: String)
  case unknownKey(path: String, key: String, known: [String])
  case badValue(origin: String, key: String, value: String, allowed: String)
  case badOption(name: String, value: String, allowed: String)
  case unknownVariables([String], known: [String])
  /// Neither HOME nor the other variable is set, so a file of libre has no path; `option` can name one.
  case noPlace(of: String, variable: String, option: String?)
  case unreadable(path: String, reason: String)
  /// The file is written in a form that libre cannot change without losing other text.
  case cannotEdit(path: String, place: String)

  package var explanation: (code: String, message: String) {
    switch self {
    case .notTOML(let path, let reason): ("configuration_not_toml", "\(path) is not valid TOML: \(reason)")
    case .unknownKey(let path, let key, _): ("configuration_unknown_key", "\(path) has the unknown key \(key)")
    case .badValue(let origin, let key, let value, _):
      ("configuration_bad_value", "\(origin): invalid value \(value) for \(key)")
    case .badOption(let name, let value, _): ("bad_option", "invalid value \(value) for \(name)")
    case .unknownVariables(let names, _):
      ("configuration_unknown_variable", "unknown setting in the environment: \(names.joined(separator: ", "))")
    case .noPlace(let file, let variable, _): ("no_home", "no path for \(file): neither \(variable) nor HOME is set")
    case .unreadable(let path, let reason): ("configuration_unreadable", "\(path) cannot be read: \(reason)")
    case .cannotEdit(let path, let place):
      ("cannot_edit_configuration", "libre cannot change \(place) in \(path) automatically")
    }
  }
}

extension ConfigurationError: RemediedError {
  package var exitStatus: Int32 {
    if case .badOption = self { 64 } else { 78 }
  }

  package var resolution: String {
    switch self {
    case .notTOML: "fix the file, then run libre config check"
    case .unknownKey(_, _, let known): "use one of \(known.joined(separator: ", "))"
    case .badValue(_, _, _, let allowed), .badOption(_, _, let allowed): "use \(allowed)"
    case .unknownVariables(_, let known): "unset it, or use one of \(known.joined(separator: ", "))"
    case .noPlace(_, _, let option): option.map { "use \($0), or set HOME" } ?? "set HOME, such as HOME=/root"
    case .unreadable(let path, _): "ls -ld \(path) shows who may read it, and dmesg what the disk reports"
    case .cannotEdit(_, let place): "edit \(place) by hand, then run libre config check"
    }
  }
}

extension LibreError {
  package static func configuration(_ error: ConfigurationError) -> LibreError { LibreError(error) }
}
