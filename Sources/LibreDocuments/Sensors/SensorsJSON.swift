// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import SampleStore
import SensorHistory
package import TextFormats

package enum SensorsJSON {
  package static let document = SchemaDocument(
    "sensors", summary: "the sensors of the store",
    description: "The sensors of the store, or one of them, each with its wears.", fields.members,
    parts: [("wear", wear.schema)])

  package static func write(_ sensors: [StoredSensor], now: Instant, to writer: inout JSONWriter) {
    document.write(fields, (sensors, now), to: &writer)
  }

  private static let fields: Fields<(sensors: [StoredSensor], now: Instant)> = [
    Field("sensors", array: sensor) { row in row.sensors.map { ($0, row.now) } }
  ]

  private static let sensor: Fields<(stored: StoredSensor, now: Instant)> = [
    Field("uid", .uid) { $0.stored.identity.uid?.description },
    Field("serial") { $0.stored.identity.serial },
    Field("fingerprint", .fingerprint) { $0.stored.identity.fingerprint?.description },
    Field("family") { $0.stored.identity.family.rawValue },
    Field("product") { $0.stored.identity.product?.name },
    Field("region") { $0.stored.region?.name },
    Field("patch_info", .patchInfo) { $0.stored.patchInfo?.description },
    Field("max_life_minutes", .word) { $0.stored.maxLifeMinutes },
    Field("wears", array: wear, as: .array(of: .reference("wear"))) { row in
      row.stored.wears.map { ($0, SensorCondition($0.facts, now: row.now)) }
    },
  ]

  private static let wear: Fields<(stored: StoredWear, condition: SensorCondition)> = [
    Field("number", .ordinal) { $0.stored.number },
    Field("activated_at") { $0.stored.anchor.activatedAt },
    Field("activated_after") { $0.stored.agreement?.after },
    Field("activated_until") { $0.stored.agreement?.until },
    Field("anchored_by", .one(of: "scan", "history", "user")) { $0.stored.anchor.origin?.rawValue },
    Field("is_provisional", .boolean, "True while activated_at may be wrong; then nothing of this wear is sent.") {
      $0.stored.anchor.isProvisional
    },
    Field("start_doubt", .one(of: StartDoubt.self), "The reason why activated_at may be wrong; null if it is certain.")
    {
      $0.stored.anchor.doubt?.rawValue
    },
    Field("is_fixed", .boolean, "True if the user set activated_at (libre sensor reanchor): scans do not change it.") {
      $0.stored.anchor.origin == .user
    },
    Field("expires_at") { $0.condition.endsAt },
    Field("last_read_at") { $0.stored.lastReadAt },
    Field("last_age_minutes", .count) { $0.stored.ageMinutes },
    Field("last_state", .state) { $0.condition.lastState?.name },
    Field("state_now", .state) { $0.condition.state?.name },
    Field("scans", .count) { $0.stored.scans },
    Field("history_samples", .count) { $0.stored.historySamples },
    Field("trend_samples", .count) { $0.stored.trendSamples },
    Field("newest_minute", .ordinal) { $0.stored.newestMinute?.value },
    Field(
      "clock_disagreement_seconds", .integer,
      "Seconds by which the latest dated scan gives a start later than activated_at."
    ) { $0.stored.disagreements.last?.seconds },
    Field("clock_drift_seconds_per_day", places: 2) { $0.stored.driftSecondsPerDay },
    Field("conflicts", array: conflict) { $0.stored.conflicts },
    Field("user_calibration", objectOrNull: calibration) { $0.stored.userCalibration },
  ]

  private static let conflict: Fields<StoredConflict> = [
    Field("ring", .measuredRing) { $0.kept.ring.rawValue },
    Field("minute", .ordinal) { $0.kept.minute.value },
    Field("kept", object: SampleDocument.counts) { $0.kept },
    Field("other", object: SampleDocument.counts) { $0.other },
    Field("is_other_salvaged") { $0.isOtherSalvaged },
  ]

  private static let calibration: Fields<UserCalibration> = [
    Field("slope", places: 6) { $0.slope },
    Field("offset_mg_dl") { $0.intercept },
    Field("made_at") { $0.madeAt.rfc3339 },
    Field("points", array: point) { $0.points },
  ]

  private static let point: Fields<UserCalibration.Point> = [
    Field("time") { $0.time.rfc3339 },
    Field("factory_mg_dl") { $0.factory.milligramsPerDecilitre },
    Field("blood_mg_dl") { $0.blood.milligramsPerDecilitre },
  ]
}
