// SPDX-License-Identifier: Apache-2.0

/// Meaning of a part of a terminal chart. The program picks the colours; shape and letters carry the same information.
package enum TerminalColor: Hashable, Sendable, CaseIterable {
  case plain
  /// Explanations.
  case dim
  /// Values below, in and above the range of 70 to 180 mg/dL.
  case low
  case inRange
  case high
  case axis
  /// Lines at the range's limits.
  case band
}

extension TerminalColor {
  /// Returns the meaning of a value in mg/dL.
  init(_ value: Double) {
    self = value < DailyStatistics.range.lowerBound ? .low : value > DailyStatistics.range.upperBound ? .high : .inRange
  }
}
