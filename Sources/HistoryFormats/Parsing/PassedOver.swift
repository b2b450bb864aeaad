// SPDX-License-Identifier: Apache-2.0

/// The reasons for which glucose values of a file are skipped, in the words of the count.
enum PassedOver {
  /// Finger-sticks known only as a bound, which cannot be used to compare or calibrate.
  static let fingerSticksOutOfRange = "finger-sticks outside the meter's range"
  /// An empty value, or one of `ShownGlucose.absentWords`.
  static let absent = "records without a value"
  /// Small numbers in place of a value.
  static let errorCodes = "error codes of the receiver"
  static let doubleHour = "times in the hour that is repeated when summer time ends, with unknown summer or winter time"
  static let skippedHour = "times in the hour that is skipped when summer time begins; check --time-zone"
}
