// SPDX-License-Identifier: Apache-2.0
import LibreKit
public import SampleSync
public import TextFormats

/// `libre.probe/1`: what `sink test` found.
public enum SinkProbeJSON {
  public static let document = SchemaDocument(
    "probe", summary: "whether receivers are there and let us in (libre sink test --json)",
    description: "Whether receivers are there and let us in.", fields.members)

  public static func write(_ probes: [SinkProbe], to writer: inout JSONWriter) {
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
