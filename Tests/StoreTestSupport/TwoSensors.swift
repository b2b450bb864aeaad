// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import LibreKit
package import SampleStore
import TestSupport

/// Two sensors of one person, worn at the same time and read in turns every half hour.
package enum TwoSensors {
  package static let earlier = LiteralMemory.uid
  /// Started 1000 minutes after the earlier one.
  package static let later = SensorUID(bits: 0xE007_A000_0025_905F) ?? LiteralMemory.uid
  private static let distance = 1_000

  /// The times of the taps, in minutes since the start of the earlier sensor.
  package static let taps = Array(stride(from: 1_200, through: 1_740, by: 30))
  package static let now = time(1_740)
  /// When the later sensor's warm-up ends: its first usable value.
  package static let change = time(distance + 60)

  private static func time(_ minute: Int) -> Instant { RememberedMemory.start.adding(minutes: minute) }

  package static func reading(of uid: SensorUID, at tap: Int) throws -> SensorReading {
    let isLater = uid == later
    return try RememberedMemory(age: isLater ? tap - distance : tap).with {
      $0.uid = uid
      $0.readAt = time(tap)
    }.reading()
  }

  /// All readings in the order of the taps, at each tap first the one and then the other sensor.
  package static func readings(isLaterFirst: Bool) throws -> [SensorReading] {
    try taps.flatMap { tap in
      try (isLaterFirst ? [later, earlier] : [earlier, later]).map { try reading(of: $0, at: tap) }
    }
  }
}

extension SensorStore {
  package func forget(_ uid: SensorUID) throws {
    for sensor in try sensors() where sensor.identity.uid == uid { try forget(sensor) }
  }

  /// The usable samples of the store that count by the rule for ``TwoSensors``, in the order of time.
  package func counting(_ rings: Set<SampleRing> = Set(SampleRing.allCases)) throws -> [StoredSample] {
    let hasLater = try sensors().contains { $0.identity.uid == TwoSensors.later }
    return try timeline().filter { stored in
      guard let time = stored.sample.time, stored.sample.usableConcentration != nil else { return false }
      let isDisplaced = hasLater && stored.sensor.uid == TwoSensors.earlier && time >= TwoSensors.change
      return rings.contains(stored.sample.ring) && !isDisplaced
    }.reversed()
  }
}
