// SPDX-License-Identifier: Apache-2.0
import Libre1Core
package import LibreKit
package import TextFormats

/// `libre.error/1` (LibreDocuments/Contract, "Error").
package enum ErrorJSON {
  package static let document = SchemaDocument(
    "error", summary: "an error, such as an unreadable dump",
    description: "An error with its code and the suggested fix.", fields.members)

  /// Writes an error; `path` is its file, `dump` the number of the memory and `line` that of the line in it, and `input`
  /// the members of that line that are kept.
  package static func write(
    _ error: LibreError, path: String?, dump: Int? = nil, line: Int? = nil, input: KeptMembers? = nil,
    to writer: inout JSONWriter
  ) {
    document.write(fields, (error, path, dump, line, input), to: &writer)
  }

  private typealias Row = (error: LibreError, path: String?, dump: Int?, line: Int?, input: KeptMembers?)

  private static let fields: Fields<Row> = [
    Field("code", .code) { $0.error.code },
    Field("message", .nonEmpty) { $0.error.message },
    Field("resolution", .nonEmpty) { $0.error.resolution },
    Field(ifKnown: "family") { $0.error.family?.rawValue },
    Field(ifKnown: "product") { $0.error.product?.name },
    Field(ifKnown: "sensor", "The facts that a Libre 3 or its kin shows.", object: sensor) { $0.error.libre3 },
    Field("source", object: source) { $0 },
    KeptMembers.field { $0.input },
  ]

  private static let source: Fields<Row> = [
    Field("path") { $0.path.map(FileNameText.shown) },
    Field(ifKnown: "dump", .ordinal) { $0.dump },
    Field(ifKnown: "line", .ordinal) { $0.line },
  ]

  private static let sensor: Fields<Libre3PatchInfo> = [
    Field("serial") { $0.serial },
    Field("state") { $0.state?.name },
    Field("max_life_minutes", .word) { $0.maxLifeMinutes },
  ]

  /// The members of an error inside another document.
  static let explanation: Fields<any RemediedError> = [
    Field("code", .code) { $0.code },
    Field("message", .nonEmpty) { $0.message },
    Field("resolution", .nonEmpty) { $0.resolution },
  ]
}
