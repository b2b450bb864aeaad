// SPDX-License-Identifier: Apache-2.0
import LibreKit
public import SampleSync
public import TextFormats

/// `libre.probe/1`: what `sink test` found.
public enum SinkProbeJSON {
  public static func write(_ probes: [SinkProbe], to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", SchemaDocument.probe.identifier)
      json.member("sinks") { json in
        json.array(probes) { json, probe in
          json.object { json in
            json.member("name", probe.sink)
            json.member("state", probe.outcome == .good ? "success" : "error")
            json.member("error", probe.outcome == .good ? nil : probe.outcome.rawValue)
            json.member("reason", probe.reason)
          }
        }
      }
    }
  }
}
