// SPDX-License-Identifier: Apache-2.0

package enum Program {
  package static let name = "libre"

  /// The version by Semantic Versioning, which covers JSON fields, exit statuses and the library's public names.
  package static let version = "0.1.0"
  package static let tool = "\(name) \(version)"

  /// The disclaimer under every table, in `--help` and in the README.
  package static let disclaimer =
    "Not for treatment decisions. Values differ from the official reader's, which filters them further."
}
