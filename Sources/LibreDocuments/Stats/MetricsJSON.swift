// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import LibreKit
import TextFormats

/// The clinics' numbers in `libre.stats/1`.
enum MetricsJSON {
  static func write(_ metrics: GlucoseMetrics, _ unit: GlucoseUnit, to json: inout JSONWriter) {
    json.object { json in
      for (name, value) in numbers(metrics) { json.member(name, value, places: 4) }
      for (name, value, suffix) in concentrations(metrics) {
        json.member("\(name)_mg_dl\(suffix)", value, places: 4)
        guard unit == .millimolesPerLitre else { continue }
        let millimoles = value.map { GlucoseConcentration(milligramsPerDecilitre: $0).millimolesPerLitre }
        json.member("\(name)_mmol_l\(suffix)", millimoles, places: 4)
      }
      json.member("mage_algorithm", GlucoseMetrics.mageAlgorithm)
      json.member("episodes") { json in
        json.array(metrics.episodes) { json, episodes in
          json.object { json in
            json.member("kind", episodes.kind.rawValue)
            json.member("count", episodes.count)
            json.member("per_day", episodes.perDay, places: 4)
            json.member("mean_minutes", episodes.meanMinutes, places: 4)
          }
        }
      }
    }
  }

  /// Those that have no unit of concentration.
  private static func numbers(_ metrics: GlucoseMetrics) -> [(name: String, value: Double?)] {
    let ranges = metrics.ranges
    return [
      ("days", metrics.days), ("percent_active", metrics.percentActive), ("gmi_percent", metrics.gmi),
      ("ea1c_percent", metrics.estimatedA1C), ("percent_very_low", ranges.veryLow), ("percent_low", ranges.low),
      ("percent_in_range", ranges.target), ("percent_high", ranges.high), ("percent_very_high", ranges.veryHigh),
      ("percent_in_tight_range", ranges.tight), ("percent_in_pregnancy_range", ranges.pregnancy),
      ("percent_below_pregnancy_range", ranges.belowPregnancy),
      ("percent_above_pregnancy_range", ranges.abovePregnancy), ("gri", metrics.gri), ("j_index", metrics.jIndex),
      ("lbgi", metrics.lbgi), ("hbgi", metrics.hbgi), ("adrr", metrics.adrr), ("cogi", metrics.cogi),
      ("grade", metrics.grade.score), ("grade_percent_low", metrics.grade.percentHypoglycaemia),
      ("grade_percent_in_range", metrics.grade.percentEuglycaemia),
      ("grade_percent_high", metrics.grade.percentHyperglycaemia),
    ]
  }

  private static func concentrations(
    _ metrics: GlucoseMetrics
  ) -> [(name: String, value: Double?, suffix: String)] {
    [
      ("modd", metrics.modd, ""), ("conga", metrics.conga, ""), ("mag", metrics.mag, "_per_hour"),
      ("mage", metrics.mage, ""),
    ]
  }
}
