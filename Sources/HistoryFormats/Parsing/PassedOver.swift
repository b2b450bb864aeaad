// SPDX-License-Identifier: Apache-2.0

/// Why glucose values of a file are passed over, in the words in which they are counted.
enum PassedOver {
  /// Of one that is only known to lie beyond a bound nothing can be compared or calibrated.
  static let fingerSticksOutOfRange = "finger-sticks outside the meter's range"
  /// Small numbers that some receivers write in the place of a value.
  static let errorCodes = "error codes of the receiver"
  /// Of two moments that a clock on the wall calls the same, when summer time ends.
  static let doubleHour = "times in the hour that comes twice when summer time ends, and nothing tells which is meant"
  /// When summer time begins; or of another zone's clock.
  static let skippedHour =
    "times in the hour that is left out when summer time begins, so that no clock showed them; is --time-zone right?"
}
