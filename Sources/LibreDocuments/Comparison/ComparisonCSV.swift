// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
package import LibreKit

/// The pairs of a comparison as comma-separated values, grouped by calibration.
package enum ComparisonCSV {
  package static func text(of comparison: Comparison) -> String {
    CSVColumn.header(columns)
      + CSVColumn.rows(comparison.models.flatMap { model in model.pairs.map { (model.name, $0) } }, columns)
  }

  /// Official values with those of calibrations and known software, by value: without the names of files and sensors,
  /// and without times.
  package static func text(of comparison: OfficialComparison) -> String {
    let rows = (comparison.rows + comparison.software).flatMap { row in
      row.model.pairs.sorted { $0.reference < $1.reference }.map { (row, $0) }
    }
    return CSVColumn.header(official) + CSVColumn.rows(rows, official)
  }

  private static let official: [CSVColumn<(row: OfficialComparison.Row, pair: GlucosePair)>] = [
    CSVColumn("sensor") { String($0.row.number) },
    CSVColumn("values") { $0.row.kind.rawValue },
    CSVColumn("model") { $0.row.model.name },
    CSVColumn("minute") { String($0.pair.time.secondsSince1970 / 60) },
    CSVColumn("official_mg_dl", places: 6) { $0.pair.reference.milligramsPerDecilitre },
    CSVColumn("model_mg_dl", places: 6) { $0.pair.sensor.milligramsPerDecilitre },
  ]

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
