// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import LibreKit
import TextFormats

/// Samples as comma-separated values (RFC 4180, with LF), history before trend, newest first. Empty means null.
public enum ReadingCSV {
  public static func header(unit: GlucoseUnit) -> String { CSVWriting.row(columns(unit: unit)) }

  public static func rows(_ reading: SensorReading, unit: GlucoseUnit) -> String {
    (reading.history + reading.trend).reduce(into: "") { text, sample in
      text += CSVWriting.row(cells(sample, of: reading, unit: unit))
    }
  }

  private static func columns(unit: GlucoseUnit) -> [String] {
    ["path", "uid", "serial", "ring", "minute", "time", "glucose_mg_dl"]
      + (unit == .millimolesPerLitre ? ["glucose_mmol_l"] : [])
      + [
        "quality", "errors", "temperature_c", "raw_glucose", "raw_temperature", "raw_temperature_adjustment",
        "has_error",
        "error_field", "id", "model_glucose_mg_dl", "dump", "read_at", "salvaged",
      ]
  }

  private static func cells(_ sample: GlucoseSample, of reading: SensorReading, unit: GlucoseUnit) -> [String] {
    let raw = sample.raw
    var cells = [
      reading.source.path ?? "", reading.sensor.uid?.description ?? "", reading.sensor.serial ?? "",
      sample.ring.rawValue, sample.minute.description, sample.time?.rfc3339 ?? "",
      number(sample.usableConcentration?.milligramsPerDecilitre, places: 4),
    ]
    if unit == .millimolesPerLitre { cells.append(number(sample.usableConcentration?.millimolesPerLitre, places: 4)) }
    cells += [
      sample.quality.rawValue, raw.errors.names.joined(separator: " "), number(sample.temperatureCelsius, places: 2),
      String(raw.glucose), String(raw.temperature), String(raw.temperatureAdjustment), raw.hasError ? "true" : "false",
      String(raw.errorField), sample.id?.description ?? "",
      number(sample.concentration?.milligramsPerDecilitre, places: 4),
      reading.source.dump.map(String.init) ?? "", reading.readAt?.rfc3339 ?? "", reading.isSalvaged ? "true" : "false",
    ]
    return cells
  }

  private static func number(_ value: Double?, places: Int) -> String {
    value.map { DecimalText.shortest($0, places: places) } ?? ""
  }
}
