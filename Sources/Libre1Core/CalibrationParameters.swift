// SPDX-License-Identifier: Apache-2.0

/// The numbers that Abbott measured for each sensor in the factory (read: DiaBLE, LibreTransmitter; verified with
/// Abbott's own output, Libre1Core/Calibration, "How it was checked"). i1 and i5 are stored, but the formula does not
/// use them.
public struct CalibrationParameters: Hashable, Sendable {
  package let i1: Int
  /// Row of the sensitivity table, 1…1023; 0 has no row.
  package let i2: Int
  /// Counts at zero current, −255…255.
  package let i3: Int
  /// Counts at the reference current, 0…16383.
  package let i4: Int
  package let i5: Int
  /// Thermistor reference, 0…16380 in steps of 4.
  package let i6: Int

  package init(i1: Int, i2: Int, i3: Int, i4: Int, i5: Int, i6: Int) {
    self.i1 = i1
    self.i2 = i2
    self.i3 = i3
    self.i4 = i4
    self.i5 = i5
    self.i6 = i6
  }

  init(_ memory: Span<UInt8>) {
    let magnitude = memory.value(of: MemoryMap.i3Magnitude)
    self.init(
      i1: memory.value(of: MemoryMap.i1), i2: memory.value(of: MemoryMap.i2),
      i3: memory.value(of: MemoryMap.i3IsNegative) == 1 ? -magnitude : magnitude, i4: memory.value(of: MemoryMap.i4),
      i5: memory.value(of: MemoryMap.i5), i6: memory.value(of: MemoryMap.i6))
  }
}
