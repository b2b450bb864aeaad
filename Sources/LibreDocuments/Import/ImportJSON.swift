// SPDX-License-Identifier: Apache-2.0
import CGMModel
public import LibreKit
public import TextFormats

/// `libre.import/1`: what importing one file gave.
public enum ImportJSON {
  public static func write(_ tally: ImportTally, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", SchemaDocument.import.identifier)
      json.member("path", tally.path)
      json.member("format", tally.format)
      json.member("scans", tally.scans)
      json.member("new_scans", tally.newScans)
      json.member("added", tally.added)
      json.member("filled", tally.filled)
      json.member("known", tally.known)
      json.member("conflicts", tally.conflicts)
      json.member("left_out", tally.leftOut)
      json.member("clock_disagreement_seconds", tally.disagreementSeconds)
      json.member("is_provisional", tally.isProvisional)
      json.member("sensors") { json in
        let sensors = tally.sensors.sorted {
          ($0.uid?.description ?? "", $0.serial ?? "") < ($1.uid?.description ?? "", $1.serial ?? "")
        }
        json.array(sensors) { json, sensor in
          json.object { json in
            json.member("uid", sensor.uid?.description)
            json.member("serial", sensor.serial)
            json.member("fingerprint", sensor.fingerprint?.description)
          }
        }
      }
    }
  }
}
