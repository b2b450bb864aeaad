// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HistoryFormats
import LibreKit
package import TextFormats

/// `libre.reading/1` (LibreDocuments/Contract, "Reading").
package enum ReadingJSON {
  package static let document = SchemaDocument(
    "reading", summary: "one scan or one decoded dump",
    description: "One scan of a sensor, or one decoded dump. Not for treatment decisions.", fields.members,
    parts: [("sample", SampleDocument.measured)])

  /// `unit` can add values in mmol/L to those in mg/dL. Without samples both rings are null. `person` is the owner of the
  /// sensor.
  package static func write(
    _ reading: SensorReading, unit: GlucoseUnit, includesSamples: Bool = true, person: String? = nil,
    input: KeptMembers? = nil, to writer: inout JSONWriter
  ) {
    document.write(fields, (reading, unit, includesSamples, person, input), to: &writer)
  }

  private typealias Row = (
    reading: SensorReading, unit: GlucoseUnit, includesSamples: Bool, person: String?, input: KeptMembers?
  )

  private static let fields: Fields<Row> = [
    Field("id") { $0.reading.id },
    Field("read_at") { $0.reading.readAt },
    Field("read_at_source", .one(of: ReadTimeSource.self)) { $0.reading.readAtSource.rawValue },
    Field("source", object: source) { $0.reading.source },
    Field("reader", objectOrNull: reader) { $0.reading.reader },
    Field(
      ifKnown: "person", .string,
      "The owner of the sensor, on a computer that knows several people: a name of libre person list, or me."
    ) { $0.person },
    Field("sensor", object: sensor) { $0.reading.sensor },
    Field("integrity", object: integrity) { $0.reading.integrity },
    Field("salvaged", .const(.text("true")), when: { $0.reading.isSalvaged }) { _ in true },
    Field(
      ifKnown: "recovered_uid", .string.matching("^E007A[04]00[0-9A-F]{8}$"),
      "The UID derived from the key of an encrypted memory, if the key was recovered from the memory itself."
    ) { recovered($0.reading)?.uid },
    Field(
      ifKnown: "recovered_patch_info", .string.matching("^x{4}[0-9A-F]{8}$"),
      "The patch info derived from that key; x marks unknown digits."
    ) { recovered($0.reading)?.patchInfo },
    Field(writing: "calibration", SampleDocument.calibration(provenance: [.optional("provenance", .string)])) {
      let calibration = $0.reading.calibration
      let provenance = calibration.flatMap { CalibrationEntry.named($0.model)?.summary }
      SampleJSON.write(calibration, provenance: provenance, to: &$1)
    },
    samples("history", atMost: 1344) { $0.history },
    samples("trend", atMost: 16) { $0.trend },
    Field("current", objectOrNull: current) { row in row.reading.current.map { ($0, row.unit) } },
    Field("problems", array: problem) { $0.reading.problems },
    Field("memory", object: DumpDocument.memory) { $0.reading.memory },
    KeptMembers.field { $0.input },
  ]

  private static func samples(
    _ name: String, atMost limit: Int, of samples: @escaping @Sendable (SensorReading) -> [GlucoseSample]
  ) -> Field<Row> {
    let schema = JSONSchema.array(of: .reference("sample")).orNull.with("maxItems", limit)
    return Field(writing: name, schema) { row, json in
      guard row.includesSamples else { return json.null() }
      json.array(samples(row.reading)) { json, sample in
        json.object { json in
          json.key("id")
          json.value(row.reading.id(of: sample))
          SampleJSON.writeMembers(of: sample, unit: row.unit, to: &json)
        }
      }
    }
  }

  private static func recovered(_ reading: SensorReading) -> (uid: String, patchInfo: String)? {
    for case .keyRecovered(let uid, let patchInfo) in reading.problems { return (uid.description, patchInfo) }
    return nil
  }

  static let source: Fields<ReadingSource> = [
    Field("tool", .tool) { $0.tool },
    Field("path") { $0.path.map(FileNameText.shown) },
    Field("format") { $0.format },
    Field("dump", .ordinal) { $0.dump },
    Field(ifKnown: "line", .ordinal) { $0.line },
    Field(ifKnown: "found", "The place of the memory in a file of no known format.", object: found) { $0.found },
    Field("sha256", .string.matching("^[0-9a-f]{64}$")) { $0.sha256 },
  ]

  private static let found: Fields<FoundPlace> = [
    Field("layer", .nonEmpty) { $0.layer },
    Field("unit", .one(of: "line", "byte", "row")) { $0.unit.rawValue },
    // The number of a row may be negative.
    Field("from", .integer) { $0.range.lowerBound },
    Field("to", .integer) { $0.range.upperBound },
  ]

  private static let reader: Fields<ReaderDescription> = [
    Field("address") { $0.address },
    Field("name") { $0.name },
    Field("dialect") { $0.dialect },
    Field(ifKnown: "battery_percent", .integer.from(0, to: 100), "Only for a reader with a battery of its own.") {
      $0.batteryPercent
    },
  ]

  static let sensor: Fields<SensorDescription> = [
    Field("uid", .uid) { $0.uid?.description },
    Field("serial") { $0.serial },
    Field("patch_info", .patchInfo) { $0.patchInfo?.description },
    Field("fingerprint", .fingerprint) { $0.fingerprint?.description },
    Field("family", .one(of: "libre1", "libre_us14day", "libre_pro", "libre2", "unknown")) { $0.family.rawValue },
    Field("product") { $0.identity.product?.name },
    Field("region", .one(of: "unknown", "european", "usa", "australia_canada", "east_row")) { $0.region?.name },
    Field("state", .state) { $0.state.name },
    Field("age_minutes", .word) { $0.ageMinutes },
    Field("max_life_minutes", .word) { $0.maxLifeMinutes },
    Field("initializations", .byte) { $0.initializations },
    Field("activated_at") { $0.activatedAt },
    Field("expires_at") { $0.expiresAt },
    Field("end_of_life", array: ending, as: .array(of: ending.schema).with("maxItems", 6)) { $0.endOfLife },
    Field("failure", objectOrNull: failure) { $0.failure },
  ]

  private static let ending: Fields<EndOfLifeEntry> = [
    Field("left_state", .state) { $0.leftState.name },
    Field("minute", .word) { $0.minute.value },
  ]

  private static let failure: Fields<SensorFailure> = [
    Field("code", .byte) { Int($0.code) },
    Field("minute", .word) { $0.minute.value },
    Field("text") { $0.text },
  ]

  private static let integrity: Fields<MemoryIntegrity> = [
    Field("header", .one(of: "ok", "bad", "absent")) { $0.header.name },
    Field("body", .one(of: "ok", "torn", "bad", "absent")) { $0.body.name },
    Field("footer", .one(of: "ok", "bad", "absent")) { $0.footer.name },
  ]

  private static let current: Fields<(value: CurrentGlucose, unit: GlucoseUnit)> = [
    Field("minute", .ordinal) { $0.value.minute.value },
    Field("glucose_mg_dl") { $0.value.concentration.milligramsPerDecilitre },
    Field("glucose_mmol_l", when: { $0.unit == .millimolesPerLitre }) { $0.value.concentration.millimolesPerLitre },
    Field("rate_mg_dl_per_min") { $0.value.ratePerMinute },
    Field("direction", .direction) { $0.value.direction.rawValue },
  ]

  private static let problem: Fields<ReadingProblem> = [
    Field("code", .code) { $0.code },
    Field("message") { $0.message },
    Field("resolution") { $0.resolution },
  ]
}

