// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// Libre's own table (`CSVWriter`). Import restores all facts about an entry that its columns hold; the columns are found
/// by their names, so that some may be missing.
///
/// A sensor's row without the columns of the calibration's numbers has no calibration, and one without `uid` and
/// `fingerprint` is refused.
struct CSVReader: HistoryReader {
  let name = "csv"
  let summary = "libre's own table, every entry as a row"

  private static let signature = "the columns kind, raw_glucose and model_glucose_mg_dl"

  private struct Columns: TableColumns {
    let positions: [String: Int]

    var last: Int { positions.values.max() ?? 0 }

    /// The text of a cell; nil for an empty one, or without the column.
    func text(_ name: String, _ row: CSVRow) -> String? {
      positions[name].map { row[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  func hasSignature(_ file: any HistoryFile) -> Bool {
    TableHeader.candidates(in: file.head).contains { Self.columns($0.columns) != nil }
  }

  @discardableResult func read(
    _ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void
  ) throws(HistoryError) -> HistoryFacts {
    guard hasSignature(file) else { throw .notThisFormat(lacks: Self.signature) }
    let table = CSVTable(separator: CSVReading.separator(in: file.head), lacks: Self.signature)
    var facts = HistoryFacts()
    var passedOver: [String: Int] = [:]
    var shared = SharedParts()
    try table.forEachRow(of: file, header: Self.columns, refused: &facts.refused) {
      (columns, row) throws(HistoryError) in
      let cells = Cells(columns: columns, row: row)
      if cells.text("kind") == "blood_pressure" { return try entry(.bloodPressure(try cells.bloodPressure())) }
      let record = try cells.sample()
      // A record that the sensor or libre flagged has counts and no value.
      if record.raw == nil, record.glucose == nil { return passedOver[PassedOver.absent, default: 0] += 1 }
      try entry(try record.entry(LineFields(line: row.line), &shared))
    }
    facts.passedOver = passedOver
    return facts
  }

  private static func columns(_ header: CSVColumns) -> Columns? {
    let positions = Dictionary(
      header.shown.enumerated().map { ($1.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    let needed = ["kind", "ring", "time", "glucose_mg_dl", "raw_glucose", "model_glucose_mg_dl"]
    return needed.allSatisfy { positions[$0] != nil } ? Columns(positions: positions) : nil
  }

  /// A row and the names of its cells.
  private struct Cells {
    let columns: Columns
    let row: CSVRow

    private var fields: LineFields { LineFields(line: row.line) }

    func text(_ name: String) -> String? { columns.text(name, row) }

    private func number<Number: LosslessStringConvertible>(_ name: String) throws(HistoryError) -> Number? {
      guard let text = text(name) else { return nil }
      guard let number = Number(text), (number as? Double)?.isFinite ?? true else { throw fields.bad(name, text) }
      return number
    }

    private func required<Value>(_ name: String, _ value: Value?) throws(HistoryError) -> Value {
      guard let value else { throw fields.bad(name, nil) }
      return value
    }

    func sample() throws(HistoryError) -> SampleRecord {
      var record = SampleRecord()
      record.schema = SampleJSON.schema
      let kind = try required("kind", text("kind"))
      guard ["sensor", "imported", SampleJSON.fingerStickRing].contains(kind) else { throw fields.bad("kind", kind) }
      record.ring = kind == SampleJSON.fingerStickRing ? kind : try required("ring", text("ring"))
      (record.id, record.time, record.source) = (text("id"), text("time"), text("source"))
      (record.device, record.bound, record.note) = (text("device"), text("bound"), text("note"))
      record.quality = try required("quality", text("quality"))
      record.glucose = try number("glucose_mg_dl")
      guard kind == "sensor" else { return record }
      (record.uid, record.serial) = (text("uid"), text("serial"))
      (record.family, record.fingerprint) = (text("family"), text("fingerprint"))
      (record.wear, record.minute) = (try number("wear"), try number("minute"))
      record.temperature = try number("temperature_c")
      record.modelGlucose = try number("model_glucose_mg_dl")
      record.salvaged = try number("salvaged")
      record.raw = SampleRecord.Raw(
        glucose: try required("raw_glucose", number("raw_glucose")),
        temperature: try required("raw_temperature", number("raw_temperature")),
        adjustment: try required("raw_temperature_adjustment", number("raw_temperature_adjustment")),
        hasError: try required("has_error", number("has_error")),
        errorField: try number("error_field"))
      record.calibration = try calibration()
      return record
    }

    private func calibration() throws(HistoryError) -> CalibrationDescription? {
      guard let model = text("calibration"), let numbers = text(CSVWriter.parameters) else { return nil }
      var parameters: [CalibrationDescription.Parameter] = []
      for part in numbers.split(separator: " ") {
        let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
        guard pair.count == 2, let value = Double(pair[1]), value.isFinite,
          parameters.count < SampleRecord.numberLimit, !SampleRecord.calibrationMembers.contains(pair[0]),
          !parameters.contains(where: { $0.name == pair[0] })
        else { throw fields.bad(CSVWriter.parameters, numbers) }
        parameters.append(.init(pair[0], value))
      }
      return CalibrationDescription(
        model: model, version: try required("calibration_version", number("calibration_version")),
        parameters: parameters,
        basis: try text(CSVWriter.series).map { (text) throws(HistoryError) in
          try fields.value(CSVWriter.series, text)
        })
    }

    func bloodPressure() throws(HistoryError) -> BloodPressure {
      let unit: BloodPressure.Unit = try fields.value("sent_unit", try required("sent_unit", text("sent_unit")))
      func pressure(_ name: String) throws(HistoryError) -> Double? {
        guard let value: Double = try number(name) else { return nil }
        guard value > 0, value < 1_000 else { throw fields.bad(name, "\(value)") }
        return value / unit.millimetresOfMercury(1)
      }
      guard let time = try fields.time(text("time")) else { throw fields.bad("time", nil) }
      let user: Int? = try number("user")
      if let user, !(0...255).contains(user) { throw fields.bad("user", "\(user)") }
      return BloodPressure(
        id: try fields.id(text("id")), time: time, systolic: try required("systolic_mmhg", pressure("systolic_mmhg")),
        diastolic: try required("diastolic_mmhg", pressure("diastolic_mmhg")), mean: try pressure("mean_mmhg"),
        unit: unit, pulse: try number("pulse_per_minute"), user: user,
        conditions: text("conditions")?.split(separator: " ").map(String.init) ?? [], source: text("source"))
    }
  }
}
