// SPDX-License-Identifier: Apache-2.0
/// What a run of the command left: its exit status (128 and more for a signal) and its two streams.
public struct Outcome: Sendable {
  public let status: Int32
  public let output: [UInt8]
  public let errors: String

  public var text: String { String(decoding: output, as: UTF8.self) }

  /// Standard output's lines, without their ends.
  public var lines: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Standard output as one JSON document.
  public func json() throws -> JSONValue { try JSONValue(parsing: output) }

  /// Standard output as one JSON document a line.
  public func ndjson() throws -> [JSONValue] { try lines.map { try JSONValue(parsing: $0.utf8) } }
}
