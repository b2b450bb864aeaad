// SPDX-License-Identifier: Apache-2.0
package import SensorHistory
import TextFormats

/// `libre.import/1`: the result of importing one file.
package enum ImportJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "import", summary: "the result of importing one file", description: "The result of importing one file.",
    fields.members)

  package static let fields: Fields<(number: Int, tally: ImportTally)> = [
    Field("import", .ordinal, "the number that libre imports remove takes") { $0.number },
    Field("path") { FileNameText.shown($0.tally.path) },
    Field(ifKnown: "subject", .string, "the subject of the values, where each subject is imported by itself") {
      $0.tally.subject
    },
    Field("format", .string, "a name of libre formats") { $0.tally.format },
    Field("scans", .count, "memories in the file that were imported") { $0.tally.counts.scans },
    Field("new_scans", .count, "memories that were not in the store before") { $0.tally.counts.newScans },
    Field("added", .count, "values that were not in the store before") { $0.tally.counts.added },
    Field("filled", .count, "values that replaced an error or a missing value") { $0.tally.counts.filled },
    Field("known", .count, "values that were in the store before") { $0.tally.counts.known },
    Field("conflicts", .count, "samples that the store has with different counts (raw values)") {
      $0.tally.counts.conflicts
    },
    Field(
      ifKnown: "same_time", .ordinal,
      "added history values of the same time as others with another value, as of two persons; missing instead of 0"
    ) { $0.tally.sameTime > 0 ? $0.tally.sameTime : nil },
    Field("left_out", .count, "values that were left out") { $0.tally.counts.leftOut },
    Field("left_out_reasons", array: LeftOut.fields) { LeftOut.all($0.tally.counts.reasons) },
    Field("has_local_times", .boolean, "true if times in the file had no zone") { $0.tally.hasLocalTimes },
    Field(
      "time_zone", .string,
      "the zone used for times without one; null if all had one, or if the zone has no name"
    ) { $0.tally.timeZone },
    Field(
      "clock_disagreement_seconds", .integer,
      "seconds by which a scan gives a later start of the sensor than the store, if over two minutes"
    ) { $0.tally.disagreementSeconds },
    Field(
      "is_provisional", .boolean,
      "true if the start of a sensor may be wrong, as one from the modification time of a file"
    ) { $0.tally.doubt != nil },
    Field("sensors", array: sensor) {
      $0.tally.sensors.sorted {
        ($0.uid?.description ?? "", $0.serial ?? "") < ($1.uid?.description ?? "", $1.serial ?? "")
      }
    },
    Field(
      "persons", .array(of: .string), "people besides the one of the import who own some of the sensors",
      when: { !$0.tally.persons.isEmpty }
    ) { $0.tally.persons.map(\.word).sorted() },
  ]

  private static let sensor: Fields<SensorIdentity> = [
    Field("uid", .uid) { $0.uid?.description },
    Field("serial") { $0.serial },
    Field("fingerprint", .fingerprint) { $0.fingerprint?.description },
  ]
}
