// SPDX-License-Identifier: Apache-2.0

/// The reasons why the sensor flagged a measurement: the low nine bits of a record's error field (read: DiaBLE,
/// DiaBox).
///
/// The bits mean this only in a record whose error flag is set; otherwise the field has another meaning
/// (Libre1Core/MemoryFormat, "Error field").
public struct MeasurementError: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The radio field of a reader disturbed the measurement: a scan can spoil the minute in which it happens.
  package static let rfInterference = MeasurementError(rawValue: 1 << 5)

  /// The names of the bits that are set, lowest bit first.
  package var names: [String] {
    isEmpty ? [] : Self.allNames.enumerated().compactMap { rawValue >> UInt16($0.offset) & 1 == 1 ? $0.element : nil }
  }

  /// All names, lowest bit first. `filter_delta` means that two of the four measurements of a minute differ by more than
  /// byte 332 of the memory allows.
  package static let allNames = [
    "fifo_overflow", "filter_delta", "work_voltage", "peak_delta", "average_delta", "rf_interference",
    "reference_resistance", "signal_saturated", "signal_low",
  ]
}
