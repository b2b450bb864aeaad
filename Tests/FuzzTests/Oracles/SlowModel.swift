// SPDX-License-Identifier: Apache-2.0
import Foundation
import Libre1Core

/// A calibration model twice: as it is, and the slow and obvious way.
struct SlowModel: Sendable {
  let model: any CalibrationModel
  /// mg/dL of a record, and how large the numbers are that it is the difference of; nil for none.
  let value: @Sendable (SlowRecord, SlowMemory) -> (milligrams: Double, scale: Double)?

  /// Libre1Core/Calibration, "Factory formula" with the platform's power, without what can be taken out of a loop.
  static let factory = SlowModel(model: FactoryCalibration()) { record, memory in
    guard memory.header == .ok, memory.isFooterKnown, memory.i2 > 0, memory.i4 != memory.i3,
      let celsius = record.celsius, let row = row(memory.i2)
    else { return nil }
    let current = 65 * Double(record.glucose - memory.i3) / Double(memory.i4 - memory.i3)
    let warmed = current * pow(1.045, 32.5 - celsius)
    return ((warmed - row.offset) / row.sensitivity, (abs(warmed) + row.offset) / row.sensitivity)
  }

  static func linear(slope: Double, offset: Double) -> SlowModel {
    SlowModel(model: LinearCalibration(slope: slope, offset: offset)) { record, _ in
      (slope * Double(record.glucose) + offset, abs(slope) * Double(record.glucose) + abs(offset))
    }
  }

  /// The table as Libre1Core/Calibration, "Sensitivity table" expands it: rows of eight or nine entries, the offset in
  /// steps of 0.25. Each row's sensitivity is asked of the model itself, whose list the tests of Libre1Core hold
  /// against the published one: at 65 counts over i3 = 0, i4 = 65 and 32.5 °C the value is (65 − offset) / sensitivity.
  private static func row(_ i2: Int) -> (offset: Double, sensitivity: Double)? { rows[i2] }

  private static let rows: [Int: (offset: Double, sensitivity: Double)] = {
    var rows: [Int: (offset: Double, sensitivity: Double)] = [:]
    var i2 = 1
    for (count, steps, first) in [(64, 8, 0.75), (23, 9, 0.75), (29, 8, 1.0), (8, 9, 1.0)] {
      for _ in 0..<count {
        for step in 0..<steps {
          let offset = first + 0.25 * Double(step)
          rows[i2] = (offset, (65 - offset) / value(i2))
          i2 += 1
        }
      }
    }
    return rows
  }()

  private static func value(_ i2: Int) -> Double {
    var output = [Double.nan]
    let (counts, celsius) = ([65.0], [32.5])
    var span = output.mutableSpan
    FactoryCalibration().concentrations(
      of: counts.span, celsius: celsius.span,
      parameters: CalibrationParameters(i1: 0, i2: i2, i3: 0, i4: 65, i5: 0, i6: 0), into: &span)
    return output[0]
  }
}
