// SPDX-License-Identifier: Apache-2.0
import LibreKit
import SampleSinks
import SampleSync
public import TextFormats

/// `libre.sink_types/1`: what can be set up, with the keys of each type.
public enum SinkTypesJSON {
  public static func write(to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", SchemaDocument.sinkTypes.identifier)
      json.member("types") { $0.array(Registry.sinkTypes) { write($1, to: &$0) } }
    }
  }

  private static func write(_ type: SinkType, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("name", type.name)
      json.member("summary", type.summary)
      json.member("secret", secret(type.secret))
      json.member("send", type.parts.union([.history]).map(\.rawValue).sorted())
      json.member("keys") { json in
        json.array(type.parameters) { json, parameter in
          json.object {
            $0.member("key", parameter.key)
            $0.member("summary", parameter.summary)
            $0.member("default", parameter.defaultValue)
            $0.member("choices", parameter.choices)
          }
        }
      }
    }
  }

  private static func secret(_ use: SinkType.SecretUse) -> String {
    switch use {
    case .required: "required"
    case .optional: "optional"
    case .none: "none"
    }
  }
}
