// SPDX-License-Identifier: Apache-2.0
package import LibreKit
import TextFormats

package enum FormatsJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "formats", summary: "the formats of dumps and of histories",
    description: "Formats of files, the one that is tried first at the top.", fields.members)

  package static let fields: Fields<Catalogue> = [
    Field("dumps", "Memories: decode, inspect, convert, import.", array: format) { $0.listedDumps },
    Field("histories", "Values: import, export.", array: format) { $0.listedHistories },
  ]

  private static let format: Fields<Catalogue.ListedFormat> = [
    Field("name", .nonEmpty, "The value for --input-format, --to or --format.") { $0.name },
    Field("reads") { $0.isRead },
    Field("writes") { $0.isWritten },
    Field("summary") { $0.summary },
  ]
}
