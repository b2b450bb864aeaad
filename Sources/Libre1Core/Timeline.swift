// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Which minute each ring slot belongs to. The stored ring index decides, never the age: over repeated scans of real
/// sensors the index gives one record a minute without exception, the age contradicts itself in half of them (FORMAT 3.1).
///
/// Trend slot k holds a minute m with m ≡ k + 1 (mod 16); history slot k a minute m with m / 15 ≡ k + 1 (mod 32)
/// (derived; 0 conflicts on the reference memories). The history stops at the maximum life while the age runs on.
public struct Timeline: Hashable, Sendable {
  /// Of the newest trend record: the age, or one minute less on two scans of three.
  public let newestTrendMinute: SensorMinute
  /// Of the newest history record; nil where the memory does not tell at which minute the history stopped.
  public let newestHistoryMinute: SensorMinute?

  init(_ memory: ValidatedFRAM) {
    let trend = MemoryMap.trend
    newestTrendMinute = SensorMinute(
      memory.ageMinutes - Integers.floorMod(memory.ageMinutes - memory.trendIndex, trend.slots))
    newestHistoryMinute = Self.lastRecordedMinute(of: memory).map { last in
      let history = MemoryMap.history
      let quarter = last / history.minutesPerSlot
      let newest = quarter - Integers.floorMod(quarter - memory.historyIndex, history.slots)
      return SensorMinute(newest * history.minutesPerSlot)
    }
  }

  /// The last minute at which the sensor could still write history: its age, but never past its maximum life. Where the
  /// footer is not trusted the sensor's own note that it left the active state says when that was.
  private static func lastRecordedMinute(of memory: ValidatedFRAM) -> Int? {
    if let limit = memory.maxLifeMinutes { return min(memory.ageMinutes, limit) }
    if let end = memory.lastActiveMinute { return min(memory.ageMinutes, end.value) }
    return switch memory.state {
    case .notActivated, .warmingUp, .active: memory.ageMinutes
    case .expired, .shutdown, .failure, .unknown: nil
    }
  }
}
