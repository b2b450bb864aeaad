// SPDX-License-Identifier: Apache-2.0
package import GlucoseReport
import HostSystem
package import SensorHistory
import TextFormats

package enum StatsJSON: FieldsDocument {
  package static let document = SchemaDocument(
    "stats", summary: "the history in numbers, by day, hour, week, month or sensor",
    description:
      "The history in numbers, one value per quarter of an hour, by local day and by the chosen group. Not for treatment decisions.",
    fields.members, parts: StatsFigures.definitions)

  /// `from` and `to` are the chosen limits; `metrics` is nil without values. `unit` can add values in mmol/L to those in
  /// mg/dL. `includesSamples` adds the counted values to each day.
  package typealias Row = (
    statistics: StatisticsByDay, groups: GroupedStatistics, metrics: GlucoseMetrics?, provenance: HistoryProvenance,
    from: Instant?, to: Instant?, unit: GlucoseUnit, includesSamples: Bool
  )

  package static let fields = Fields<Row>(span + StatsFigures.ranges() + provenance + figures + lists)

  private static let span: [Field<Row>] = [
    Field("from") { $0.from?.rfc3339 },
    Field("to") { $0.to?.rfc3339 },
    Field("time_zone", .string, "Null if it has no name, or if the time of the scan is unknown.") { row in
      row.groups.clock.kind == .sensorAge ? nil : LocalTime.zoneName
    },
    Field("by", .one(of: "hour", "day", "week", "month", "sensor")) { $0.groups.grouping.rawValue },
  ]

  private static let provenance = StatsFigures.provenance.map { Field<Row>($0) { $0.provenance } }

  private static let figures = StatsFigures.fields.map { Field<Row>($0) { ($0.statistics, $0.metrics, $0.unit) } }

  private static let lists: [Field<Row>] = [
    Field("days", array: day, as: .array(of: .reference("part", and: day.schema))) { row in
      row.statistics.days.map { ($0, row.groups.clock, row.unit, row.includesSamples) }
    },
    Field("groups", array: group, as: .array(of: .reference("part", and: group.schema))) { row in
      row.groups.groups.map { ($0, row.groups.clock, row.unit, row.includesSamples) }
    },
  ]

  private typealias Shown<Group> = (group: Group, clock: WallClock, unit: GlucoseUnit, includesSamples: Bool)

  private static let day: Fields<Shown<StatisticsByDay.Day>> = [
    Field(
      "date", .string.matching("^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), "Null if the time of the scan is unknown."
    ) { $0.clock.kind == .sensorAge ? nil : $0.group.date },
    Field(including: StatsFigures.part) { ($0.group.part, $0.unit) },
    Field(
      "samples", "The values counted in the day; with --samples.", array: sample, when: { $0.includesSamples }
    ) { row in row.group.values.map { ($0, row.unit) } },
  ]

  private static let group: Fields<Shown<StatisticsGroup>> = [
    Field("label", .string, "The name in the table: 08:00, 2024-05-02, 2024-W18, 2024-05, or the name of a sensor.") {
      $0.group.key.label($0.clock)
    },
    Field("from", .time, "The first second of the group; null for an hour, which belongs to many days.") {
      $0.clock.kind == .sensorAge ? nil : $0.group.from?.rfc3339
    },
    Field("to", .time, "The last second of the group.") { $0.clock.kind == .sensorAge ? nil : $0.group.to?.rfc3339 },
    Field("uid", .uid, "Only with --by sensor.") { $0.group.key.sensor?.uid?.description },
    Field("serial", .string, "Only with --by sensor.") { $0.group.key.sensor?.serial },
    Field("source", .string, "Only with --by sensor: libre, or the source of imported values.") { $0.group.key.source },
    Field(including: StatsFigures.part) { ($0.group.part, $0.unit) },
    Field(
      "samples", "The values counted in the group; with --samples.", array: sample, when: { $0.includesSamples }
    ) { row in row.group.values.map { ($0, row.unit) } },
  ]

  private static let sample: Fields<(point: GlucosePoint, unit: GlucoseUnit)> = [
    Field("time") { $0.point.time.rfc3339 },
    Field("glucose_mg_dl") { $0.point.concentration.milligramsPerDecilitre },
    Field("glucose_mmol_l", when: { $0.unit == .millimolesPerLitre }) { $0.point.concentration.millimolesPerLitre },
  ]
}

/// Statistics as comma-separated values: a row per group.
///
/// Values in mg/dL are always present; mmol/L adds columns after them. The last columns, which are the same in each row, say where
/// the figures come from.
package enum StatsCSV {
  package static func text(
    of statistics: GroupedStatistics, provenance: HistoryProvenance, unit: GlucoseUnit
  ) -> String {
    let clock = statistics.clock
    let name = CSVColumn<StatisticsGroup>(
      statistics.grouping == .day ? "date" : statistics.grouping.rawValue
    ) { $0.key.label(clock) }
    let part = milligrams + (unit == .millimolesPerLitre ? millimoles : [])
    let origin = StatsFigures.provenance.flatMap(\.columns).filter { $0.isPresent?(provenance) ?? true }
    let columns = [name] + part.map { $0.of { ($0.part, unit) } } + origin.map { $0.of { _ in provenance } }
    return CSVColumn.header(columns) + CSVColumn.rows(statistics.groups, columns)
  }

  private static let milligrams = StatsFigures.part.columns([
    "values", "expected", "percent_of_expected", "mean_mg_dl", "sd_mg_dl", "min_mg_dl", "max_mg_dl", "cv_percent",
    "percent_below", "percent_in_range", "percent_above",
  ])

  private static let millimoles = StatsFigures.part.columns(["mean_mmol_l", "sd_mmol_l", "min_mmol_l", "max_mmol_l"])
}
