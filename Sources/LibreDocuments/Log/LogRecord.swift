// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import LibreKit
import TextFormats

/// One message on standard error.
package struct LogRecord: Sendable {
  /// The levels, from the most detailed to the most severe.
  package enum Level: String, Sendable, CaseIterable {
    case trace
    case debug
    case info
    case notice
    case warning
    case error
    case critical
  }

  package enum Detail: Hashable, Sendable {
    case text(String)
    case integer(Int)
    case number(Double)
  }

  package let time: Instant
  package let level: Level
  package let message: String
  /// The code of an error.
  package let code: String?
  /// The suggested fix.
  package let resolution: String?
  /// Further members by name, in this order.
  package let details: [(name: String, value: Detail)]
  /// True for a log line (`-v`), false for an error or a notice of the command.
  package let isLogged: Bool

  /// Creates a log line.
  package init(logged message: String, _ level: Level, _ details: [(String, Detail)], at time: Instant) {
    self.init(message, level, code: nil, resolution: nil, details, isLogged: true, at: time)
  }

  /// Creates an error or a notice of the command.
  package init(
    _ message: String, _ level: Level, code: String? = nil, resolution: String? = nil,
    _ details: [(String, Detail)] = [],
    at time: Instant
  ) {
    self.init(message, level, code: code, resolution: resolution, details, isLogged: false, at: time)
  }

  private init(
    _ message: String, _ level: Level, code: String?, resolution: String?, _ details: [(String, Detail)],
    isLogged: Bool, at time: Instant
  ) {
    self.time = time
    self.level = level
    self.message = SafeText.line(message)
    self.code = code
    self.resolution = resolution.map(SafeText.line)
    self.details = details.map { (name: $0, value: $1.safe) }
    self.isLogged = isLogged
  }

  /// The record as text with a line end: `libre: info: scanned taps=1`, or the message and a line `Try: …`.
  package var text: String {
    guard isLogged else { return "libre: \(message)\n\(resolution.map { "  Try: \($0)\n" } ?? "")" }
    return "libre: \(level.rawValue): \(message)\(details.map { " \($0.name)=\($0.value.text)" }.joined())\n"
  }
}

extension LogRecord.Detail {
  fileprivate var safe: Self {
    if case .text(let text) = self { .text(SafeText.line(text)) } else { self }
  }

  fileprivate var text: String {
    switch self {
    // Quotes show where an empty value, or one with a space, ends.
    case .text(let text): text.isEmpty || text.contains(" ") ? "\"\(text)\"" : text
    case .integer(let number): String(number)
    case .number(let number): DecimalText.fixed(number, places: 1)
    }
  }
}
