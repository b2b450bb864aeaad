// SPDX-License-Identifier: Apache-2.0
import GlucoseReport
import SensorHistory
import TextFormats

/// The figures of a history: members that `libre.stats/1` has once, and `libre.cohort/1` for each member.
enum StatsFigures {
  typealias Row = (statistics: StatisticsByDay, metrics: GlucoseMetrics?, unit: GlucoseUnit)

  static let fields: [Field<Row>] = [
    Field("is_enough_for_report", .boolean, "True with 14 days and 70 % of their values.") {
      $0.statistics.isEnoughForReport
    },
    Field("days_without_values", .count) { $0.statistics.daysWithoutValues },
    Field("total", object: part, as: .reference("part")) { ($0.statistics.total, $0.unit) },
    Field("metrics", objectOrNull: MetricsJSON.fields, as: metrics) { row in row.metrics.map { ($0, row.unit) } },
  ]

  /// The definitions that the schemas of these fields refer to.
  static let definitions: [(String, JSONSchema)] = [
    ("percent", .number.from(0, to: 100)), ("metrics", MetricsJSON.fields.schema), ("part", part.schema),
  ]

  static func ranges<Document>() -> [Field<Document>] {
    [
      Field("range_low_mg_dl") { _ in DailyStatistics.range.lowerBound },
      Field("range_high_mg_dl") { _ in DailyStatistics.range.upperBound },
    ]
  }

  static let provenance: [Field<HistoryProvenance>] = [
    Field("first", .time, "The time of the first value that counts.") { $0.first?.rfc3339 },
    Field("last", .time, "The time of the last value that counts.") { $0.last?.rfc3339 },
    Field("calibration", .string, "The calibrations of the values, or as imported; null without values.") {
      $0.calibration
    },
    Field("left_out", .count, "Values that do not count.") { $0.leftOut.values.reduce(0, +) },
    Field("left_out_reasons", array: LeftOut.fields) { LeftOut.all($0.leftOut) },
    Field(
      ifKnown: "local_times_in", .string, "The zone in which times of the files without one were taken."
    ) { $0.files.localZone },
    Field("tool", .string, "The program and its version.") { _ in Program.tool },
  ]

  private static let metrics = JSONSchema.words([
    ("description", .quoted("The numbers that clinics use, for the whole range; null without values.")),
    ("oneOf", .list([.type("null"), .reference("metrics")])),
  ])

  typealias PartRow = (part: StatisticsByDay.Part, unit: GlucoseUnit)

  static let part: Fields<PartRow> = [
    Field("values", .count) { $0.part.count },
    Field("expected", .count) { $0.part.expected },
    Field("percent_of_expected", .number.from(0, to: 100), places: 2) { $0.part.percentOfExpected },
    Field("is_enough") { $0.part.isEnough },
    Field("mean_mg_dl") { $0.part.statistics?.mean },
    Field("sd_mg_dl", .size) { $0.part.statistics?.standardDeviation },
    Field("min_mg_dl") { $0.part.statistics?.lowest },
    Field("max_mg_dl") { $0.part.statistics?.highest },
    Field(millimoles: "mean_mmol_l", unit: { $0.unit }) { $0.part.statistics?.mean },
    Field(millimoles: "sd_mmol_l", .size, unit: { $0.unit }) { $0.part.statistics?.standardDeviation },
    Field(millimoles: "min_mmol_l", unit: { $0.unit }) { $0.part.statistics?.lowest },
    Field(millimoles: "max_mmol_l", unit: { $0.unit }) { $0.part.statistics?.highest },
    Field("cv_percent", .size) { $0.part.statistics?.coefficientOfVariation },
    Field("percent_below", .number.from(0, to: 100)) { $0.part.statistics?.percentBelow },
    Field("percent_in_range", .number.from(0, to: 100)) { $0.part.statistics?.percentInRange },
    Field("percent_above", .number.from(0, to: 100)) { $0.part.statistics?.percentAbove },
  ]
}

extension JSONSchema {
  fileprivate static let percent = reference("percent")
}

/// The numbers that clinics use, in `libre.stats/1`.
enum MetricsJSON {
  typealias Row = (metrics: GlucoseMetrics, unit: GlucoseUnit)

