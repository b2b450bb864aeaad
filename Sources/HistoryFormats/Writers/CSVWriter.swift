// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Libre's own table (RFC 4180, with LF) of samples, imported values, finger-sticks and blood pressures, with all facts. A cell is empty
/// if the fact is unknown, or does not exist for this kind of entry.
package struct CSVWriter: HistoryWriter {
  package let name = "csv"
  package let summary = "every entry as a row, with raw values, quality and source"

  package init() {}

  package func document(_ context: ExportContext) -> any HistoryDocument {
    let unit = context.unit
    return RecordDocument(head: CSVWriting.row(Self.columns(unit: unit))) { entry in
      Array(CSVWriting.row(Self.cells(entry, unit: unit), isWithoutFormulas: context.isWithoutFormulas).utf8)
    }
  }

  /// The column names; `kind` is `sensor`, `imported`, `finger_stick` or `blood_pressure`.
  private static func columns(unit: GlucoseUnit) -> [String] {
    ["kind", "source", "device", "uid", "serial", "wear", "ring", "minute", "time", "glucose_mg_dl"]
      + (unit == .millimolesPerLitre ? ["glucose_mmol_l"] : [])
      + [
        "bound", "quality", "errors", "temperature_c", "raw_glucose", "raw_temperature", "raw_temperature_adjustment",
        "has_error", "error_field", "calibration", "calibration_version", "salvaged", "note", "id",
        "model_glucose_mg_dl",
      ] + pressureColumns + ["family", "fingerprint", parameters, series]
  }

  /// The numbers of the calibration, as `i1=0 i2=820`, and the samples that it used.
  static let (parameters, series) = ("calibration_parameters", "calibration_series")

  private static let pressureColumns = [
    "systolic_mmhg", "diastolic_mmhg", "mean_mmhg", "pulse_per_minute", "user", "conditions", "sent_unit",
  ]

  private static func cells(_ entry: HistoryEntry, unit: GlucoseUnit) -> [String] {
    glucoseCells(entry, unit: unit) + pressureCells(entry) + sensorCells(entry)
  }

  private static func pressureCells(_ entry: HistoryEntry) -> [String] {
    guard case .bloodPressure(let pressure) = entry else { return pressureColumns.map { _ in "" } }
    return [
      number(pressure.systolicMillimetresOfMercury, places: 4),
      number(pressure.diastolicMillimetresOfMercury, places: 4),
      number(pressure.meanMillimetresOfMercury, places: 4), number(pressure.pulse, places: 4),
      pressure.user.map { String($0) } ?? "", pressure.conditions.joined(separator: " "), pressure.unit.rawValue,
    ]
  }

  private static func sensorCells(_ entry: HistoryEntry) -> [String] {
    guard case .sensor(let stored) = entry else { return ["", "", "", ""] }
    let parameters = stored.calibration?.parameters ?? []
    return [
      stored.sensor.family.rawValue, stored.sensor.fingerprint?.description ?? "",
      parameters.map { "\($0.name)=\(DecimalText.shortest($0.value, places: 12))" }.joined(separator: " "),
      stored.calibration?.basis?.rawValue ?? "",
    ]
  }

  private static func glucoseCells(_ entry: HistoryEntry, unit: GlucoseUnit) -> [String] {
    switch entry {
    case .sensor(let stored):
      let sample = stored.sample
      return [
        "sensor", "", "", stored.sensor.uid?.description ?? "", stored.sensor.serial ?? "", String(stored.wear),
        sample.ring.rawValue, sample.minute.description,
      ] + value(entry, unit: unit) + [
        "", sample.quality.rawValue, sample.raw.errors.names.joined(separator: " "),
        number(sample.temperatureCelsius, places: 2), String(sample.raw.glucose), String(sample.raw.temperature),
        String(sample.raw.temperatureAdjustment), sample.raw.hasError ? "true" : "false",
        sample.raw.errorField.map(String.init) ?? "", stored.calibration?.model ?? "",
        stored.calibration.map { String($0.version) } ?? "", stored.isSalvaged ? "true" : "false", "",
        entry.id?.description ?? "", number(sample.concentration?.milligramsPerDecilitre, places: 4),
      ]
    case .imported(let imported):
      return ["imported", imported.source, imported.device ?? "", "", "", "", imported.ring.rawValue, ""]
        + value(entry, unit: unit) + [imported.bound?.rawValue ?? "", SampleQuality.ok.rawValue]
        + Array(repeating: "", count: 11) + [entry.id?.description ?? "", ""]
    case .fingerStick(let stick):
      return ["finger_stick", stick.source ?? "", "", "", "", "", "", ""]
        + value(entry, unit: unit) + ["", SampleQuality.ok.rawValue]
        + Array(repeating: "", count: 10) + [stick.note ?? "", entry.id?.description ?? "", ""]
    case .bloodPressure(let pressure):
      return ["blood_pressure", pressure.source ?? "", "", "", "", "", "", ""]
        + value(entry, unit: unit) + ["", SampleQuality.ok.rawValue]
        + Array(repeating: "", count: 11) + [entry.id?.description ?? "", ""]
    }
  }

  /// Returns the time, and the value if it is usable.
  private static func value(_ entry: HistoryEntry, unit: GlucoseUnit) -> [String] {
    let usable = entry.usableConcentration
    return [entry.time?.rfc3339 ?? "", number(usable?.milligramsPerDecilitre, places: 4)]
      + (unit == .millimolesPerLitre ? [number(usable?.millimolesPerLitre, places: 4)] : [])
  }

  private static func number(_ value: Double?, places: Int) -> String {
    value.flatMap { $0.isFinite ? DecimalText.shortest($0, places: places) : nil } ?? ""
  }
}