/// Samples as comma-separated values, history before trend, newest first.
package enum ReadingCSV {
  package static func header(unit: GlucoseUnit) -> String { CSVColumn.header(columns(unit)) }

  package static func rows(_ reading: SensorReading, unit: GlucoseUnit) -> String {
    CSVColumn.rows((reading.history + reading.trend).map { (reading, $0) }, columns(unit))
  }

  private typealias Row = (reading: SensorReading, sample: GlucoseSample)

  private static func columns(_ unit: GlucoseUnit) -> [CSVColumn<Row>] {
    unit == .millimolesPerLitre ? all : withoutMillimoles
  }

  private static let withoutMillimoles = all.filter { $0.name != "glucose_mmol_l" }

  private static let all: [CSVColumn<Row>] = [
    CSVColumn("path") { $0.reading.source.path.map(FileNameText.shown) },
    CSVColumn("uid") { $0.reading.sensor.uid?.description },
    CSVColumn("serial") { $0.reading.sensor.serial },
    CSVColumn("ring") { $0.sample.ring.rawValue },
    CSVColumn("minute") { $0.sample.minute.description },
    CSVColumn("time") { $0.sample.time?.rfc3339 },
    CSVColumn("glucose_mg_dl", places: 4) { $0.sample.usableConcentration?.milligramsPerDecilitre },
    CSVColumn("glucose_mmol_l", places: 4) { $0.sample.usableConcentration?.millimolesPerLitre },
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
    CSVColumn("product") { $0.reading.sensor.identity.product?.name },
  ]
}
