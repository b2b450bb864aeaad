// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import LibreKit
public import SampleStore
public import TextFormats

/// `libre.sensors/1`.
public enum SensorsJSON {
  public static func write(_ sensors: [StoredSensor], now: Instant, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", SchemaDocument.sensors.identifier)
      json.member("sensors") { $0.array(sensors) { write($1, now: now, to: &$0) } }
    }
  }

  private static func write(_ sensor: StoredSensor, now: Instant, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("uid", sensor.identity.uid?.description)
      json.member("serial", sensor.identity.serial)
      json.member("fingerprint", sensor.identity.fingerprint?.description)
      json.member("family", sensor.identity.family.rawValue)
      json.member("region", sensor.region?.name)
      json.member("patch_info", sensor.patchInfo?.description)
      json.member("max_life_minutes", sensor.maxLifeMinutes)
      json.member("wears") { $0.array(sensor.wears) { write($1, of: sensor, now: now, to: &$0) } }
    }
  }

  private static func write(_ wear: StoredWear, of sensor: StoredSensor, now: Instant, to writer: inout JSONWriter) {
    let condition = SensorCondition(wear, of: sensor, now: now)
    writer.object { json in
      json.member("number", wear.number)
      json.member("activated_at", wear.anchor.activatedAt?.rfc3339)
      json.member("activated_after", wear.agreement?.after.rfc3339)
      json.member("activated_until", wear.agreement?.until.rfc3339)
      json.member("anchored_by", wear.anchor.origin?.rawValue)
      json.member("is_provisional", wear.anchor.isProvisional)
      json.member("is_fixed", wear.anchor.isHandedOut)
      json.member("expires_at", condition.endsAt?.rfc3339)
      json.member("last_read_at", wear.lastReadAt?.rfc3339)
      json.member("last_age_minutes", wear.ageMinutes)
      json.member("last_state", condition.lastState?.name)
      json.member("state_now", condition.state?.name)
      json.member("scans", wear.scans)
      json.member("history_samples", wear.historySamples)
      json.member("trend_samples", wear.trendSamples)
      json.member("newest_minute", wear.newestMinute?.value)
      json.member("clock_disagreement_seconds", wear.disagreements.last?.seconds)
      json.member("clock_drift_seconds_per_day", wear.driftSecondsPerDay, places: 2)
      json.member("conflicts") { $0.array(wear.conflicts) { write($1, to: &$0) } }
      json.member("user_calibration") { write(wear.userCalibration, to: &$0) }
    }
  }

  private static func write(_ conflict: StoredConflict, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("ring", conflict.kept.ring.rawValue)
      json.member("minute", conflict.kept.minute.value)
      json.member("kept") { write(conflict.kept, to: &$0) }
      json.member("other") { write(conflict.other, to: &$0) }
      json.member("is_other_salvaged", conflict.isOtherSalvaged)
    }
  }

  private static func write(_ raw: RawSample, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("glucose", Int(raw.glucose))
      json.member("temperature", Int(raw.temperature))
      json.member("temperature_adjustment", Int(raw.temperatureAdjustment))
      json.member("has_error", raw.hasError)
      json.member("error_field", Int(raw.errorField))
    }
  }

  private static func write(_ calibration: UserCalibration?, to writer: inout JSONWriter) {
    guard let calibration else { return writer.null() }
    writer.object { json in
      json.member("slope", calibration.slope, places: 6)
      json.member("offset_mg_dl", calibration.intercept, places: 4)
      json.member("made_at", calibration.madeAt.rfc3339)
      json.member("points") { json in
        json.array(calibration.points) { json, point in
          json.object { json in
            json.member("time", point.time.rfc3339)
            json.member("factory_mg_dl", point.factory.milligramsPerDecilitre, places: 4)
            json.member("blood_mg_dl", point.blood.milligramsPerDecilitre, places: 4)
          }
        }
      }
    }
  }
}
