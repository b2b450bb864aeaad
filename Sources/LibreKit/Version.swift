// SPDX-License-Identifier: Apache-2.0

/// The version, in the one place that knows it.
public enum Version {
  public static let number = "0.1.0"
  /// As it stands in documents: `libre 0.1.0`.
  public static let tool = "libre \(number)"
}
