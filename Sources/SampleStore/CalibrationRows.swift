// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SQLiteAccess

extension SensorStore {
  /// Returns the row of a calibration, and inserts it if it is missing.
  func calibrationRow(_ calibration: CalibrationDescription) throws(StoreError) -> Int {
    if let known = calibrationRows[calibration] { return known }
    let values: [SQLiteValue] = [
      .text(calibration.model), .integer(calibration.version), .text(Self.text(of: calibration.parameters)),
    ]
    try run("INSERT INTO calibration (model, version, parameters) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", values)
    let id = try integer("SELECT id FROM calibration WHERE model = ? AND version = ? AND parameters = ?", values) ?? 0
    calibrationRows[calibration] = id
    return id
  }

  func calibration(_ row: Int) throws(StoreError) -> CalibrationDescription? {
    if let known = calibrations[row] { return known }
    let values = try first("SELECT model, version, parameters FROM calibration WHERE id = ?", .integer(row))
    guard let values, let model = values[0].text, let version = values[1].integer, let text = values[2].text
    else { return nil }
    let calibration = CalibrationDescription(model: model, version: Int(version), parameters: Self.parameters(in: text))
    calibrations[row] = calibration
    return calibration
  }

  /// Formats parameters, `i1=0.0 i2=803.0`, with Swift's shortest text of a number, which converts back to the same
  /// number.
  private static func text(of parameters: [CalibrationDescription.Parameter]) -> String {
    parameters.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
  }

  private static func parameters(in text: String) -> [CalibrationDescription.Parameter] {
    text.split(separator: " ").compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let value = Double(parts[1]) else { return nil }
      return CalibrationDescription.Parameter(String(parts[0]), value)
    }
  }
}
