// SPDX-License-Identifier: Apache-2.0

/// How the moment of the scan is known.
public enum ReadTimeSource: String, Hashable, Sendable, CaseIterable {
  /// This computer's clock, while it read the sensor.
  case clock
  /// The user said so (`--read-at`).
  case option
  /// The dump file holds it.
  case file
  /// The dump file's modification time, because the user asked for it.
  case modificationTime = "modification_time"
  /// Not known: no sample has a time.
  case unknown
}
