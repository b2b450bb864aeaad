// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The settings that sinks have in common if their own do not say otherwise. Only the configuration file says it, not the
/// environment, so that every process sends the same.
package struct SinkDefaults: Hashable, Sendable {
  /// The user's own name for the person; empty if not set.
  package var referenceID = ""
  /// Sources whose imported values are not sent.
  package var ignoredSources: Set<String> = []
  /// The unit in which glucose is shown; nil for that of the sink's type.
  package var unit: String?

  package init() {}
}

/// The user's own name for the person, which is sent with every value.
package enum ReferenceID {
  package static let key = "reference_id"
  package static let variable = "LIBRE_REFERENCE_ID"
  package static let allowed =
    "up to 128 bytes without control characters and without @, so not an e-mail address; or nothing"

  package static func accepts(_ text: String) -> Bool {
    text.utf8.count <= 128 && text.unicodeScalars.allSatisfy { SafeText.isPrintable($0) && $0 != "@" }
  }
}

/// Variables with secrets. A command that prints one secret must not see the others.
package enum SecretVariable {
  /// `LIBRE_SECRET_NIGHT` for the sink `night`.
  package static let sinkPrefix = "LIBRE_SECRET_"
  package static let webhook = "LIBRE_WEBHOOK_SECRET"
  /// The secret that clients of `serve` must know.
  package static let serve = "LIBRE_SERVE_SECRET"

  package static func isOne(_ name: String) -> Bool { name.hasPrefix(sinkPrefix) || [webhook, serve].contains(name) }
}
