// SPDX-License-Identifier: Apache-2.0
package import NFCTransport
import TextFormats

package enum KnownReadersJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "known_readers", summary: "kinds of readers (libre readers --supported --json)",
    description:
      "Kinds of readers on the market. Those that read sensors come first, the most convenient one at the top.",
    fields.members)

  package static let fields: Fields<[KnownReader]> = [
    Field("tool", .tool) { _ in Program.tool },
    Field("readers", array: reader) { $0 },
  ]

  private static let reader: Fields<KnownReader> = [
    Field("title", .string, "What libre.readers/1 has as known_as.") { $0.title },
    Field("scheme", .string.matching("^[a-z]+$"), "The word that its address for --reader begins with.") { $0.scheme },
    Field("iso15693", .one(of: ReaderAssessment.Ability.self), "Whether it reads sensors.") { $0.iso15693.rawValue },
    Field("reason", .string, "The reason why that is not a plain yes.") { $0.reason },
    Field("proof", .one(of: "reported", "documented", "remembered"), "How it is known what it can do.") {
      $0.proof.name
    },
    Field("is_tested", .boolean, "True once libre itself has read a sensor with one.") { _ in false },
    Field("dialects", .array(of: .string.matching("^[a-z0-9-]+$")), "The likeliest first.") { $0.dialects },
    Field("driver") { $0.driver },
    Field("note") { $0.note },
  ]
}
