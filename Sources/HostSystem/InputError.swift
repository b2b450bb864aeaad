// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Why a file could not be read.
public enum InputError: ExplainedError {
  case notFound
  case isFolder
  case permissionDenied
  /// The operating system's own words.
  case unreadable(String)
  /// More bytes than are read. `found` is nil for what has no length, such as a pipe or a device.
  case tooLarge(found: Int?, limit: Int)
}

extension InputError {
  public var exitStatus: Int32 {
    switch self {
    case .notFound, .isFolder, .unreadable: 66
    case .permissionDenied: 77
    case .tooLarge: 65
    }
  }

  public var explanation: ErrorExplanation {
    switch self {
    case .notFound: ErrorExplanation("not_found", "there is no such file", "check the path")
    case .isFolder:
      ErrorExplanation(
        "is_folder", "it is a folder", "name a file in it; decode and import take all of them with --recursive")
    case .permissionDenied:
      ErrorExplanation("permission_denied", "you may not read it", "run ls -l on it, and chmod u+r if it is yours")
    case .unreadable(let reason):
      ErrorExplanation("unreadable", "it cannot be read: \(reason)", "check the disk or the connection")
    case .tooLarge(let found, let limit):
      ErrorExplanation(
        "too_large",
        "\(found.map { "it has \($0) bytes" } ?? "it goes on and on"), and at most \(limit) (\(limit >> 20) MiB) are read",
        "choose the dump of one sensor")
    }
  }
}
