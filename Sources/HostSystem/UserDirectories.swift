// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The directories for a user's files: the XDG Base Directory Specification, with HOME as its default.
package enum UserDirectories {
  package enum Purpose: String, Sendable, CaseIterable {
    case configuration = "XDG_CONFIG_HOME"
    case data = "XDG_DATA_HOME"
    case state = "XDG_STATE_HOME"

    /// The environment variable that names the directory.
    package var variable: String { rawValue }

    /// The directory below HOME that is used if the variable is not set or is not an absolute path.
    fileprivate var standard: String {
      switch self {
      case .configuration: ".config"
      case .data: ".local/share"
      case .state: ".local/state"
      }
    }
  }

  /// Returns the path of libre's file of this name; nil if neither the variable nor HOME is set.
  package static func path(of file: String, _ purpose: Purpose, environment: [String: String]) -> String? {
    if let directory = environment[purpose.variable], directory.hasPrefix("/") { return "\(directory)/libre/\(file)" }
    return environment["HOME"].flatMap { $0.isEmpty ? nil : "\($0)/\(purpose.standard)/libre/\(file)" }
  }

  /// The directory of the user's sockets: the one that the session names, or that of systemd for this user.
  package static func runtime(_ environment: [String: String]) -> String {
    environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/run/user/\(geteuid())"
  }

  /// Returns a user's path with HOME in place of a leading `~`; unchanged without a HOME.
  package static func expanded(_ path: String, environment: [String: String]) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = environment["HOME"], !home.isEmpty else { return path }
    return home + path.dropFirst()
  }
}
