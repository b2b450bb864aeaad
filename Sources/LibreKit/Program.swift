// SPDX-License-Identifier: Apache-2.0

/// What this program says about itself.
public enum Program {
  public static let name = "libre"

  /// Semantic Versioning: JSON fields, exit statuses and the library's public names are what it promises.
  public static let version = "0.1.0"
  /// As it stands in documents: `libre 0.1.0`.
  public static let tool = "\(name) \(version)"

  /// Under every table, in `--help` and in the README.
  public static let disclaimer =
    "Not for treatment decisions. Values differ from the official reader's, which filters them further."
}
