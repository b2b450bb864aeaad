// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import GlucoseReport
import HistoryFormats
import HostSystem
import LibreKit
public import TextFormats

/// `libre.stats/1`.
public enum StatsJSON {
  /// `from` and `to` are the ends that were asked for, `metrics` nil for no values. `unit` adds values in mmol/L beside those in mg/dL.
  /// `includesSamples` adds to each day the values that it counts.
  public static func write(
    _ statistics: StatisticsByDay, metrics: GlucoseMetrics?, from: Instant?, to: Instant?, unit: GlucoseUnit,
    includesSamples: Bool, to writer: inout JSONWriter
  ) {
    writer.object { json in
      json.member("schema", SchemaDocument.stats.identifier)
      json.member("from", from?.rfc3339)
      json.member("to", to?.rfc3339)
      json.member("time_zone", LocalTime.zoneName)
      json.member("by", "day")
      json.member("range_low_mg_dl", DailyStatistics.range.lowerBound, places: 4)
      json.member("range_high_mg_dl", DailyStatistics.range.upperBound, places: 4)
      json.member("is_enough_for_report", statistics.isEnoughForReport)
      json.member("days_without_values", statistics.daysWithoutValues)
      json.member("total") { json in json.object { write(statistics.total, unit, to: &$0) } }
      json.member("metrics") { json in
        if let metrics { MetricsJSON.write(metrics, unit, to: &json) } else { json.null() }
      }
      json.member("days") { json in
        json.array(statistics.days) { json, day in
          json.object { json in
            json.member("date", day.date)
            write(day.part, unit, to: &json)
            guard includesSamples else { return }
            json.member("samples") { json in
              json.array(day.values) { json, value in
                json.object { json in
                  json.member("time", value.time.rfc3339)
                  SampleJSON.write(value.concentration, unit: unit, to: &json)
                }
              }
            }
          }
        }
      }
    }
  }

  private static func write(_ part: StatisticsByDay.Part, _ unit: GlucoseUnit, to json: inout JSONWriter) {
    let statistics = part.statistics
    json.member("values", part.count)
    json.member("expected", part.expected)
    json.member("percent_of_expected", part.percentOfExpected, places: 2)
    json.member("is_enough", part.isEnough)
    let numbers = [
      ("mean", statistics?.mean), ("sd", statistics?.standardDeviation), ("min", statistics?.lowest),
      ("max", statistics?.highest),
    ]
    for (name, value) in numbers { json.member("\(name)_mg_dl", value, places: 4) }
    if unit == .millimolesPerLitre {
      for (name, value) in numbers {
        let millimoles = value.map { GlucoseConcentration(milligramsPerDecilitre: $0).millimolesPerLitre }
        json.member("\(name)_mmol_l", millimoles, places: 4)
      }
    }
    json.member("cv_percent", statistics?.coefficientOfVariation, places: 4)
    json.member("percent_below", statistics?.percentBelow, places: 4)
    json.member("percent_in_range", statistics?.percentInRange, places: 4)
    json.member("percent_above", statistics?.percentAbove, places: 4)
  }
}
