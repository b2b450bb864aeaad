// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import GlucoseReport
package import LibreKit

/// Statistics as comma-separated values: a row per group.
///
/// Values in mg/dL are always present; mmol/L adds columns after them. The last columns, which are the same in each row, say where
/// the figures come from.
package enum StatsCSV {
  package static func text(
    of statistics: GroupedStatistics, provenance: HistoryProvenance, unit: GlucoseUnit
  ) -> String {
    let clock = statistics.clock
    let name = Column(statistics.grouping == .day ? "date" : statistics.grouping.rawValue) { $0.key.label(clock) }
    let origin = StatsFigures.provenance.flatMap(\.columns).filter { $0.isPresent?(provenance) ?? true }
      .map { $0.of { (_: StatisticsGroup) in provenance } }
    let columns = [name] + columns + (unit == .millimolesPerLitre ? millimoles : []) + origin
    return CSVColumn.header(columns) + CSVColumn.rows(statistics.groups, columns)
  }

  private typealias Column = CSVColumn<StatisticsGroup>

  private static let columns: [Column] = [
    Column("values") { "\($0.part.count)" },
    Column("expected") { "\($0.part.expected)" },
    Column("percent_of_expected", places: 2) { $0.part.percentOfExpected },
    Column("mean_mg_dl", places: 4) { $0.part.statistics?.mean },
    Column("sd_mg_dl", places: 4) { $0.part.statistics?.standardDeviation },
    Column("min_mg_dl", places: 4) { $0.part.statistics?.lowest },
    Column("max_mg_dl", places: 4) { $0.part.statistics?.highest },
    Column("cv_percent", places: 4) { $0.part.statistics?.coefficientOfVariation },
    Column("percent_below", places: 4) { $0.part.statistics?.percentBelow },
    Column("percent_in_range", places: 4) { $0.part.statistics?.percentInRange },
    Column("percent_above", places: 4) { $0.part.statistics?.percentAbove },
  ]

  private static let millimoles: [Column] = [
    Column("mean_mmol_l", places: 4) { converted($0.part.statistics?.mean) },
    Column("sd_mmol_l", places: 4) { converted($0.part.statistics?.standardDeviation) },
    Column("min_mmol_l", places: 4) { converted($0.part.statistics?.lowest) },
    Column("max_mmol_l", places: 4) { converted($0.part.statistics?.highest) },
  ]

  private static func converted(_ value: Double?) -> Double? {
    value.map { GlucoseConcentration(milligramsPerDecilitre: $0).millimolesPerLitre }
  }
}
