// SPDX-License-Identifier: Apache-2.0
package import SensorHistory
package import TextFormats

/// `libre.find/1`: the memories that libre find has found. As JSON lines, each memory is a line with the same members as
/// in the list.
package enum FindJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "find", summary: "the sensor memories in files", description: "The sensor memories in files, each once.",
    fields.members)

  package static func write(_ row: FindListing.Row, to writer: inout JSONWriter) { one.write(row, to: &writer) }

  package static let fields: Fields<FindListing> = [
    Field("memories", array: one) { $0.rows },
    Field("files", .count, "files that were searched") { $0.fileCount },
    Field("interrupted", .boolean, "true if a signal ended the search") { $0.isInterrupted },
    Field("unread", array: unread) { $0.unread },
  ]

  private static let one: Fields<FindListing.Row> = [
    Field("sensor", object: ReadingJSON.sensor) { $0.sensor },
    Field("read_at") { $0.readAt },
    Field("known", .boolean, "true if the store has a scan with this memory") { $0.isKnown },
    Field(
      ifKnown: "person", .string,
      "the owner of the sensor, on a computer that knows several people: a name of libre person list, or me"
    ) { $0.person },
    Field(
      "places",
      "a place in each file that has the memory; the first is the one that the time and the sensor come from",
      array: ReadingJSON.source, as: .array(of: ReadingJSON.source.schema).with("minItems", 1)
    ) { $0.places },
  ]

  private static let unread: Fields<UnreadFile> = [
    Field("path") { FileNameText.shown($0.path) },
    Field("code", .code) { $0.error.code },
    Field("message") { $0.error.message },
  ]
}
