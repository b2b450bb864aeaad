// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Samples as comma-separated values (RFC 4180, with LF), history before trend, newest first. Empty means null.
public enum ReadingCSV {
  public static func header(unit: GlucoseUnit) -> String { columns(unit: unit).joined(separator: ",") + "\n" }

  public static func rows(_ reading: SensorReading, unit: GlucoseUnit) -> String {
    (reading.history + reading.trend).reduce(into: "") { text, sample in
      text += cells(sample, of: reading, unit: unit).map(quoted).joined(separator: ",") + "\n"
    }
  }

  private static func columns(unit: GlucoseUnit) -> [String] {
    ["path", "uid", "serial", "ring", "minute", "time", "glucose_mg_dl"]
      + (unit == .millimolesPerLitre ? ["glucose_mmol_l"] : [])
      + [
        "quality", "errors", "temperature_c", "raw_glucose", "raw_temperature", "raw_temperature_adjustment",
        "has_error",
        "error_field", "id",
      ]
  }

  private static func cells(_ sample: GlucoseSample, of reading: SensorReading, unit: GlucoseUnit) -> [String] {
    let raw = sample.raw
    var cells = [
      reading.source.path ?? "", reading.sensor.uid?.description ?? "", reading.sensor.serial ?? "",
      sample.ring.rawValue, sample.minute.description, sample.time?.rfc3339 ?? "",
      number(sample.concentration?.milligramsPerDecilitre, places: 4),
    ]
    if unit == .millimolesPerLitre { cells.append(number(sample.concentration?.millimolesPerLitre, places: 4)) }
    cells += [
      sample.quality.rawValue, raw.errors.names.joined(separator: " "), number(sample.temperatureCelsius, places: 2),
      String(raw.glucose), String(raw.temperature), String(raw.temperatureAdjustment), raw.hasError ? "true" : "false",
      String(raw.errorField), sample.id?.description ?? "",
    ]
    return cells
  }

  private static func number(_ value: Double?, places: Int) -> String {
    value.map { DecimalText.shortest($0, places: places) } ?? ""
  }

  private static func quoted(_ cell: String) -> String {
    // Scalars, not characters: a comma with an accent over it is one character, and a comma all the same.
    let special: Set<Unicode.Scalar> = [",", "\"", "\n", "\r"]
    guard cell.unicodeScalars.contains(where: special.contains) else { return cell }
    var text = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in cell.unicodeScalars { text.append(contentsOf: scalar == "\"" ? ["\"", "\""] : [scalar]) }
    return String(text) + "\""
  }
}
