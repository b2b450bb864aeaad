// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
public import LibreKit

/// The pairs of a comparison as comma-separated values, grouped by calibration.
public enum ComparisonCSV {
  public static func text(of comparison: Comparison) -> String {
    CSVColumn.header(columns)
      + CSVColumn.rows(comparison.models.flatMap { model in model.pairs.map { (model.name, $0) } }, columns)
  }

  private static let columns: [CSVColumn<(model: String, pair: GlucosePair)>] =
    [
      CSVColumn("calibration") { $0.model },
      CSVColumn("time") { $0.pair.time.rfc3339 },
      CSVColumn("reference_mg_dl", places: 4) { $0.pair.reference.milligramsPerDecilitre },
      CSVColumn("sensor_mg_dl", places: 4) { $0.pair.sensor.milligramsPerDecilitre },
    ]
    + ErrorGrid.allCases.map { grid in
      CSVColumn("zone_\(grid.rawValue.replacing("-", with: "_"))") { grid.zone(of: $0.pair).rawValue }
    }
}
