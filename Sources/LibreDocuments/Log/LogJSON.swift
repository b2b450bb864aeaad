// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import TextFormats

/// `libre.log/1`: a record on standard error (`--log-format json`).
package enum LogJSON {
  package static let document = SchemaDocument(
    "log", summary: "one record of standard error, one per line (--log-format json)",
    description:
      "One record of standard error. Errors have a code; log lines have their details as further members.",
    rules: JSONSchema.object([.init("schema", .const(.quoted("libre.log/1")))] + fields.members)
      .with("additionalProperties", .words([("type", .list([.quoted("string"), .quoted("number")]))])))

  /// Writes the fields, then the details; a detail with the name of a field is left out.
  package static func write(_ record: LogRecord, to writer: inout JSONWriter) {
    let taken = Set(fields.members.map(\.name) + ["schema"])
    writer.object { json in
      json.member("schema", document.identifier)
      fields.writeMembers(record, to: &json)
      for (name, value) in record.details where !taken.contains(name) {
        switch value {
        case .text(let text): json.member(name, text)
        case .integer(let number): json.member(name, number)
        case .number(let number): json.member(name, number, places: 3)
        }
      }
    }
  }

  private static let fields: Fields<LogRecord> = [
    Field("time") { $0.time },
    Field("level", .one(of: LogRecord.Level.self)) { $0.level.rawValue },
    Field("message", .nonEmpty) { $0.message },
    Field(ifKnown: "code", .code) { $0.code },
    Field(ifKnown: "resolution", .nonEmpty) { $0.resolution },
  ]
}

package struct LogRecord: Sendable {
  package enum Level: String, Sendable, CaseIterable {
    case trace, debug, info, notice, warning, error, critical
  }

  package enum Detail: Hashable, Sendable {
    case text(String)
    case integer(Int)
    case number(Double)
  }

  package let time: Instant
  package let level: Level
  package let message: String
  package let code: String?
  package let resolution: String?
  package let details: [(name: String, value: Detail)]
  /// True for a log line (`-v`), false for an error or a notice of the command.
  let isLogged: Bool

  package init(logged message: String, _ level: Level, _ details: [(String, Detail)], at time: Instant) {
    self.init(message, level, details, at: time, isLogged: true)
  }

  package init(
    _ message: String, _ level: Level, code: String? = nil, resolution: String? = nil,
    _ details: [(String, Detail)] = [], at time: Instant, isLogged: Bool = false
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
