// SPDX-License-Identifier: Apache-2.0
package import Meters
package import NFCTransport
import TextFormats

package enum DoctorJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "doctor", summary: "checks of readers, drivers and permissions",
    description: "Checks whether this machine can read a sensor, and fixes if it cannot.", fields.members)

  package static let fields: Fields<(sensor: Diagnosis, bluetooth: BluetoothReport)> = [
    Field("tool", .tool) { _ in Program.tool },
    Field("outlook", .one(of: "ready", "perhaps", "not_ready")) { $0.sensor.outlook.rawValue },
    Field("summary", .string.matching("^(Ready|Perhaps ready|Not ready): ")) { $0.sensor.summary },
    Field("exit_status", .one(of: 0, 69, 77)) { Int($0.sensor.exitStatus) },
    Field("checks", array: check, as: .array(of: check.schema).with("minItems", 1)) { $0.sensor.checks },
    Field("time_zone", object: timeZone) { $0.sensor.timeZone },
    Field(
      "bluetooth", "Checks whether this machine can read Bluetooth meters; sensors do not need it.", array: finding
    ) { $0.bluetooth.findings },
  ]

  private static let finding: Fields<BluetoothReport.Finding> = [
    Field("name", .string.matching("^[a-z][a-z_]*$")) { $0.name },
    Field("is_good") { $0.isGood },
    Field("message", .nonEmpty) { $0.what },
    Field("remedy", .nonEmpty, "A command or an action that fixes it; null if nothing needs a fix.") {
      $0.remedy ?? $0.error?.resolution
    },
  ]

  private static let check: Fields<Check> = [
    Field("name", .string.matching("^[a-z][a-z_]*$")) { $0.name },
    Field("verdict", .one(of: "good", "note", "warning", "bad")) { $0.verdict.rawValue },
    Field("message", .nonEmpty) { $0.what },
    Field("advice", .nonEmpty) { $0.advice ?? $0.error?.resolution },
    Field("remedy", .nonEmpty, "A shell command that fixes it; null if nothing needs a fix.") { $0.remedy },
  ]

  private static let timeZone: Fields<SystemFacts.TimeZone> = [
    Field("name") { $0.name },
    Field("is_known", .boolean, "False if TZ names a zone that the system lacks.") { $0.isKnown },
    Field("offset_2024_01_02", .string.matching("^[+-][0-9]{2}:[0-9]{2}$")) { Instant.offset($0.winterOffset) },
    Field("offset_2024_05_02", .string.matching("^[+-][0-9]{2}:[0-9]{2}$")) { Instant.offset($0.summerOffset) },
  ]
}
