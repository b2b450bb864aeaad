// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import NFCTransport
public import SampleSync
public import TextFormats

/// `libre.status/1`.
public enum StatusJSON {
  public static func write(_ status: StatusReport, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", SchemaDocument.status.identifier)
      json.member("tool", Program.tool)
      json.member("at", status.at.rfc3339)
      json.member("readers") { json in
        json.object { json in
          json.member("status", status.readersAvailability.rawValue)
          json.member("status_code", status.readersAvailability.code)
          json.member("found", status.readers.map { $0.readers.map(\.reader.name) } ?? [])
        }
      }
      json.member("store") { json in
        json.object { json in
          json.member("path", status.storePath)
          json.member("sensors", status.sensors)
          json.member("error", status.storeError?.message)
        }
      }
      json.member("sensor") { json in
        guard let sensor = status.sensor else { return json.null() }
        json.object { json in
          json.member("uid", sensor.identity.uid?.description)
          json.member("serial", sensor.identity.serial)
          json.member("family", sensor.identity.family.rawValue)
          json.member("state_now", sensor.condition.state?.name)
          json.member("expires_at", sensor.condition.endsAt?.rfc3339)
          json.member("last_read_at", sensor.lastReadAt?.rfc3339)
        }
      }
      json.member("latest") { json in
        guard let latest = status.latest else { return json.null() }
        json.object { json in
          json.member("time", latest.entry.time?.rfc3339)
          json.member("glucose_mg_dl", latest.concentration.milligramsPerDecilitre, places: 4)
          json.member("age_minutes", latest.ageMinutes)
          json.member("stale", latest.isStale)
        }
      }
      json.member("sinks") { $0.array(status.sinks) { SinksJSON.write($1, to: &$0) } }
    }
  }
}
