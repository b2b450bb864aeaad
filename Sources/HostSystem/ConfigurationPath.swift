// SPDX-License-Identifier: Apache-2.0

/// The path of a file, such as one with a secret, as it is written into the configuration file: absolute, below the home
/// directory (`~/`), or relative to the file's directory, which can be moved with all that is inside.
package enum ConfigurationPath {
  package static let allowed = "a path that begins with / or ~/, or one below the directory of the configuration file"

  /// True for a path that means the same in every working directory.
  package static func isValid(_ path: String) -> Bool {
    path.hasPrefix("/") || path.hasPrefix("~/")
      || !path.isEmpty && !path.hasPrefix("~") && !path.split(separator: "/").contains("..")
  }

  package static func absolute(_ path: String, in configuration: String, environment: [String: String]) -> String {
    let isOwn = path.hasPrefix("/") || path.hasPrefix("~/")
    return isOwn ? UserDirectories.expanded(path, environment: environment) : directory(of: configuration) + path
  }

  /// Returns the directory of a file, with a slash at its end.
  package static func directory(of file: String) -> String {
    file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/"
  }
}
