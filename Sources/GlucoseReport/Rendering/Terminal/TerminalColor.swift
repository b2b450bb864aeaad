// SPDX-License-Identifier: Apache-2.0

/// What a piece of a picture in the terminal stands for. Whoever shows it picks the colours; shape and letters say the same.
public enum TerminalColor: Hashable, Sendable, CaseIterable {
  case plain
  /// Words that only explain.
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
  /// Of a value in mg/dL.
  init(_ value: Double) {
    self = value < DailyStatistics.range.lowerBound ? .low : value > DailyStatistics.range.upperBound ? .high : .inRange
  }
}
