// SPDX-License-Identifier: Apache-2.0
import Meters
package import SensorHistory
import TextFormats

package enum MeterReadingJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "meter_reading", summary: "one reading of a Bluetooth meter",
    description: "The records that a Bluetooth meter handed out in one reading, and what became of them.",
    fields.members, parts: [("record", MeterRecordJSON.record.schema)])

  package static let fields: Fields<MeterOutput> = [
    Field("tool", .tool) { _ in Program.tool },
    Field("read_at") { $0.readAt },
    Field("meter", object: meter) { $0 },
    Field("is_complete", .boolean, "False if the transfer ended early; error has the reason, the records are valid.") {
      $0.reading.failure == nil
    },
    Field("was_reset", .boolean, "True if the meter numbers its records anew, so that all of them were read again.") {
      $0.reading.wasReset
    },
    Field("announced_records", .count, "Number that the meter announced; null if it did not.") {
      $0.reading.announcedCount
    },
    Field("records", array: MeterRecordJSON.record, as: .array(of: .reference("record"))) { $0.items },
    Field("rejected", "Packets that could not be decoded.", array: rejected) { $0.reading.rejected },
    Field(
      "error", "The reason why the transfer ended early; null if it is complete.", objectOrNull: ErrorJSON.explanation
    ) { $0.reading.failure },
  ]

  private static let meter: Fields<MeterOutput> = [
    Field("address", .nonEmpty, "Bluetooth address, or sim:NAME for a simulated meter.") { $0.meter.identity.address },
    Field("name", .string, "Advertised name.") { $0.meter.identity.name },
    Field("maker") { $0.meter.maker },
    Field("model") { $0.meter.modelNumber },
    Field("serial") { $0.meter.serialNumber },
    Field("firmware") { $0.meter.firmware },
    Field("known_as", .string, "Its title in libre meters --supported.") { $0.meter.model?.title },
    Field("proof", .string, "How its entry there is known; no meter was tested by this project.") {
      $0.meter.model.map { "\(MeterModel.caution); \($0.proof.rawValue)" }
    },
    Field("battery_percent", .integer.from(0, to: 100)) { $0.meter.batteryPercent },
    Field("clock", .localTime, "What the meter's clock showed, without a zone.") { $0.meter.clock?.description },
    Field("clock_ahead_seconds", .integer, "Seconds by which that is ahead of this machine's local time.") {
      $0.clockAheadSeconds
    },
  ]

  private static let rejected: Fields<RejectedPacket> = [
    Field("packet", .hex) { HexText.string(of: $0.bytes) },
    Field("message", .nonEmpty) { $0.reason.message },
  ]
}

