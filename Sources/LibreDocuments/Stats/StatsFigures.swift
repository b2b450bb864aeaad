// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import LibreKit

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

  /// The limits of the range of `part`.
  static func ranges<Document>() -> [Field<Document>] {
    [
      Field("range_low_mg_dl") { _ in DailyStatistics.range.lowerBound },
      Field("range_high_mg_dl") { _ in DailyStatistics.range.upperBound },
    ]
  }

  /// The origin of the figures.
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
    millimoles("mean", .number) { $0.mean },
    millimoles("sd", .size) { $0.standardDeviation },
    millimoles("min", .number) { $0.lowest },
    millimoles("max", .number) { $0.highest },
    Field("cv_percent", .size) { $0.part.statistics?.coefficientOfVariation },
    Field("percent_below", .number.from(0, to: 100)) { $0.part.statistics?.percentBelow },
    Field("percent_in_range", .number.from(0, to: 100)) { $0.part.statistics?.percentInRange },
    Field("percent_above", .number.from(0, to: 100)) { $0.part.statistics?.percentAbove },
  ]

  private static func millimoles(
    _ name: String, _ schema: JSONSchema, _ value: @escaping @Sendable (DailyStatistics) -> Double?
  ) -> Field<PartRow> {
    Field("\(name)_mmol_l", schema, when: { $0.unit == .millimolesPerLitre }) {
      $0.part.statistics.flatMap(value).map { GlucoseConcentration(milligramsPerDecilitre: $0).millimolesPerLitre }
    }
  }
}
