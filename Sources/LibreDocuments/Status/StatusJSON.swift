// SPDX-License-Identifier: Apache-2.0
import SampleSync
import SensorHistory
import TextFormats

package enum StatusJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "status", summary: "the state of readers, sensor, store and sinks",
    description: "The state of readers, sensor, store and sinks. Not for treatment decisions.", fields.members)

  package static let fields: Fields<StatusReport> = [
    Field("tool") { _ in Program.tool },
    Field("at") { $0.at.rfc3339 },
    Field("readers", object: readers) { $0 },
    Field("store", object: store) { $0 },
    Field("sensor", objectOrNull: sensor) { $0.sensor },
    Field("latest", objectOrNull: latest) { $0.latest },
    Field("sinks", array: SinksJSON.sink) { $0.sinks },
    Field("alerts", array: AlertsJSON.rule) { status in status.alerts.map { ($0, status.at) } },
  ]

  private static let readers: Fields<StatusReport> = [
    Field("status", .one(of: "pending", "unavailable", "enabled")) { $0.readersAvailability.rawValue },
    Field("status_code", .one(of: 0, 1, 3)) { $0.readersAvailability.code },
    Field("found") { $0.readers.map { $0.readers.map(\.reader.name) } ?? [] },
  ]

  private static let store: Fields<StatusReport> = [
    Field("path") { $0.storePath },
    Field("sensors", .count, "Null if the store does not exist.") { $0.sensors },
    Field("error") { $0.storeError?.message },
    Field(
      "kept_aside", .array(of: .string),
      "Dumps of readings that could not be stored, and that are not in the store yet."
    ) { $0.keptAside },
  ]

  private static let sensor: Fields<SensorCondition> = [
    Field("uid", .uid) { $0.facts.identity.uid?.description },
    Field("serial") { $0.facts.identity.serial },
    Field("family") { $0.facts.identity.family.rawValue },
    Field("product") { $0.facts.identity.product?.name },
    Field("state_now", .state) { $0.state?.name },
    Field("expires_at") { $0.endsAt },
    Field("last_read_at") { $0.facts.lastReadAt },
    Field("last_reader", .string, "Null for a memory that came from a file.") { $0.facts.lastReader?.name },
    Field("last_reader_battery_percent", .integer.from(0, to: 100), "Null for a reader without a battery of its own.") {
      $0.facts.lastReader?.batteryPercent
    },
    Field("start_doubt", .one(of: StartDoubt.self), "The reason why its times may be wrong; null if they are certain.")
    {
      $0.facts.doubt?.rawValue
    },
  ]

  private static let latest: Fields<LatestValue> = [
    Field("time") { $0.entry.time },
    Field("glucose_mg_dl") { $0.concentration.milligramsPerDecilitre },
    Field("age_minutes") { $0.ageMinutes },
    Field("stale") { $0.isStale },
  ]
}
