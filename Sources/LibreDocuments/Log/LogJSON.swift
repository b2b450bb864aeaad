// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
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
    Field("time", .time) { $0.time.rfc3339 },
    Field("level", .one(of: "trace", "debug", "info", "notice", "warning", "error", "critical")) { $0.level.rawValue },
    Field("message", .nonEmpty) { $0.message },
    Field(ifKnown: "code", .code) { $0.code },
    Field(ifKnown: "resolution", .nonEmpty) { $0.resolution },
  ]
}
