// SPDX-License-Identifier: Apache-2.0
import HistoryFormats
package import SensorHistory
import TextFormats

package enum LatestJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "latest", summary: "the newest usable value of the store",
    description: "The newest usable value of the store. Not for treatment decisions.", fields.members,
    parts: [("sample", SampleDocument.sample)])

  package static let fields: Fields<LatestValue> = [
    Field("time") { $0.entry.time },
    Field("age_minutes", .integer, "Negative if clocks disagree; null without a time.") { $0.ageMinutes },
    Field("stale", .boolean, "True if it is older than 20 minutes, or has no time.") { $0.isStale },
    Field("glucose_mg_dl") { $0.concentration.milligramsPerDecilitre },
    Field("glucose_mmol_l") { $0.concentration.millimolesPerLitre },
    Field(
      "bound", .one(of: ImportedSample.Bound.self),
      "low or high if the value is outside the measuring range and replaced by its limit; null for a measured value"
    ) { $0.bound?.rawValue },
    Field("start_doubt", .one(of: StartDoubt.self), "The reason why the time may be wrong; null if it is certain.") {
      $0.doubt?.rawValue
    },
    Field("rate_mg_dl_per_min", .number, "Also null for a stale value.") { $0.ratePerMinute },
    Field("direction", .direction) { $0.direction.rawValue },
    Field(
      "change_15_min_mg_dl", .number,
      "Change since the value of the same sensor or program 13 to 17 minutes before."
    ) { $0.change },
    Field("sensor", "Null for an imported value.", objectOrNull: sensor) { $0.condition },
    Field(writing: "sample", .reference("sample")) {
      SampleJSON.write($0.entry, unit: .milligramsPerDecilitre, to: &$1)
    },
  ]

  private static let sensor: Fields<SensorCondition> = [
    Field("uid", .uid) { $0.facts.identity.uid?.description },
    Field("serial") { $0.facts.identity.serial },
    Field("family") { $0.facts.identity.family.rawValue },
    Field("product") { $0.facts.identity.product?.name },
    Field("wear", .ordinal) { $0.facts.wear },
    Field("last_read_at") { $0.facts.lastReadAt?.rfc3339 },
    Field("last_state", .state) { $0.lastState?.name },
    Field("state_now", .state) { $0.state?.name },
    Field("expires_at") { $0.endsAt?.rfc3339 },
  ]
}
