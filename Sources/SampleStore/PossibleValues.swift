// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Numbers that a store may hold. All others are damage: not stored, not merged, and read as if they were missing.
enum PossibleValues {
  /// SQL condition for a column with glucose in mg/dL that is a measured value.
  static func isGlucose(_ column: String) -> String {
    "\(column) > 0 AND \(column) <= \(GlucoseConcentration.possibleMilligramsPerDecilitre.upperBound)"
  }

  /// Numbers in mg/dL that a calibration model may return, whatever the quality of the sample.
  static let modelled = -1e6...1e6
  /// Temperatures in °C that the counts of a sensor may give, whatever the quality of the sample.
  static let celsius = -100.0...200.0
  /// Millimetres of mercury, kilopascals and beats per minute.
  static let bloodPressure = Double.leastNonzeroMagnitude...1_000
  /// A user's correction is limited to a much smaller range when it is computed.
  static let slope = 0.1...10.0
  static let intercept = -1_000.0...1_000

  /// A condition for rows with an impossible value, for each table, with the columns that name the row.
  static var conditions: [(table: String, key: [String], condition: String)] {
    let times = Instant.writable
    let isNoTime = "NOT time BETWEEN \(times.lowerBound.secondsSince1970) AND \(times.upperBound.secondsSince1970)"
    func isOutside(_ column: String, _ range: ClosedRange<Double>) -> String {
      "NOT coalesce(\(column) BETWEEN \(range.lowerBound) AND \(range.upperBound), TRUE)"
    }
    let glucose = "NOT coalesce(\(isGlucose("glucose_mg_dl")), TRUE)"
    let sample = "\(isOutside("temperature_c", celsius)) OR \(isOutside("glucose_mg_dl", modelled))"
    let pressure = ["systolic", "diastolic", "mean", "pulse"].map { isOutside($0, bloodPressure) }
    return [
      ("entry", ["id"], ([isNoTime, glucose] + pressure).joined(separator: " OR ")),
      ("sample", ["wear", "ring", "minute"], sample),
      ("revision", ["wear", "ring", "minute"], isOutside("glucose_mg_dl", modelled)),
      ("user_calibration", ["wear"], "\(isOutside("slope", slope)) OR \(isOutside("intercept", intercept))"),
    ]
  }
}

extension Double {
  /// The number if it is in the range; nil also for NaN.
  func ifPossible(_ range: ClosedRange<Double>) -> Double? { range.contains(self) ? self : nil }
}
