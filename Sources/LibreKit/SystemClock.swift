// SPDX-License-Identifier: Apache-2.0
import HostSystem

extension Instant {
  /// The time by this computer's clock, in whole seconds. The decoder reads no clock: times are handed to it.
  public static var now: Instant { LocalTime.now }
}
