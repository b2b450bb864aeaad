// SPDX-License-Identifier: Apache-2.0
import Logging

/// Log lines on standard error: `libre: info: …`. Never a UID, never a secret: what is logged is chosen where it is said.
struct StandardErrorLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .warning

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let pairs = metadata.merging(event.metadata ?? [:]) { _, new in new }
    let details = pairs.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    Session.tell("libre: \(event.level): \(event.message)\(details)\n")
  }
}
