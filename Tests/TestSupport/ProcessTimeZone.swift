// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The time zone of this process. There is only one, so tests that set it wait for each other.
package enum ProcessTimeZone {
  private static let lock = NSLock()

  /// Runs `body` in a zone of the time zone database, then restores the zone that was set before.
  package static func set(_ name: String, during body: () throws -> Void) rethrows {
    lock.lock()
    let before = getenv("TZ").map { String(cString: $0) }
    setenv("TZ", name, 1)
    tzset()
    defer {
      if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
      tzset()
      lock.unlock()
    }
    try body()
  }
}
