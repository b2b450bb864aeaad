// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// The path of a file that a sink needs, such as its secret, as it is written into the configuration file: absolute,
/// below the home directory (`~/`), or relative to the file's directory, which can be moved with all that is inside.
package enum ConfigurationPath {
  static let allowed = "a path that begins with / or ~/, or one below the directory of the configuration file"

  /// True for a path that means the same in every working directory.
  static func isValid(_ path: String) -> Bool {
    path.hasPrefix("/") || path.hasPrefix("~/")
      || !path.isEmpty && !path.hasPrefix("~") && !path.split(separator: "/").contains("..")
  }

  static func absolute(_ path: String, in configuration: String, environment: [String: String]) -> String {
    let isOwn = path.hasPrefix("/") || path.hasPrefix("~/")
    return isOwn ? UserDirectories.expanded(path, environment: environment) : directory(of: configuration) + path
  }

  /// Returns the directory of a file, with a slash at its end.
  package static func directory(of file: String) -> String {
    file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/"
  }
}
