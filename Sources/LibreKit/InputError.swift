// SPDX-License-Identifier: Apache-2.0

/// Why a file could not be read at all.
public enum InputError: Error, Hashable, Sendable {
  case notFound
  case isFolder
  case permissionDenied
  /// The operating system's own words.
  case unreadable(String)
}
