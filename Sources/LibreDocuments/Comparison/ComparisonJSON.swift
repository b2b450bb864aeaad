// SPDX-License-Identifier: Apache-2.0
import GlucoseReport
package import SensorHistory
package import TextFormats

/// `libre.comparison/1`: calibrations compared with a reference, or with the factory's on dumps.
package enum ComparisonJSON {
  package static let document = SchemaDocument(
    "comparison", summary: "calibrations compared with a reference (libre compare --json)",
    description:
      "Calibrations compared with a reference, or with the factory's on dumps. Not for treatment decisions.",
    fields.members,
    parts: [
      ("number", JSONSchema.number.orNull), ("size", JSONSchema.number.orNull.with("minimum", 0)),
      ("zones", zones),
      ("model", model.schema.described("Sensor minus reference; null if there are too few pairs.")),
    ])

  package static func write(_ comparison: Comparison, within minutes: Int, to writer: inout JSONWriter) {
    let count = comparison.referenceCount
    document.write(
      fields, Row(comparison: comparison, referenceCount: count, within: minutes, withGrids: true), to: &writer)
  }

  package static func write(_ comparison: MemoryComparison, to writer: inout JSONWriter) {
    let (total, count) = (comparison.total, comparison.total.referenceCount)
    document.write(fields, Row(comparison: total, referenceCount: count, memories: comparison.memories), to: &writer)
  }

  package static func write(_ comparison: OfficialComparison, to writer: inout JSONWriter) {
    document.write(fields, Row(referenceCount: comparison.count, official: comparison), to: &writer)
  }

  /// One of the three comparisons.
  private struct Row {
    var comparison: Comparison?
    let referenceCount: Int
    var within: Int?
    var withGrids = false
    var official: OfficialComparison?
    var memories: [MemoryComparison.Memory]?
  }

  private typealias ModelRow = (model: Comparison.Model, withGrids: Bool)

  private static let models = JSONSchema.array(of: .reference("model"))

  private static let fields: Fields<Row> = [
    Field("reference", .string, "finger-sticks, a file, factory, or official.") {
      $0.comparison?.reference ?? "official"
    },
    Field("reference_count", .count) { $0.referenceCount },
    Field(
      "reference_sources", "Where finger-sticks come from.", array: source,
      when: { $0.comparison?.referenceSources.isEmpty == false }
    ) { $0.comparison?.referenceSources ?? [] },
    Field(ifKnown: "within_minutes", .count) { $0.within },
    Field("models", array: model, as: models) { row in (row.comparison?.models ?? []).map { ($0, row.withGrids) } },
    Field(
      "official", "With --official: each calibration compared with the official values of each sensor.",
      array: official,
      when: { $0.official != nil }
    ) { $0.official?.rows ?? [] },
    Field(
      "software",
      "With --official: the values that known official software gives the history of each sensor, compared with these.",
      array: software, when: { $0.official != nil }
    ) { $0.official?.software ?? [] },
    Field(ifKnown: "official_errors", .count) { $0.official?.officialErrors },
    Field(
      writing: "official_errors_without_value", .object(ofAny: .count).described("Number by calibration."),
      when: { $0.official != nil }
    ) { row, json in
      json.object { json in
        for (calibration, count) in row.official?.errorsWithoutValue ?? [] { json.member(calibration, count) }
      }
    },
    Field("memories", array: memory, when: { $0.memories != nil }) { $0.memories ?? [] },
  ]

  private static let source: Fields<ReferenceValues.Source> = [
    Field(
      "source", .string, "The meter, or the program of an import; null for values that the user typed."
    ) { $0.name },
    Field("count", .count) { $0.count },
  ]

  private static let official: Fields<OfficialComparison.Row> = [
    Field("sensor") { $0.sensor },
    Field("values", .one(of: "history", "current")) { $0.kind.rawValue },
    Field("equal", .count, "Number of values that are equal in whole mg/dL.") { $0.equal },
    Field("model", object: model, as: .reference("model")) { ($0.model, false) },
  ]

  private static let software: Fields<OfficialComparison.Row> = [
    Field("sensor") { $0.sensor },
    Field("software") { $0.model.name },
    Field(
      "fits", .boolean,
      "True if there are at least \(OfficialComparison.Row.minimumCount) values and none differs by 1 mg/dL or more."
    ) { $0.fits },
    Field("equal", .count, "Number of values that are equal in whole mg/dL.") { $0.equal },
    Field("n", .count) { $0.model.metrics.count },
    Field("bias_mg_dl", .reference("number")) { $0.model.metrics.bias },
    Field("rmse_mg_dl", .reference("size")) { $0.model.metrics.rmse },
    Field("worst_mg_dl", .reference("number")) { $0.model.metrics.worst },
  ]

  private static let memory: Fields<MemoryComparison.Memory> = [
    Field("path") { FileNameText.shown($0.path) },
    Field("dump", .ordinal) { $0.dump },
    Field("models", array: model, as: models) { $0.comparison.models.map { ($0, false) } },
  ]

  private static let model: Fields<ModelRow> = [
    Field("calibration") { $0.model.name },
    Field("n", .count) { $0.model.metrics.count },
    Field("bias_mg_dl", .reference("number")) { $0.model.metrics.bias },
    Field("mean_absolute_difference_mg_dl", .reference("size")) { $0.model.metrics.meanAbsoluteDifference },
    Field("mard_percent", .reference("size")) { $0.model.metrics.mard },
    Field("rmse_mg_dl", .reference("size")) { $0.model.metrics.rmse },
    Field("sd_mg_dl", .reference("size")) { $0.model.metrics.standardDeviation },
    Field("lower_limit_of_agreement_mg_dl", .reference("number")) { $0.model.metrics.limitsOfAgreement?.lowerBound },
    Field("upper_limit_of_agreement_mg_dl", .reference("number")) { $0.model.metrics.limitsOfAgreement?.upperBound },
    Field("worst_mg_dl", .reference("number")) { $0.model.metrics.worst },
    Field("within_15_15_percent", .reference("size")) { $0.model.metrics.percentWithin15 },
    Field("within_20_20_percent", .reference("size")) { $0.model.metrics.percentWithin20 },
    Field(
      "zones", "Number of pairs in each zone of each error grid; only with a reference.", object: grids,
      when: { $0.withGrids }
    ) { $0.model },
  ]

  private static let grids = Fields(
    ErrorGrid.allCases.map { grid in
      Field<Comparison.Model>(writing: grid.rawValue.replacing("-", with: "_"), .reference("zones")) { model, json in
        let counts = ErrorGridCounts(model.pairs, grid: grid)
        json.object { json in
          for zone in ErrorGridZone.allCases { json.member(zone.rawValue, counts.count(zone)) }
        }
      }
    })

  private static let zones: JSONSchema = {
    let names = JSONSchema.list(ErrorGridZone.allCases.map { .quoted($0.rawValue) })
    return .type("object").with("propertyNames", .words([("enum", names)])).with("additionalProperties", .count)
      .with("required", names)
  }()
}

