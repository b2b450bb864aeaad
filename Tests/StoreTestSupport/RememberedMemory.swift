// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import LibreKit
package import SampleStore
import SensorHistory
package import TestSupport

/// A literal memory as a reading, read `age` minutes after one and the same start.
package struct RememberedMemory {
  /// 2024-05-01T17:35:00Z: 1000 minutes before `LiteralMemory.readAt`.
  package static let start = LiteralMemory.readAt.adding(minutes: -1_000)

  package var uid: SensorUID? = LiteralMemory.uid
  package var patchInfo: PatchInfo? = LiteralMemory.patchInfo
  package var readAt: Instant?
  package var bytes: [UInt8]

  /// Every minute has counts of its own.
  package init(age: Int, second: Int64 = 0, state: UInt8 = 3) {
    var memory = LiteralMemory(state: state, age: age)
    for minute in max(1, age - 15)...age {
      memory.set(Self.record(minute), at: 28 + 6 * ((minute - 1) % 16))
    }
    for quarter in max(1, age / 15 - 31)...max(1, age / 15) where age >= 15 {
      memory.set(Self.record(15 * quarter), at: 124 + 6 * ((quarter - 1) % 32))
    }
    memory.seal()
    bytes = memory.bytes
    readAt = Instant(secondsSince1970: Self.start.secondsSince1970 + Int64(age) * 60 + second)
  }

  private static func record(_ minute: Int) -> [UInt8] {
    LiteralMemory.record(glucose: 1_000 + minute % 500, temperature: 6_552, adjustment: -8)
  }

  package func with(_ change: (inout RememberedMemory) -> Void) -> RememberedMemory {
    var copy = self
    change(&copy)
    return copy
  }

  /// The same memory with some records changed.
  package func edited(_ change: (inout LiteralMemory) -> Void) -> RememberedMemory {
    var memory = LiteralMemory()
    memory.bytes = bytes
    change(&memory)
    return with { $0.bytes = memory.bytes }
  }

  /// The footer's checksum does not hold; what tells the sensor from others is as it was.
  package var withBadFooter: RememberedMemory { with { $0.bytes[340] ^= 0x10 } }

  package func reading(salvage: Bool = false, calibration: String = "factory") throws -> SensorReading {
    var options = DecodeOptions()
    options.uid = uid
    options.patchInfo = patchInfo
    options.salvage = salvage
    if let readAt { options.readTime = .at(readAt) }
    if let choice = CalibrationChoice(calibration) { options.calibration = choice }
    return try DumpDecoder(options: options).decode(bytes)
  }
}

extension SensorStore {
  package func timeline(_ calibration: CalibrationChoice = .factory) throws -> [StoredSample] {
    try entries(calibration).compactMap { if case .sensor(let stored) = $0 { stored } else { nil } }
  }

  /// The entries of a query, which asks for samples of both rings and imported values if it is not changed.
  package func entries(
    _ calibration: CalibrationChoice = .factory, _ change: (inout HistoryQuery) -> Void = { _ in }
  ) throws -> [HistoryEntry] {
    var query = HistoryQuery()
    query.rings = [.history, .trend]
    change(&query)
    var entries: [HistoryEntry] = []
    try forEachEntry(query, calibration: calibration) { entry in
      entries.append(entry)
      return true
    }
    return entries
  }
}
