// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Libre's own table (RFC 4180, with LF) of samples, imported values, finger-sticks and blood pressures, with all facts. A
/// cell is empty if the fact is unknown, or does not exist for this kind of entry.
package struct CSVWriter: HistoryWriter {
  package let name = "csv"
  package let summary = "every entry as a row, with raw values, quality and source"

  package init() {}

  package func document(_ context: ExportContext) -> any HistoryDocument {
    let columns = Self.columns.filter { context.unit == .millimolesPerLitre || !Self.inMillimoles.contains($0.name) }
    return RecordDocument(head: CSVWriting.row(columns.map(\.name))) { entry in
      let cells = columns.map { $0.cell(entry) ?? "" }
      return Array(CSVWriting.row(cells, isWithoutFormulas: context.isWithoutFormulas).utf8)
    }
  }

  /// The numbers of the calibration, as `i1=0 i2=820`, and the samples that it used.
  static let (parameters, series) = ("calibration_parameters", "calibration_series")
  private static let inMillimoles = ["glucose_mmol_l"]

  private struct Column: Sendable {
    let name: String
    /// The text of an entry's cell; nil if the entry does not have this fact.
    let cell: @Sendable (HistoryEntry) -> String?

    init(_ name: String, _ cell: @escaping @Sendable (HistoryEntry) -> String?) {
      self.name = name
      self.cell = cell
    }

    init(_ name: String, places: Int, _ number: @escaping @Sendable (HistoryEntry) -> Double?) {
      self.init(name) { number($0).flatMap { $0.isFinite ? DecimalText.shortest($0, places: places) : nil } }
    }
  }

  private static let columns = [
    Column("kind") {
      switch $0 {
      case .sensor: "sensor"
      case .imported: "imported"
      case .fingerStick: SampleJSON.fingerStickRing
      case .bloodPressure: BloodPressureJSON.kind
      }
    },
    Column("source") { $0.foreignSource },
    Column("device") { $0.imported?.device },
    Column("uid") { $0.stored?.sensor.uid?.description },
    Column("serial") { $0.stored?.sensor.serial },
    Column("wear") { $0.stored.map { String($0.wear) } },
    Column("ring") { ($0.stored?.sample.ring ?? $0.imported?.ring)?.rawValue },
    Column("minute") { $0.stored?.sample.minute.description },
    Column("time") { $0.time?.rfc3339 },
    Column("glucose_mg_dl", places: 4) { $0.usableConcentration?.milligramsPerDecilitre },
    Column("glucose_mmol_l", places: 4) { $0.usableConcentration?.millimolesPerLitre },
    Column("bound") { $0.imported?.bound?.rawValue },
    Column("quality") { ($0.stored?.sample.quality ?? .ok).rawValue },
    Column("errors") { $0.stored?.sample.raw.errors.names.joined(separator: " ") },
    Column("temperature_c", places: 2) { $0.stored?.sample.temperatureCelsius },
    Column("raw_glucose") { $0.stored.map { String($0.sample.raw.glucose) } },
    Column("raw_temperature") { $0.stored.map { String($0.sample.raw.temperature) } },
    Column("raw_temperature_adjustment") { $0.stored.map { String($0.sample.raw.temperatureAdjustment) } },
    Column("has_error") { $0.stored.map { String($0.sample.raw.hasError) } },
    Column("error_field") { $0.stored?.sample.raw.errorField.map(String.init) },
    Column("calibration") { $0.stored?.calibration?.model },
    Column("calibration_version") { $0.stored?.calibration.map { String($0.version) } },
    Column("salvaged") { $0.stored.map { String($0.isSalvaged) } },
    Column("note") { if case .fingerStick(let stick) = $0 { stick.note } else { nil } },
    Column("id") { $0.id?.description },
    Column("model_glucose_mg_dl", places: 4) { $0.stored?.sample.concentration?.milligramsPerDecilitre },
    Column("systolic_mmhg", places: 4) { $0.pressure?.systolicMillimetresOfMercury },
    Column("diastolic_mmhg", places: 4) { $0.pressure?.diastolicMillimetresOfMercury },
    Column("mean_mmhg", places: 4) { $0.pressure?.meanMillimetresOfMercury },
    Column("pulse_per_minute", places: 4) { $0.pressure?.pulse },
    Column("user") { $0.pressure?.user.map(String.init) },
    Column("conditions") { $0.pressure?.conditions.joined(separator: " ") },
    Column("sent_unit") { $0.pressure?.unit.rawValue },
    Column("family") { $0.stored?.sensor.family.rawValue },
    Column("fingerprint") { $0.stored?.sensor.fingerprint?.description },
    Column(parameters) {
      $0.stored?.calibration?.parameters.map { "\($0.name)=\(DecimalText.shortest($0.value, places: 12))" }
        .joined(separator: " ")
    },
    Column(series) { $0.stored?.calibration?.basis?.rawValue },
  ]
}

extension HistoryEntry {
  fileprivate var imported: ImportedSample? { if case .imported(let imported) = self { imported } else { nil } }

  fileprivate var pressure: BloodPressure? { if case .bloodPressure(let pressure) = self { pressure } else { nil } }
}
