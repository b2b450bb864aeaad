// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// How results are written to standard output.
public enum OutputFormat: String, Hashable, Sendable, CaseIterable {
  /// For people.
  case table
  /// One document.
  case json
  /// One record a line.
  case ndjson
  /// One sample a line.
  case csv
}
