// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The minute of each ring slot. It is computed from the stored ring index, never from the age: over repeated scans of
/// real sensors the index always gives one record a minute, but the age contradicts itself in half of them
/// (Libre1Core/MemoryFormat, "Rings").
///
/// Trend slot k holds a minute m with m ≡ k + 1 (mod 16); history slot k a minute m with m / 15 ≡ k + 1 (mod 32)
/// (derived; 0 conflicts on the reference memories). The history stops at the maximum life, although the age still
/// increases.
package struct Timeline: Hashable, Sendable {
  /// The minute of the newest trend record: the age, or one minute less on two scans of three. nil if the index is
  /// missing, because the age alone allows both.
  package let newestTrendMinute: SensorMinute?
  /// The minute of the newest history record; nil if the memory does not show when the history stopped.
  package let newestHistoryMinute: SensorMinute?
  /// True if the index is missing and is replaced by the age, which only salvaging does. A history record is written 2
  /// to 3 minutes after its minute, so the newest is of the quarter hour of age − 3 (verified on 107 reference
  /// memories: true for 103; the other four were read 2 minutes into a quarter hour and already had the next record).
  package let isHistoryEstimated: Bool

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

  /// The minutes after which a history record is certain to be written.
  private static let historyDelay = 3

  var estimatedHistoryIndex: Int? {
    guard isHistoryEstimated, let newest = newestHistoryMinute else { return nil }
    return Integers.floorMod(newest.value / MemoryMap.history.minutesPerSlot, MemoryMap.history.slots)
  }

  /// The last minute at which the sensor could still write history: its age, but at most its maximum life. If
  /// the footer is not trusted, the log entry of the sensor for leaving the active state has that minute.
  private static func lastRecordedMinute(of memory: ValidatedFRAM) -> Int? {
    if let limit = memory.maxLifeMinutes { return min(memory.ageMinutes, limit) }
    if let end = memory.lastActiveMinute { return min(memory.ageMinutes, end.value) }
    return switch memory.state {
    case .notActivated, .warmingUp, .active: memory.ageMinutes
    case .expired, .shutdown, .failure, .unknown: nil
    }
  }
}