/// `libre.meter_record/1`: one record of a meter on a line of its own.
package enum MeterRecordJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "meter_record", summary: "one record of a Bluetooth meter", description: "One record of a Bluetooth meter.",
    fields.members)

  package static let fields: Fields<(output: MeterOutput, item: MeterReceipt.Item)> = [
    Field("read_at") { $0.output.readAt },
    Field("meter", object: meter) { $0.output.meter },
    Field("record", object: record) { $0.item },
  ]

  private static let meter: Fields<MeterDescription> = [
    Field("address", .nonEmpty) { $0.identity.address },
    Field("name") { $0.identity.name },
    Field("serial") { $0.serialNumber },
  ]

  /// The members of a record. Those of the other kind are null.
  static let record: Fields<MeterReceipt.Item> = [
    Field("kind", .one(of: "glucose", "blood_pressure")) { $0.glucose == nil ? "blood_pressure" : "glucose" },
    Field("id", .sampleID, "Identity of the value made of it; null if it was left aside.") {
      $0.result.entry?.id?.description
    },
    Field("sequence_number", .word, "Number of the record in the meter; null for a cuff.") {
      $0.glucose?.sequenceNumber
    },
    Field("meter_time", .localTime, "What the meter's display showed, without a zone; null if unknown.") {
      $0.meterTime?.description
    },
    Field("time", .time, "The same in this machine's time zone; null if it was left aside.") {
      $0.result.entry?.time?.rfc3339
    },
    Field("outcome", .one(of: MeterRecordOutcome.self), "new, known from before, or left aside.") {
      MeterRecordOutcome($0).rawValue
    },
    Field("reason", .code, "Why it was left aside.") { $0.reason?.code },
    Field("reason_text", .nonEmpty, "The same in words.") { $0.reason?.message },
    Field("glucose_mg_dl", .number, "Blood glucose; null unless it may be used as a finger-stick.") {
      $0.glucose == nil ? nil : $0.result.entry?.concentration?.milligramsPerDecilitre
    },
    Field("value", .number, "The number as sent, whatever it measures, in the unit below; null for none.", places: 6) {
      $0.glucose?.value?.displayed.number.value
    },
    Field("unit", .one(of: "mg/dL", "mmol/L")) { $0.glucose?.value?.displayed.unit.rawValue },
    Field("tested", .one(of: GlucoseRecord.Kind.self), "What was tested.") { $0.glucose?.kind.rawValue },
    Field("ketone_mmol_l", .number, "β-ketone of a ketone test.") { $0.glucose?.ketoneMillimolesPerLitre?.value },
    Field("sample_type") { $0.glucose?.typeCode.flatMap(GlucoseSampleType.init)?.name },
    Field("sample_location") { $0.glucose?.locationCode.flatMap(GlucoseSampleLocation.init)?.name },
    Field("meal", .string) { $0.glucose?.context?.meal?.name },
    Field("systolic", .number) { $0.pressure?.systolic.number?.value },
    Field("diastolic", .number) { $0.pressure?.diastolic.number?.value },
    Field("mean_pressure", .number, "As sent; many cuffs send 0 because they do not measure it.") {
      $0.pressure?.mean.number?.value
    },
    Field("pressure_unit", .one(of: "mmHg", "kPa")) { $0.pressure?.unit.rawValue },
    Field("pulse_per_min", .number) { $0.pressure?.pulse?.number?.value },
    Field("user", .byte, "Number of the user on the cuff, from 0.") { $0.pressure?.user.map(Int.init) },
    Field(
      "conditions", .array(of: .string.matching("^[a-z_]+$")),
      "What the meter reported about the measurement, such as irregular_pulse."
    ) { $0.glucose?.status.names ?? $0.pressure?.status?.names ?? [] },
    Field("packets", .array(of: .hex), "As sent.") { item in
      let packets =
        switch item.record {
        case .glucose(let record): [record.packet, record.contextPacket].compactMap(\.self)
        case .bloodPressure(let record): [record.packet]
        }
      return packets.map { HexText.string(of: $0) }
    },
  ]
}

/// The records of a meter as comma-separated values, in the order of arrival.
package enum MeterReadingCSV {
  package static func text(of output: MeterOutput, unit: GlucoseUnit) -> String {
    let columns = meter + first + (unit == .millimolesPerLitre ? [millimoles] : []) + rest
    return CSVColumn.header(columns) + CSVColumn.rows(output.items.map { (output, $0) }, columns)
  }

  private typealias Row = (output: MeterOutput, item: MeterReceipt.Item)

  private static let meter: [CSVColumn<Row>] = [
    CSVColumn("meter") { $0.output.meter.displayName },
    CSVColumn("serial") { $0.output.meter.serialNumber },
  ]

  private static let first = record(["kind", "sequence_number", "meter_time", "time", "glucose_mg_dl"])

  private static let millimoles = CSVColumn<Row>("glucose_mmol_l", places: 4) {
    $0.item.result.entry?.concentration?.millimolesPerLitre
  }

  private static let rest = record([
    "systolic", "diastolic", "mean_pressure", "pressure_unit", "pulse_per_min", "user", "tested", "meal", "outcome",
    "reason", "id",
  ])

  private static func record(_ names: [String]) -> [CSVColumn<Row>] {
    MeterRecordJSON.record.columns(names).map { $0.of { $0.item } }
  }
}