  static let fields = Fields(numbers + concentrations + others)

  private static let numbers: [Field<Row>] = [
    Field("days", .size, "Days from the first to the last value.") { $0.metrics.days },
    Field("percent_active", .percent) { $0.metrics.percentActive },
    Field("gmi_percent") { $0.metrics.gmi },
    Field("ea1c_percent") { $0.metrics.estimatedA1C },
    Field("percent_very_low", .percent, "Percentage under 54 mg/dL.") { $0.metrics.ranges.veryLow },
    Field("percent_low", .percent, "54 to under 70 mg/dL.") { $0.metrics.ranges.low },
    Field("percent_in_range", .percent, "70 to 180 mg/dL.") { $0.metrics.ranges.target },
    Field("percent_high", .percent, "Percentage over 180, up to 250 mg/dL.") { $0.metrics.ranges.high },
    Field("percent_very_high", .percent, "Percentage over 250 mg/dL.") { $0.metrics.ranges.veryHigh },
    Field("percent_in_tight_range", .percent, "70 to 140 mg/dL.") { $0.metrics.ranges.tight },
    Field("percent_in_pregnancy_range", .percent, "63 to 140 mg/dL.") { $0.metrics.ranges.pregnancy },
    Field("percent_below_pregnancy_range", .percent) { $0.metrics.ranges.belowPregnancy },
    Field("percent_above_pregnancy_range", .percent) { $0.metrics.ranges.abovePregnancy },
    Field("gri", .percent, "Glycemia risk index.") { $0.metrics.gri },
    Field("j_index", .size) { $0.metrics.jIndex },
    Field("lbgi", .size) { $0.metrics.lbgi },
    Field("hbgi", .size) { $0.metrics.hbgi },
    Field("adrr", .size) { $0.metrics.adrr },
    Field("cogi", .number.from(0, to: 100)) { $0.metrics.cogi },
    Field("grade", .number.from(0, to: 50)) { $0.metrics.grade.score },
    Field("grade_percent_low", .number.from(0, to: 100)) { $0.metrics.grade.percentHypoglycaemia },
    Field("grade_percent_in_range", .number.from(0, to: 100)) { $0.metrics.grade.percentEuglycaemia },
    Field("grade_percent_high", .number.from(0, to: 100)) { $0.metrics.grade.percentHyperglycaemia },
  ]

  private static let concentrations: [Field<Row>] = [
    concentration("modd") { $0.modd },
    concentration("conga", "Differences over 24 h.") { $0.conga },
    concentration("mag", suffix: "_per_hour") { $0.mag },
    concentration("mage", "Computed by mage_algorithm.") { $0.mage },
  ].flatMap(\.self)

  private static let others: [Field<Row>] = [
    Field("mage_algorithm") { _ in GlucoseMetrics.mageAlgorithm },
    Field("episodes", array: episode) { $0.metrics.episodes }.with(columns: episodeColumns),
  ]

  private static let episode: Fields<EpisodeCount> = [
    Field("kind", .one(of: EpisodeCount.Kind.self)) { $0.kind.rawValue },
    Field("count", .count) { $0.count },
    Field("per_day", .size) { $0.perDay },
    Field("mean_minutes", .size) { $0.meanMinutes },
  ]

  /// A column for each number of each kind of episode: `episodes_low_count`.
  private static let episodeColumns: [CSVColumn<Row>] = EpisodeCount.Kind.allCases.flatMap { kind in
    episode.columns.filter { $0.name != "kind" }.map { column in
      let cell = column.cell
      return CSVColumn("episodes_\(kind.rawValue)_\(column.name)") { row in
        row.metrics.episodes.first { $0.kind == kind }.map(cell)
      }
    }
  }

  /// The members in mg/dL, and with that unit also in mmol/L.
  private static func concentration(
    _ name: String, _ description: String? = nil, suffix: String = "",
    _ value: @escaping @Sendable (GlucoseMetrics) -> Double?
  ) -> [Field<Row>] {
    [
      Field("\(name)_mg_dl\(suffix)", .size, description) { value($0.metrics) },
      Field(millimoles: "\(name)_mmol_l\(suffix)", .size, unit: { $0.unit }) { value($0.metrics) },
    ]
  }
}
