// SPDX-License-Identifier: Apache-2.0

/// Paths below the user's home, written with `~/` as in a shell.
enum HomePath {
  /// The path with HOME in place of a leading `~`; as it is without a HOME, and where it begins otherwise.
  static func expanded(_ path: String, environment: [String: String]) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = environment["HOME"], !home.isEmpty else { return path }
    return home + path.dropFirst()
  }
}
