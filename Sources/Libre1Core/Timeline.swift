// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Which minute each ring slot belongs to. The stored ring index decides, never the age: over repeated scans of real
/// sensors the index gives one record a minute without exception, the age contradicts itself in half of them
/// (Libre1Core/MemoryFormat, "Rings").
///
/// Trend slot k holds a minute m with m ≡ k + 1 (mod 16); history slot k a minute m with m / 15 ≡ k + 1 (mod 32)
/// (derived; 0 conflicts on the reference memories). The history stops at the maximum life while the age runs on.
public struct Timeline: Hashable, Sendable {
  /// Of the newest trend record: the age, or one minute less on two scans of three. nil where the index is missing: the
  /// age alone leaves both possible.
  public let newestTrendMinute: SensorMinute?
  /// Of the newest history record; nil where the memory does not tell at which minute the history stopped.
  public let newestHistoryMinute: SensorMinute?
  /// True where the index is missing and the age stands in for it, which only salvaging does. A history record is
  /// written 2 to 3 minutes after its minute, so the newest is of the quarter hour of age − 3 (verified on 107
  /// reference memories: so in 103; the other four were read 2 minutes into a quarter hour and already had the next).
  public let isHistoryEstimated: Bool

  init(_ memory: ValidatedFRAM) {
    let (trend, history) = (MemoryMap.trend, MemoryMap.history)
    newestTrendMinute = memory.trendIndex.map { index in
      SensorMinute(memory.ageMinutes - Integers.floorMod(memory.ageMinutes - index, trend.slots))
    }
    let last = Self.lastRecordedMinute(of: memory)
    isHistoryEstimated = memory.historyIndex == nil && last != nil
    newestHistoryMinute = last.map { last in
      guard let index = memory.historyIndex else {
        return SensorMinute(max(0, last - Self.historyDelay) / history.minutesPerSlot * history.minutesPerSlot)
      }
      let quarter = last / history.minutesPerSlot
      return SensorMinute((quarter - Integers.floorMod(quarter - index, history.slots)) * history.minutesPerSlot)
    }
  }

  /// Minutes after which a history record is there for certain.
  private static let historyDelay = 3

  /// The history index that the estimate amounts to.
  var estimatedHistoryIndex: Int? {
    guard isHistoryEstimated, let newest = newestHistoryMinute else { return nil }
    return Integers.floorMod(newest.value / MemoryMap.history.minutesPerSlot, MemoryMap.history.slots)
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
