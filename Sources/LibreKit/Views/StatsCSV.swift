// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import GlucoseReport
import TextFormats

/// Statistics as comma-separated values: a row for each day that has values. Empty means null.
public enum StatsCSV {
  public static func text(of statistics: StatisticsByDay, unit: GlucoseUnit) -> String {
    let suffix =
      switch unit {
      case .milligramsPerDecilitre: "mg_dl"
      case .millimolesPerLitre: "mmol_l"
      }
    let head =
      ["date", "values", "expected", "percent_of_expected"] + ["mean", "sd", "min", "max"].map { "\($0)_\(suffix)" }
      + ["cv_percent", "percent_below", "percent_in_range", "percent_above"]
    return ([head] + statistics.days.map { row($0, unit) }).map { CSVWriting.row($0) }.joined()
  }

  private static func row(_ day: StatisticsByDay.Day, _ unit: GlucoseUnit) -> [String] {
    let statistics = day.part.statistics
    let values = [statistics?.mean, statistics?.standardDeviation, statistics?.lowest, statistics?.highest].map {
      value in
      value.map { value in
        let concentration = GlucoseConcentration(milligramsPerDecilitre: value)
        return switch unit {
        case .milligramsPerDecilitre: concentration.milligramsPerDecilitre
        case .millimolesPerLitre: concentration.millimolesPerLitre
        }
      }
    }
    let percents = [
      statistics?.coefficientOfVariation, statistics?.percentBelow, statistics?.percentInRange,
      statistics?.percentAbove,
    ]
    return [day.date, String(day.part.count), String(day.part.expected), number(day.part.percentOfExpected, places: 2)]
      + (values + percents).map { number($0, places: 4) }
  }

  private static func number(_ value: Double?, places: Int) -> String {
    value.map { DecimalText.shortest($0, places: places) } ?? ""
  }
}
