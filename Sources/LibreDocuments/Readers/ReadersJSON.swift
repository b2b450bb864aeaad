// SPDX-License-Identifier: Apache-2.0
package import LibreKit
import TextFormats

package enum ReadersJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "readers", summary: "the connected readers",
    description: "The connected readers, and the drivers (ways) through which they were searched.", fields.members)

  package static let fields: Fields<ReaderSurvey> = [
    Field("tool", .tool) { _ in Program.tool },
    Field("readers", array: reader) { $0.readers },
    Field("ways", array: way) { $0.ways },
  ]

  private static let reader: Fields<ReaderAssessment> = [
    Field("address", .string.matching("^[a-z]+(:.+)?$"), "The value for --reader.") { $0.reader.address.description },
    Field("name", .string, "The driver's name for it.") { $0.reader.name },
    Field("presence", .one(of: FoundReader.Presence.self)) { $0.reader.presence.rawValue },
    Field("iso15693", .one(of: "yes", "no", "unknown"), "Support for ISO 15693, the kind of tag that sensors are.") {
      $0.iso15693.rawValue
    },
    Field("reason", .string, "The reason why that is not a plain yes.") { $0.reason },
    Field("known_as", .string, "Its title in libre readers --supported.") { $0.kind?.title },
    Field("proof", .one(of: "reported", "documented", "remembered"), "How it is known what it can do.") {
      $0.kind?.proof.name
    },
    Field("dialects", .array(of: .string.matching("^[a-z0-9-]+$"))) { $0.dialects },
    Field("driver") { $0.kind?.driver },
    Field("note") { $0.kind?.note },
  ]

  private static let way: Fields<ReaderSurvey.Way> = [
    Field("scheme", .string.matching("^[a-z]+$")) { $0.scheme },
    Field("summary") { $0.summary },
    Field("error", "The reason why this way cannot be used now.", objectOrNull: ErrorJSON.explanation) { $0.error },
  ]
}
