// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The reasons why a file could not be read.
package enum InputError: ExplainedError {
  case notFound
  case isFolder
  case permissionDenied
  case unreadable(String)
  /// The file is larger than the limit. `found` is nil for a source without length, such as a pipe or a device.
  case tooLarge(found: Int?, limit: Int)

  package var explanation: (code: String, message: String) {
    switch self {
    case .notFound: ("not_found", "no such file")
    case .isFolder: ("is_folder", "it is a folder")
    case .permissionDenied: ("permission_denied", "permission denied")
    case .unreadable(let reason): ("unreadable", "it cannot be read: \(reason)")
    case .tooLarge(let found, let limit):
      (
        "too_large",
        "\(found.map { "it has \($0) bytes" } ?? "it does not end"), and the limit is \(limit) (\(limit >> 20) MiB)"
      )
    }
  }
}
