// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
public import LibreKit
import TextFormats

/// The pairs behind a comparison as comma-separated values, calibration by calibration.
public enum ComparisonCSV {
  public static func text(of comparison: Comparison) -> String {
    let head =
      ["calibration", "time", "reference_mg_dl", "sensor_mg_dl"]
      + ErrorGrid.allCases.map { "zone_\($0.rawValue.replacing("-", with: "_"))" }
    let rows = comparison.models.flatMap { model in
      model.pairs.map { pair in
        [
          model.name, pair.time.rfc3339, DecimalText.shortest(pair.reference.milligramsPerDecilitre, places: 4),
          DecimalText.shortest(pair.sensor.milligramsPerDecilitre, places: 4),
        ] + ErrorGrid.allCases.map { $0.zone(of: pair).rawValue }
      }
    }
    return ([head] + rows).map { CSVWriting.row($0) }.joined()
  }
}
