// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// What a run of the command left: its exit status (128 and more for a signal) and its two streams.
struct Outcome: Sendable {
  let status: Int32
  let output: [UInt8]
  let errors: String

  var text: String { String(decoding: output, as: UTF8.self) }

  /// Standard output's lines, without their ends.
  var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }

  /// Standard output as one JSON document.
  func json() throws -> JSONValue { try JSONValue(parsing: output) }

  /// Standard output as one JSON document a line.
  func ndjson() throws -> [JSONValue] { try lines.map { try JSONValue(parsing: $0.utf8) } }
}
