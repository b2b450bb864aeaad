// SPDX-License-Identifier: Apache-2.0
/// What a run of the command left: its exit status (128 and more for a signal) and its two streams.
package struct Outcome: Sendable {
  package let status: Int32
  package let output: [UInt8]
  package let errors: String

  package var text: String { String(decoding: output, as: UTF8.self) }

  /// Standard output's lines, without their ends.
  package var lines: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Standard output as one JSON document.
  package func json() throws -> JSONValue { try JSONValue(parsing: output) }

  /// Standard output as one JSON document a line.
  package func ndjson() throws -> [JSONValue] { try lines.map { try JSONValue(parsing: $0.utf8) } }
}
