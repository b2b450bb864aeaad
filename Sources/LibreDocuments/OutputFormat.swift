// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The format of results on standard output.
package enum OutputFormat: String, Hashable, Sendable, CaseIterable {
  /// A table.
  case table
  /// One JSON document.
  case json
  /// One JSON record per line.
  case ndjson
  /// One sample per line.
  case csv
}
