// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// The reasons why a file could not be read.
public enum InputError: ExplainedError {
  case notFound
  case isFolder
  case permissionDenied
  /// The file cannot be read; the operating system's text.
  case unreadable(String)
  /// The file is larger than the limit. `found` is nil for a source without length, such as a pipe or a device.
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
    case .notFound: ErrorExplanation("not_found", "no such file", "check the path")
    case .isFolder:
      ErrorExplanation(
        "is_folder", "it is a folder", "name a file in it, or use --recursive with decode or import")
    case .permissionDenied:
      ErrorExplanation("permission_denied", "permission denied", "run ls -l on it, and chmod u+r if it is yours")
    case .unreadable(let reason):
      ErrorExplanation("unreadable", "it cannot be read: \(reason)", "check the disk or the connection")
    case .tooLarge(let found, let limit):
      ErrorExplanation(
        "too_large",
        "\(found.map { "it has \($0) bytes" } ?? "it does not end"), and the limit is \(limit) (\(limit >> 20) MiB)",
        "choose the dump of one sensor")
    }
  }
}
