// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
public import LibreKit
public import TextFormats

/// `libre.latest/1`.
public enum LatestJSON {
  public static func write(_ latest: LatestValue, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", SchemaDocument.latest.identifier)
      json.member("time", latest.entry.time?.rfc3339)
      json.member("age_minutes", latest.ageMinutes)
      json.member("stale", latest.isStale)
      json.member("glucose_mg_dl", latest.concentration.milligramsPerDecilitre, places: 4)
      json.member("glucose_mmol_l", latest.concentration.millimolesPerLitre, places: 4)
      json.member("bound", latest.bound?.rawValue)
      json.member("rate_mg_dl_per_min", latest.ratePerMinute, places: 2)
      json.member("direction", latest.direction.rawValue)
      json.member("change_15_min_mg_dl", latest.change, places: 4)
      json.member("sensor") { json in
        guard case .sensor(let stored) = latest.entry, let condition = latest.condition else { return json.null() }
        json.object { json in
          json.member("uid", stored.sensor.uid?.description)
          json.member("serial", stored.sensor.serial)
          json.member("family", stored.sensor.family.rawValue)
          json.member("wear", stored.wear)
          json.member("last_read_at", latest.lastReadAt?.rfc3339)
          json.member("last_state", condition.lastState?.name)
          json.member("state_now", condition.state?.name)
          json.member("expires_at", condition.endsAt?.rfc3339)
        }
      }
      json.member("sample") { SampleJSON.write(latest.entry, unit: .milligramsPerDecilitre, to: &$0) }
    }
  }
}
