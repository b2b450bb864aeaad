// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import LibreKit
import TextFormats

/// Samples as comma-separated values, history before trend, newest first.
package enum ReadingCSV {
  package static func header(unit: GlucoseUnit) -> String { CSVColumn.header(columns(unit)) }

  package static func rows(_ reading: SensorReading, unit: GlucoseUnit) -> String {
    CSVColumn.rows((reading.history + reading.trend).map { (reading, $0) }, columns(unit))
  }

  private typealias Row = (reading: SensorReading, sample: GlucoseSample)

  private static func columns(_ unit: GlucoseUnit) -> [CSVColumn<Row>] {
    unit == .millimolesPerLitre ? withMillimoles : all
  }

  private static let withMillimoles =
    first + [
      CSVColumn("glucose_mmol_l", places: 4) { $0.sample.usableConcentration?.millimolesPerLitre }
    ] + rest
  private static let all = first + rest

  private static let first: [CSVColumn<Row>] = [
    CSVColumn("path") { $0.reading.source.path.map(FileNameText.shown) },
    CSVColumn("uid") { $0.reading.sensor.uid?.description },
    CSVColumn("serial") { $0.reading.sensor.serial },
    CSVColumn("ring") { $0.sample.ring.rawValue },
    CSVColumn("minute") { $0.sample.minute.description },
    CSVColumn("time") { $0.sample.time?.rfc3339 },
    CSVColumn("glucose_mg_dl", places: 4) { $0.sample.usableConcentration?.milligramsPerDecilitre },
  ]

  private static let rest: [CSVColumn<Row>] = [
    CSVColumn("quality") { $0.sample.quality.rawValue },
    CSVColumn("errors") { $0.sample.raw.errors.names.joined(separator: " ") },
    CSVColumn("temperature_c", places: 2) { $0.sample.temperatureCelsius },
    CSVColumn("raw_glucose") { "\($0.sample.raw.glucose)" },
    CSVColumn("raw_temperature") { "\($0.sample.raw.temperature)" },
    CSVColumn("raw_temperature_adjustment") { "\($0.sample.raw.temperatureAdjustment)" },
    CSVColumn("has_error") { "\($0.sample.raw.hasError)" },
    CSVColumn("error_field") { $0.sample.raw.errorField.map(String.init) },
    CSVColumn("id") { $0.reading.id(of: $0.sample)?.description },
    CSVColumn("model_glucose_mg_dl", places: 4) { $0.sample.concentration?.milligramsPerDecilitre },
    CSVColumn("dump") { $0.reading.source.dump.map(String.init) },
    CSVColumn("read_at") { $0.reading.readAt?.rfc3339 },
    CSVColumn("salvaged") { "\($0.reading.isSalvaged)" },
    CSVColumn("calibration") { $0.reading.calibration?.model },
    CSVColumn("calibration_version") { ($0.reading.calibration?.version).map(String.init) },
    CSVColumn("family") { $0.reading.sensor.family.rawValue },
    CSVColumn("fingerprint") { $0.reading.sensor.fingerprint?.description },
    CSVColumn("line") { $0.reading.source.line.map(String.init) },
  ]
}
