// SPDX-License-Identifier: Apache-2.0
import CGMModel

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

/// The setting that forbids to ask the user.
package enum NoInput {
  package static let key = "no_input"
  package static let spellings = ["1": "true", "yes": "true", "0": "false", "no": "false"]

  static func isSet(in environment: [String: String]) -> Bool {
    environment["LIBRE_NO_INPUT"].map { spellings[$0.lowercased()] ?? $0 } == "true"
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
