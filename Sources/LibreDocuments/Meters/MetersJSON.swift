// SPDX-License-Identifier: Apache-2.0
import Meters
package import SensorHistory
import TextFormats

package enum MetersJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "meters", summary: "Bluetooth meters that are near, paired or known",
    description: "Bluetooth glucose meters and blood-pressure monitors that are near, paired or known to the store.",
    fields.members)

  package static let fields: Fields<MeterSurvey> = [
    Field("tool", .tool) { _ in Program.tool },
    Field("meters", array: meter) { $0.entries },
    Field("error", "The reason why Bluetooth cannot be used; null if it can.", objectOrNull: ErrorJSON.explanation) {
      $0.failure
    },
  ]

  private static let meter: Fields<MeterSurvey.Entry> = [
    Field("address", .nonEmpty) { $0.identity.address },
    Field("name") { $0.identity.name },
    Field("serial") { $0.stored?.facts.serial },
    Field("known_as", .string, "Its title in libre meters --supported.") { $0.model?.title },
    Field("kind", .one(of: MeterModel.Kind.self)) { $0.model?.kind.rawValue },
    Field("is_near", .boolean, "True if it is in the air or connected now.") { $0.found?.isNear ?? false },
    Field("is_paired", .boolean, "Null if Bluetooth cannot be asked.") { $0.isPaired },
    Field("is_connected") { $0.found?.isConnected ?? false },
    Field("signal_dbm", .integer, "Strength of its signal.") { $0.found?.signalStrength },
    Field("last_read_at") { $0.stored?.lastReadAt },
    Field("finger_sticks", .count, "Its finger-sticks in the store.") { $0.stored?.fingerSticks ?? 0 },
    Field("blood_pressures", .count, "Its measurements of blood pressure in the store.") {
      $0.stored?.bloodPressures ?? 0
    },
    Field("left_aside", .count, "Its records without a usable value.") { $0.stored?.leftAside ?? 0 },
  ]
}
