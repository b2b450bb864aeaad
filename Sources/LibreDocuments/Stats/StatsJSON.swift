// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import GlucoseReport
import HostSystem
import LibreKit
public import TextFormats

/// `libre.stats/1`.
public enum StatsJSON {
  public static let document = SchemaDocument(
    "stats", summary: "the history in numbers, by day, hour, week, month or sensor",
    description:
      "The history in numbers, one value per quarter of an hour, by local day and by the chosen group. Not for treatment decisions.",
    fields.members,
    parts: [
      ("percent", .number.from(0, to: 100)), ("metrics", MetricsJSON.fields.schema), ("part", part.schema),
    ])

  /// Writes the statistics. `from` and `to` are the chosen limits; `metrics` is nil without values. `unit` can add
  /// values in mmol/L to those in mg/dL. `includesSamples` adds the counted values to each day.
  public static func write(
    _ statistics: StatisticsByDay, groups: GroupedStatistics, metrics: GlucoseMetrics?, from: Instant?, to: Instant?,
    unit: GlucoseUnit, includesSamples: Bool, to writer: inout JSONWriter
  ) {
    document.write(fields, (statistics, groups, metrics, from, to, unit, includesSamples), to: &writer)
  }

  private typealias Row = (
    statistics: StatisticsByDay, groups: GroupedStatistics, metrics: GlucoseMetrics?, from: Instant?, to: Instant?,
    unit: GlucoseUnit, includesSamples: Bool
  )

  private static let fields: Fields<Row> = [
    Field("from") { $0.from?.rfc3339 },
    Field("to") { $0.to?.rfc3339 },
    Field("time_zone", .string, "Null if it has no name, or if the time of the scan is unknown.") { row in
      row.groups.clock.kind == .sensorAge ? nil : LocalTime.zoneName
    },
    Field("by", .one(of: "hour", "day", "week", "month", "sensor")) { $0.groups.grouping.rawValue },
    Field("range_low_mg_dl") { _ in DailyStatistics.range.lowerBound },
    Field("range_high_mg_dl") { _ in DailyStatistics.range.upperBound },
    Field("is_enough_for_report", .boolean, "True with 14 days and 70 % of their values.") {
      $0.statistics.isEnoughForReport
    },
    Field("days_without_values", .count) { $0.statistics.daysWithoutValues },
    Field("total", object: part, as: .reference("part")) { ($0.statistics.total, $0.unit) },
    Field("metrics", objectOrNull: MetricsJSON.fields, as: metrics) { row in row.metrics.map { ($0, row.unit) } },
    Field("days", array: day, as: .array(of: .reference("part", and: day.schema))) { row in
      row.statistics.days.map { ($0, row.groups.clock, row.unit, row.includesSamples) }
    },
    Field("groups", array: group, as: .array(of: .reference("part", and: group.schema))) { row in
      row.groups.groups.map { ($0, row.groups.clock, row.unit, row.includesSamples) }
    },
  ]

  private static let metrics = JSONSchema.words([
    ("description", .quoted("The numbers that clinics use, for the whole range; null without values.")),
    ("oneOf", .list([.type("null"), .reference("metrics")])),
  ])

  private static let day:
    Fields<
      (day: StatisticsByDay.Day, clock: WallClock, unit: GlucoseUnit, includesSamples: Bool)
    > = [
      Field(
        "date", .string.matching("^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), "Null if the time of the scan is unknown."
      ) { $0.clock.kind == .sensorAge ? nil : $0.day.date },
      Field(including: part) { ($0.day.part, $0.unit) },
      Field(
        "samples", "The values counted in the day; with --samples.", array: sample, when: { $0.includesSamples }
      ) { row in row.day.values.map { ($0, row.unit) } },
    ]

  private static let group:
    Fields<
      (group: StatisticsGroup, clock: WallClock, unit: GlucoseUnit, includesSamples: Bool)
    > = [
      Field("label", .string, "The name in the table: 08:00, 2024-05-02, 2024-W18, 2024-05, or the name of a sensor.") {
        $0.group.key.label($0.clock)
      },
      Field("from", .time, "The first second of the group; null for an hour, which belongs to many days.") {
        $0.clock.kind == .sensorAge ? nil : $0.group.from?.rfc3339
      },
      Field("to", .time, "The last second of the group.") { $0.clock.kind == .sensorAge ? nil : $0.group.to?.rfc3339 },
      Field("uid", .uid, "Only with --by sensor.") { $0.group.key.sensor?.uid?.description },
      Field("serial", .string, "Only with --by sensor.") { $0.group.key.sensor?.serial },
      Field("source", .string, "Only with --by sensor: libre, or the source of imported values.") {
        $0.group.key.source
      },
      Field(including: part) { ($0.group.part, $0.unit) },
      Field(
        "samples", "The values counted in the group; with --samples.", array: sample, when: { $0.includesSamples }
      ) { row in row.group.values.map { ($0, row.unit) } },
    ]

  private static let sample: Fields<(point: GlucosePoint, unit: GlucoseUnit)> = [
    Field("time") { $0.point.time.rfc3339 },
    Field("glucose_mg_dl") { $0.point.concentration.milligramsPerDecilitre },
    Field("glucose_mmol_l", when: { $0.unit == .millimolesPerLitre }) { $0.point.concentration.millimolesPerLitre },
  ]

  private typealias PartRow = (part: StatisticsByDay.Part, unit: GlucoseUnit)

  private static let part: Fields<PartRow> = [
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
