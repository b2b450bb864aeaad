// SPDX-License-Identifier: Apache-2.0

/// The reasons for which glucose values of a file are skipped, in the words of the count.
enum PassedOver {
  /// Finger-sticks known only as a bound, which cannot be used to compare or calibrate.
  static let fingerSticksOutOfRange = "finger-sticks outside the meter's range"
  /// Records with an empty value, or one of the words for a missing one (`ShownGlucose.absentWords`).
  static let absent = "records without a value"
  /// Small numbers that some receivers write instead of a value.
  static let errorCodes = "error codes of the receiver"
  /// Times in the hour that the local clock repeats when summer time ends.
  static let doubleHour = "times in the hour that is repeated when summer time ends, with unknown summer or winter time"
  /// Times that the local clock skips when summer time begins, perhaps because they are of another zone.
  static let skippedHour =
    "times in the hour that is skipped when summer time begins; check --time-zone"
}
