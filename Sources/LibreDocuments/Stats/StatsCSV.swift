// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import GlucoseReport
import LibreKit
import TextFormats

/// Statistics as comma-separated values: a row for each day that has values. Empty means null.
///
/// The values in mg/dL are always there; mmol/L adds columns at the end and replaces none.
public enum StatsCSV {
  public static func text(of statistics: StatisticsByDay, unit: GlucoseUnit) -> String {
    let names = ["mean", "sd", "min", "max"]
    let head =
      ["date", "values", "expected", "percent_of_expected"] + names.map { "\($0)_mg_dl" }
      + ["cv_percent", "percent_below", "percent_in_range", "percent_above"]
      + (unit == .millimolesPerLitre ? names.map { "\($0)_mmol_l" } : [])
    return ([head] + statistics.days.map { row($0, unit) }).map { CSVWriting.row($0) }.joined()
  }

  private static func row(_ day: StatisticsByDay.Day, _ unit: GlucoseUnit) -> [String] {
    let statistics = day.part.statistics
    let values = [statistics?.mean, statistics?.standardDeviation, statistics?.lowest, statistics?.highest]
    let millimoles = values.map { $0.map { GlucoseConcentration(milligramsPerDecilitre: $0).millimolesPerLitre } }
    let percents = [
      statistics?.coefficientOfVariation, statistics?.percentBelow, statistics?.percentInRange,
      statistics?.percentAbove,
    ]
    return [day.date, String(day.part.count), String(day.part.expected), number(day.part.percentOfExpected, places: 2)]
      + (values + percents + (unit == .millimolesPerLitre ? millimoles : [])).map { number($0, places: 4) }
  }

  private static func number(_ value: Double?, places: Int) -> String {
    value.map { DecimalText.shortest($0, places: places) } ?? ""
  }
}
