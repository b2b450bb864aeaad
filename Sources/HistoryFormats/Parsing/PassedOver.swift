// SPDX-License-Identifier: Apache-2.0

/// Why glucose values of a file are passed over, in the words in which they are counted.
enum PassedOver {
  /// Of one that is only known to lie beyond a bound nothing can be compared or calibrated.
  static let fingerSticksOutOfRange = "finger-sticks outside the meter's range"
  /// Small numbers that some receivers write in the place of a value.
  static let errorCodes = "error codes of the receiver"
}
