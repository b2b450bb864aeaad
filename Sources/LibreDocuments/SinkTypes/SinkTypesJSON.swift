// SPDX-License-Identifier: Apache-2.0
import LibreKit
import SampleSync
package import TextFormats

/// `libre.sink_types/1`: all types of sinks, with the keys of each.
package enum SinkTypesJSON {
  package static let document = SchemaDocument(
    "sink_types", summary: "all types of sinks (libre sink list --supported --json)",
    description: "All types of sinks, with their keys and fields.", fields.members)

  package static func write(_ name: String? = nil, to writer: inout JSONWriter) {
    document.write(fields, SinkType.all.filter { name == nil || $0.name == name }, to: &writer)
  }

  private static let fields: Fields<[SinkType]> = [
    Field("types", array: type) { $0 },
    Field("common_keys", "Keys that every section may have in addition.", array: key) { _ in
      SinkSetup.commonParameters
    },
  ]

  private static let type: Fields<SinkType> = [
    Field("name") { $0.name },
    Field("summary") { $0.summary },
    Field("secret", .one(of: "required", "optional", "none")) { $0.secret.rawValue },
    Field("send", .array(of: .string), "Empty for a type that gets alerts only.") { $0.sendableParts.map(\.rawValue) },
    Field(
      "takes_back", .boolean,
      "True if values that were removed here are deleted at the receiver too, or leave the state that it keeps."
    ) { $0.reasonAgainstRemoval == nil },
    Field("stays_because", .string, "The reason if they are not; null if they are.") { $0.reasonAgainstRemoval },
    Field("keys", array: key) { $0.parameters },
    Field("fields", array: field) { $0.fields },
  ]

  private static let key: Fields<SinkType.Parameter> = [
    Field("key") { $0.key },
    Field("summary") { $0.summary },
    Field("default", .string, "Null if a value is required.") { $0.defaultValue },
    Field("choices", .array(of: .string), "Empty for any text.") { $0.choices },
  ]

  private static let field: Fields<SinkField> = [
    Field("ours", .string, "The name of the value in libre; null for a constant.") { $0.ours },
    Field(
      "theirs", .string, "The place in the message, in the syntax of jq, after the topic or the request."
    ) { $0.theirs },
    Field("note", .string, "The form of the value there, or the constant.") { $0.note },
    Field("send", .array(of: .string), "Sent only with one of these parts; empty for always.") {
      $0.parts.map(\.rawValue)
    },
  ]
}

extension SinkType {
  var reasonAgainstRemoval: String? {
    if case .impossible(let reason) = removal { reason } else { nil }
  }
}
