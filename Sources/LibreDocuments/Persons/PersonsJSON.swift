// SPDX-License-Identifier: Apache-2.0
import CGMModel
package import LibreKit
import SampleStore
package import TextFormats

/// `libre.persons/1`.
package enum PersonsJSON {
  package static let document = SchemaDocument(
    "persons", summary: "the people whose sensors this computer reads",
    description: "The people whose sensors this computer reads, the user first, who is called me.", fields.members)

  package static func write(_ persons: [PersonSummary], to writer: inout JSONWriter) {
    document.write(fields, persons, to: &writer)
  }

  private static let fields: Fields<[PersonSummary]> = [Field("persons", array: person) { $0 }]

  private static let person: Fields<PersonSummary> = [
    Field("person", .string, "The name for --person.") { $0.person.word },
    Field("name", .string, "The full name.") { $0.fullName },
    Field("born") { $0.born },
    Field("store") { $0.storePath },
    Field("sensors", .count) { $0.sensorCount },
    Field("latest_sensor", .string, "Serial number of the sensor that was started last, else its UID.") {
      $0.sensor.flatMap { $0.identity.serial ?? $0.identity.uid?.description }
    },
    Field("last_read_at", .time) { $0.lastReadAt?.rfc3339 },
    Field("sinks", .array(of: .string)) { $0.sinks },
  ]
}
