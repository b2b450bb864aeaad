// SPDX-License-Identifier: Apache-2.0

/// The reasons why the start of a sensor, and with it each of its times, may be wrong. Such times are shown, decide
/// nothing, and are not sent to a receiver.
public enum StartDoubt: String, Hashable, Sendable, CaseIterable {
  /// Known only from the modification time of a file, which copying or unpacking may have changed.
  case modificationTime = "modification_time"
  /// Read by a computer whose clock cannot be right.
  case clockNotSet = "clock_not_set"
  /// Two scans by the clocks of computers are more than a day apart, and no third one agrees with either.
  case disputed
}
