// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import LibreKit
import MeterProtocols

/// The records of a meter as comma-separated values, in the order of arrival.
package enum MeterReadingCSV {
  package static func text(of output: MeterOutput, unit: GlucoseUnit) -> String {
    let columns = unit == .millimolesPerLitre ? first + [millimoles] + rest : first + rest
    return CSVColumn.header(columns) + CSVColumn.rows(output.items.map { (output, $0) }, columns)
  }

  private typealias Row = (output: MeterOutput, item: MeterReceipt.Item)

  private static let first: [CSVColumn<Row>] = [
    CSVColumn("meter") { $0.output.meter.displayName },
    CSVColumn("serial") { $0.output.meter.serialNumber },
    CSVColumn("kind") { $0.item.glucose == nil ? "blood_pressure" : "glucose" },
    CSVColumn("sequence_number") { $0.item.glucose.map { String($0.sequenceNumber) } },
    CSVColumn("meter_time") { $0.item.meterTime?.description },
    CSVColumn("time") { $0.item.result.entry?.time?.rfc3339 },
    CSVColumn("glucose_mg_dl", places: 4) { $0.item.result.entry?.concentration?.milligramsPerDecilitre },
  ]

  private static let millimoles = CSVColumn<Row>("glucose_mmol_l", places: 4) {
    $0.item.result.entry?.concentration?.millimolesPerLitre
  }

  private static let rest: [CSVColumn<Row>] = [
    CSVColumn("systolic", places: 4) { $0.item.pressure?.systolic.number?.value },
    CSVColumn("diastolic", places: 4) { $0.item.pressure?.diastolic.number?.value },
    CSVColumn("mean_pressure", places: 4) { $0.item.pressure?.mean.number?.value },
    CSVColumn("pressure_unit") { $0.item.pressure?.unit.rawValue },
    CSVColumn("pulse_per_min", places: 4) { $0.item.pressure?.pulse?.number?.value },
    CSVColumn("user") { $0.item.pressure?.user.map { String($0) } },
    CSVColumn("tested") { $0.item.glucose?.kind.rawValue },
    CSVColumn("meal") { $0.item.glucose?.context?.meal?.name },
    CSVColumn("outcome") { MeterRecordOutcome($0.item).rawValue },
    CSVColumn("reason") { $0.item.reason?.code },
    CSVColumn("id") { $0.item.result.entry?.id?.description },
  ]
}
