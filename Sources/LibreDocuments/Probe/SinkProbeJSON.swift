// SPDX-License-Identifier: Apache-2.0
import LibreKit
package import SampleSync
package import TextFormats

/// `libre.probe/1`: the results of `sink test`.
package enum SinkProbeJSON {
  package static let document = SchemaDocument(
    "probe", summary: "the results of checking receivers (libre sink test --json)",
    description: "The result of checking each receiver: can it be reached, and does it accept libre's credentials.",
    fields.members)

  package static func write(_ probes: [SinkProbe], to writer: inout JSONWriter) {
    document.write(fields, probes, to: &writer)
  }

  private static let fields: Fields<[SinkProbe]> = [Field("sinks", array: sink) { $0 }]

  private static let sink: Fields<SinkProbe> = [
    Field("name") { $0.sink },
    Field("state", .one(of: "success", "error")) { $0.outcome == .good ? "success" : "error" },
    Field("error", .one(of: "partial", "unavailable", "refused", "misdirected")) {
      $0.outcome == .good ? nil : $0.outcome.rawValue
    },
    Field("reason") { $0.reason },
  ]
}