/// The pairs of a comparison as comma-separated values, grouped by calibration.
package enum ComparisonCSV {
  package static func text(of comparison: Comparison) -> String {
    CSVColumn.header(columns)
      + CSVColumn.rows(comparison.models.flatMap { model in model.pairs.map { (model.name, $0) } }, columns)
  }

  /// Official values with those of calibrations and known software, by value: without the names of files and sensors,
  /// and without times.
  package static func text(of comparison: OfficialComparison) -> String {
    let rows = (comparison.rows + comparison.software).flatMap { row in
      row.model.pairs.sorted { $0.reference < $1.reference }.map { (row, $0) }
    }
    return CSVColumn.header(official) + CSVColumn.rows(rows, official)
  }

  private static let official: [CSVColumn<(row: OfficialComparison.Row, pair: GlucosePair)>] = [
    CSVColumn("sensor") { String($0.row.number) },
    CSVColumn("values") { $0.row.kind.rawValue },
    CSVColumn("model") { $0.row.model.name },
    CSVColumn("minute") { String($0.pair.time.secondsSince1970 / 60) },
    CSVColumn("official_mg_dl", places: 6) { $0.pair.reference.milligramsPerDecilitre },
    CSVColumn("model_mg_dl", places: 6) { $0.pair.sensor.milligramsPerDecilitre },
  ]

  private static let columns: [CSVColumn<(model: String, pair: GlucosePair)>] =
    [
      CSVColumn("calibration") { $0.model },
      CSVColumn("time") { $0.pair.time.rfc3339 },
      CSVColumn("reference_mg_dl", places: 4) { $0.pair.reference.milligramsPerDecilitre },
      CSVColumn("sensor_mg_dl", places: 4) { $0.pair.sensor.milligramsPerDecilitre },
    ]
    + ErrorGrid.allCases.map { grid in
      CSVColumn("zone_\(grid.rawValue.replacing("-", with: "_"))") { grid.zone(of: $0.pair).rawValue }
    }
}
