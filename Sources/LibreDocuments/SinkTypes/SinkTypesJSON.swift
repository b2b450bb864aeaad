// SPDX-License-Identifier: Apache-2.0
import LibreKit
import SampleSinks
import SampleSync
public import TextFormats

/// `libre.sink_types/1`: what can be set up, with the keys of each type.
public enum SinkTypesJSON {
  public static let document = SchemaDocument(
    "sink_types", summary: "what can be set up as a sink (libre sink list --supported --json)",
    description: "What can be set up as a sink.", fields.members)

  /// All types, or the one of this name.
  public static func write(_ name: String? = nil, to writer: inout JSONWriter) {
    document.write(fields, Registry.sinkTypes.filter { name == nil || $0.name == name }, to: &writer)
  }

  private static let fields: Fields<[SinkType]> = [
    Field("types", array: type) { $0 },
    Field("common_keys", "What every section may have besides.", array: key) { _ in SinkSetup.commonParameters },
  ]

  private static let type: Fields<SinkType> = [
    Field("name") { $0.name },
    Field("summary") { $0.summary },
    Field("secret", .one(of: "required", "optional", "none")) { $0.secret.rawValue },
    Field("send") { $0.parts.union([.history]).map(\.rawValue).sorted() },
    Field("takes_back", .boolean, "Whether the receiver takes back what was removed here.") { $0.takesBack },
    Field("stays_because", .string, "Why it does not; null if it does.") { $0.whyNotTakenBack },
    Field("keys", array: key) { $0.parameters },
    Field("fields", array: field) { $0.fields },
  ]

  private static let key: Fields<SinkType.Parameter> = [
    Field("key") { $0.key },
    Field("summary") { $0.summary },
    Field("default", .string, "Null if it has to be given.") { $0.defaultValue },
    Field("choices", .array(of: .string), "Empty for any text.") { $0.choices },
  ]
}

extension SinkTypesJSON {
  fileprivate static let field: Fields<SinkField> = [
    Field("ours", .string, "Our name of the value; null for what is always the same.") { $0.ours },
    Field(
      "theirs", .string, "Its place in what is sent, as jq would write it; before it the topic or the request it is in."
    ) { $0.theirs },
    Field("note", .string, "In what form it stands there, or what is always the same.") { $0.note },
    Field("send", .array(of: .string), "Sent only with one of these parts; empty for always.") {
      $0.parts.map(\.rawValue)
    },
  ]
}

extension SinkType {
  var takesBack: Bool { whyNotTakenBack == nil }

  /// Why its receiver cannot take back what was removed here; nil if it can.
  var whyNotTakenBack: String? {
    if case .impossible(let reason) = removal { reason } else { nil }
  }
}
