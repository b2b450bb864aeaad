// SPDX-License-Identifier: Apache-2.0

/// Two sensors with usable history values of the same time, which two persons wear, or one person who compares them.
package struct SimultaneousSensors: Hashable, Sendable {
  package let first: SensorIdentity
  package let second: SensorIdentity
  package let from: Instant
  package let to: Instant

  package init(first: SensorIdentity, second: SensorIdentity, from: Instant, to: Instant) {
    (self.first, self.second, self.from, self.to) = (first, second, from, to)
  }

  /// Sensors that follow each other may have this much time in common: the new one is started before the old one ends.
  package static let changeMinutes = 60

  /// The time of a wear's values in seconds since 1970, and a number for its sensor.
  package struct Wear {
    let sensor: Int
    let from: Int
    let to: Int

    package init(sensor: Int, from: Int, to: Int) { (self.sensor, self.from, self.to) = (sensor, from, to) }
  }

  /// Returns the two sensors with the most time in common; nil if sensors only follow each other.
  package static func most(of wears: [Wear]) -> (first: Int, second: Int, from: Int, to: Int)? {
    var most: (first: Int, second: Int, from: Int, to: Int)?
    // The wear so far that ends last, and the one of another sensor: of those that began before, they have the most in
    // common with the next.
    var latest: [Wear] = []
    for wear in wears.sorted(by: { ($0.from, $0.to, $0.sensor) < ($1.from, $1.to, $1.sensor) }) {
      for other in latest where other.sensor != wear.sensor {
        let end = min(other.to, wear.to)
        guard end - wear.from >= 60 * Self.changeMinutes else { continue }
        if let most, most.to - most.from >= end - wear.from { continue }
        most = (other.sensor, wear.sensor, wear.from, end)
      }
      latest.append(wear)
      latest.sort { $0.to > $1.to }
      let longest = latest[0]
      latest = [longest] + [latest.first { $0.sensor != longest.sensor }].compactMap { $0 }
    }
    return most
  }
}

/// Two sensors that were worn at the same time for sure, as the ages and times of their scans prove.
package struct WornMeanwhile: Hashable, Sendable {
  package let startedAt: Instant
  /// The last time at which a scan showed the sensor in the store active.
  package let lastReadAt: Instant

  package init(startedAt: Instant, lastReadAt: Instant) {
    (self.startedAt, self.lastReadAt) = (startedAt, lastReadAt)
  }
}
