// SPDX-License-Identifier: Apache-2.0
package import TextFormats

/// A published document: its name, and the JSON Schema (draft 2020-12) of its members.
package struct SchemaDocument: Sendable {
  /// The name that `libre schema` takes.
  package let name: String
  package let summary: String
  private let description: String
  private let rules: JSONSchema
  private let parts: [(word: String, value: JSONSchema)]

  /// `parts` are definitions for references by name. A closed document allows no other members.
  init(
    _ name: String, summary: String, description: String, _ members: [JSONSchema.Member], isClosed: Bool = false,
    parts: [(String, JSONSchema)] = []
  ) {
    let rules = JSONSchema.object([JSONSchema.Member("schema", .const(.quoted(Self.identifier(name))))] + members)
    self.init(
      name, summary: summary, description: description,
      rules: isClosed ? rules.with("additionalProperties", .text("false")) : rules, parts: parts)
  }

  init(_ name: String, summary: String, description: String, rules: JSONSchema, parts: [(String, JSONSchema)] = []) {
    self.name = name
    self.summary = summary
    self.description = description
    self.rules = rules
    self.parts = parts
  }

  /// The value of the document's `schema` member.
  package var identifier: String { Self.identifier(name) }

  /// The names of the outermost members; none for a document that only refers to definitions.
  var memberNames: [String] { rules.memberNames }

  private static func identifier(_ name: String) -> String { "libre.\(name)/1" }

  package var jsonSchema: String {
    let head = [
      ("$schema", JSONSchema.quoted("https://json-schema.org/draft/2020-12/schema")),
      ("$id", .quoted("urn:libre:\(name):1")), ("title", .quoted(identifier)), ("description", .quoted(description)),
    ]
    guard case .words(let words) = rules else { return rules.text() }
    return JSONSchema.words(head + words + (parts.isEmpty ? [] : [("$defs", .words(parts))])).text()
  }

  func write<Row>(_ fields: Fields<Row>, _ row: Row, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", identifier)
      fields.writeMembers(row, to: &json)
    }
  }
}

/// A document whose members are listed once, for its schema and its output.
package protocol FieldsDocument {
  associatedtype Row
  static var document: SchemaDocument { get }
  static var fields: Fields<Row> { get }
}

extension FieldsDocument {
  package static func write(_ row: Row, to writer: inout JSONWriter) { document.write(fields, row, to: &writer) }
}

extension SchemaDocument {
  package static let all: [SchemaDocument] = [
    ReadingJSON.document, DumpDocument.document, MemoryMapJSON.document, FindJSON.document, FormatsJSON.document,
    ScenariosJSON.document, ReadersJSON.document, KnownReadersJSON.document, ReaderChangeDocument.document,
    BridgesJSON.document, DoctorJSON.document, ImportJSON.document, ImportsJSON.document, SampleDocument.document,
    BloodPressureDocument.document, HistoryListing.document, LatestJSON.document, PersonsJSON.document,
    SensorsJSON.document, StatsJSON.document, CohortJSON.document, ComparisonJSON.document,
    StatusJSON.document, SinksJSON.document, SyncJSON.document, BatchDocument.document, OutboxJSON.document,
    SinkProbeJSON.document, SinkTypesJSON.document, ConfigJSON.document, ErrorJSON.document, LogJSON.document,
    FlipperFilesJSON.document, AlertJSON.document, AlertsJSON.document, MetersJSON.document, MeterReadingJSON.document,
    MeterRecordJSON.document,
  ]
}
