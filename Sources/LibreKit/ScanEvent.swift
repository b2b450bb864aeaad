// SPDX-License-Identifier: Apache-2.0

/// What a scan is doing, for who wants to show it.
public enum ScanEvent: Hashable, Sendable {
  /// For a sensor to come.
  case waiting
  /// A sensor is there.
  case started
  /// So many blocks have been read, of as many as the memory is known to have by then: a Libre Pro tells it late.
  case progress(blocksRead: Int, of: Int)
  /// The sensor is gone, and awaited again.
  case lost(blocksRead: Int, of: Int)
}
