// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The six bytes of a ring slot as fields (Libre1Core/MemoryFormat, "Record").
@usableFromInline package struct MeasurementRecord: Hashable, Sendable {
  /// The 48 bits; the upper 16 are zero.
  @usableFromInline package let bits: UInt64

  @usableFromInline init(bits: UInt64) { self.bits = bits }

  /// 0…16383 counts.
  @inlinable package var glucose: Int { MemoryMap.Record.glucose.value(in: bits) }
  /// 0…2047; of no meaning without `hasError`.
  @inlinable package var errorField: Int { MemoryMap.Record.errorField.value(in: bits) }
  @inlinable package var hasError: Bool { MemoryMap.Record.hasError.value(in: bits) == 1 }
  /// 0…16380 in steps of 4.
  @inlinable package var temperature: Int { MemoryMap.Record.temperature.value(in: bits) }
  /// −2044…2044 in steps of 4.
  @inlinable package var temperatureAdjustment: Int {
    let magnitude = MemoryMap.Record.adjustmentMagnitude.value(in: bits)
    return MemoryMap.Record.adjustmentIsNegative.value(in: bits) == 1 ? 0 &- magnitude : magnitude
  }
  @inlinable package var isNeverWritten: Bool { bits == 0 }

  @inlinable package func sample(ring: SampleRing, minute: SensorMinute) -> RawSample {
    RawSample(
      ring: ring, minute: minute, glucose: UInt16(truncatingIfNeeded: glucose),
      temperature: UInt16(truncatingIfNeeded: temperature),
      temperatureAdjustment: Int16(truncatingIfNeeded: temperatureAdjustment), hasError: hasError,
      errorField: UInt16(truncatingIfNeeded: errorField), isNeverWritten: isNeverWritten)
  }
}
