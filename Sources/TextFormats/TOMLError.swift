// SPDX-License-Identifier: Apache-2.0

/// The reasons why a document cannot be read as TOML.
package enum TOMLError: Error, Hashable, Sendable {
  /// The document is invalid, or uses a part of TOML that is not supported.
  ///
  /// Line and column count from 1, the column in Unicode scalars. The reason contains names but not values, because a
  /// value may be a secret without quotes.
  case invalid(line: Int, column: Int, reason: String)
  /// The document is larger than the limit.
  case tooLarge(limit: Int)

  /// The place and the reason, for a message that begins with the name of the file.
  package var message: String {
    switch self {
    case .invalid(let line, let column, let reason): "line \(line), column \(column): \(reason)"
    case .tooLarge(let limit): "it has more than \(limit) bytes"
    }
  }
}
