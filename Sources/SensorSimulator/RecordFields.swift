// SPDX-License-Identifier: Apache-2.0
package import Libre1Core

/// The fields of one six-byte record, before they are packed: the counterpart of `MeasurementRecord`.
///
/// Any number is accepted. As in the sensor's own registers, the highest bits that do not fit are lost: glucose keeps
/// 14 bits, the error field 11, temperature 12 and the adjustment's magnitude 9 after a division by four.
package struct RecordFields: Hashable, Sendable {
  /// The glucose signal, 0…16383 counts.
  package var glucose: Int
  /// The thermistor signal, 0…16380 in steps of 4.
  package var temperature: Int
  /// The correction of the thermistor signal, −2044…2044 in steps of 4.
  package var temperatureAdjustment: Int
  package var hasError: Bool
  /// The error field, 0…2047.
  package var errorField: Int

  /// A record; by default one without error of a Libre 1 since about 2016, whose error field is always 320
  /// (Libre1Core/MemoryFormat, "Error field").
  package init(
    glucose: Int, temperature: Int, temperatureAdjustment: Int = 0, hasError: Bool = false, errorField: Int = 0x320
  ) {
    self.glucose = glucose
    self.temperature = temperature
    self.temperatureAdjustment = temperatureAdjustment
    self.hasError = hasError
    self.errorField = errorField
  }

  package init(_ record: MeasurementRecord) {
    self.init(
      glucose: record.glucose, temperature: record.temperature, temperatureAdjustment: record.temperatureAdjustment,
      hasError: record.hasError, errorField: record.errorField)
  }

  /// Six zero bytes: a slot that the sensor has not reached yet.
  package static let neverWritten = RecordFields(glucose: 0, temperature: 0, errorField: 0)

  /// The record's 48 bits; the upper 16 are zero.
  package var bits: UInt64 {
    typealias Field = MemoryMap.Record
    var bits: UInt64 = 0
    bits = Field.glucose.setting(glucose, in: bits)
    bits = Field.errorField.setting(errorField, in: bits)
    bits = Field.hasError.setting(hasError ? 1 : 0, in: bits)
    bits = Field.temperature.setting(temperature, in: bits)
    bits = Field.adjustmentMagnitude.setting(abs(temperatureAdjustment), in: bits)
    return Field.adjustmentIsNegative.setting(temperatureAdjustment < 0 ? 1 : 0, in: bits)
  }
}
