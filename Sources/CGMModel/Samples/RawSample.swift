// SPDX-License-Identifier: Apache-2.0

/// One measurement exactly as the sensor stored it, with the minute it belongs to.
public struct RawSample: Hashable, Sendable {
  public let ring: SampleRing
  /// The minute it belongs to, from the stored ring index.
  public let minute: SensorMinute
  /// Uncalibrated glucose signal, 0…16383 counts.
  public let glucose: UInt16
  /// Uncalibrated thermistor signal, 0…16380 in steps of 4.
  public let temperature: UInt16
  /// Correction of the thermistor signal, −2044…2044 in steps of 4.
  public let temperatureAdjustment: Int16
  /// True if the sensor itself flagged the measurement as bad.
  public let hasError: Bool
  /// The reasons for `hasError`, eleven bits, 0…2047; without `hasError` the field has another meaning
  /// (Libre1Core/MemoryFormat, "Error field"). nil for a record that an app kept without it.
  public let errorField: UInt16?
  /// True if all six bytes are zero: the slot was never written.
  public let isNeverWritten: Bool

  @inlinable public init(
    ring: SampleRing, minute: SensorMinute, glucose: UInt16, temperature: UInt16, temperatureAdjustment: Int16,
    hasError: Bool, errorField: UInt16?, isNeverWritten: Bool
  ) {
    self.ring = ring
    self.minute = minute
    self.glucose = glucose
    self.temperature = temperature
    self.temperatureAdjustment = temperatureAdjustment
    self.hasError = hasError
    self.errorField = errorField
    self.isNeverWritten = isNeverWritten
  }

  /// The reasons for the flag; empty unless `hasError`, and if they are not known.
  public var errors: MeasurementError {
    hasError ? MeasurementError(rawValue: (errorField ?? 0) & 0x1FF) : []
  }
}
