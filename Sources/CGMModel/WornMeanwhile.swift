// SPDX-License-Identifier: Apache-2.0

/// Two sensors that were worn at the same time for sure, as the ages and times of their scans prove.
package struct WornMeanwhile: Hashable, Sendable {
  package let startedAt: Instant
  /// The last time at which a scan showed the sensor in the store active.
  package let lastReadAt: Instant

  package init(startedAt: Instant, lastReadAt: Instant) {
    (self.startedAt, self.lastReadAt) = (startedAt, lastReadAt)
  }
}
