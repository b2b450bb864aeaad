// SPDX-License-Identifier: Apache-2.0
package import SensorHistory
package import TextFormats

/// `libre.imports/1`: the list of imports. As JSON lines, each import is a line with the same members as in the list.
package enum ImportsJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "imports", summary: "the list of imports", description: "The list of imports, the latest first.", fields.members)

  package static func write(_ stored: StoredImport, to writer: inout JSONWriter) { one.write(stored, to: &writer) }

  package static let fields: Fields<ImportsListing> = [
    Field("imports", array: one) { $0.imports },
    Field("earlier_values", .count, "values that were imported before this list existed, and belong to no import") {
      $0.earlierValues
    },
    Field("earlier_scans", .count, "scans of files that were imported before this list existed") { $0.earlierScans },
  ]

  static let one: Fields<StoredImport> = [
    Field("id", .ordinal, "the number that libre imports remove takes; it is never reused") { $0.id },
    Field("at") { $0.at },
    Field("files", .array(of: .string), "files and directories as they were typed") {
      $0.files.map(FileNameText.shown)
    },
    Field(
      "formats", .array(of: .string),
      "names from libre formats, or store for a merge; null for an import that did not finish"
    ) { $0.formats },
    Field("time_zone", .string, "the zone used for times without one; null if all had one") { $0.timeZone },
    Field("scans", .count) { $0.counts.scans },
    Field("new_scans", .count) { $0.counts.newScans },
    Field("added", .count) { $0.counts.added },
    Field("filled", .count) { $0.counts.filled },
    Field("known", .count) { $0.counts.known },
    Field("conflicts", .count) { $0.counts.conflicts },
    Field("left_out", .count) { $0.counts.leftOut },
    Field("left_out_reasons", array: LeftOut.fields) { LeftOut.all($0.counts.reasons) },
  ]
}

/// The reasons for leaving values out, each with the number of values.
enum LeftOut {
  static func all(_ reasons: [String: Int]) -> [(key: String, value: Int)] { reasons.sorted { $0.key < $1.key } }

  static let fields: Fields<(key: String, value: Int)> = [
    Field("reason") { $0.key },
    Field("count", .count) { $0.value },
  ]
}
