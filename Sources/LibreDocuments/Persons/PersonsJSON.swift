// SPDX-License-Identifier: Apache-2.0
import HostSystem
package import SensorHistory
import TextFormats

package enum PersonsJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "persons", summary: "the people whose sensors this computer reads",
    description: "The people whose sensors this computer reads, the user first, who is called me.", fields.members)

  package static let fields: Fields<[PersonSummary]> = [Field("persons", array: person) { $0 }]

  private static let person: Fields<PersonSummary> = [
    Field("person", .string, "The name for --person.") { $0.person.word },
    Field("name", .string, "The full name.") { $0.fullName },
    Field("born") { $0.born },
    Field("store") { $0.storePath },
    Field("sensors", .count) { $0.sensorCount },
    Field("latest_sensor", .string, "Serial number of the sensor that was started last, else its UID.") {
      $0.sensor.flatMap { $0.identity.serial ?? $0.identity.uid?.description }
    },
    Field("last_read_at") { $0.lastReadAt },
    Field("sinks", .array(of: .string)) { $0.sinks },
  ]
}

package enum PersonsTable {
  package static func text(of persons: [PersonSummary], style: Style) -> String {
    let rows = persons.map { row in
      [
        row.person.word, row.fullName ?? "–", row.born ?? "–",
        row.storeError?.message ?? row.sensor.map { SensorNames.short($0.identity) } ?? "–",
        row.lastReadAt.map(LocalTime.minuteText) ?? "–", row.sinks.isEmpty ? "–" : row.sinks.joined(separator: ", "),
      ]
    }
    let head = ["person", "name", "born", "latest sensor", "last read", "sinks"]
    return Columns.table(head, rows, style: style).joined(separator: "\n") + "\n"
  }
}
