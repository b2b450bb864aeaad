// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// The minute of each ring slot, computed from the stored ring index, never from the age, which contradicts itself in
/// half of the scans (Libre1Core/MemoryFormat, "Rings"). The history stops at the maximum life, although the age still
/// increases.
package struct Timeline: Hashable, Sendable {
  /// The minute of the newest trend record: the age, or one minute less on two scans of three. nil if the index is
  /// missing, because the age alone allows both.
  package let newestTrendMinute: SensorMinute?
  /// The minute of the newest history record; nil if the memory does not show when the history stopped.
  package let newestHistoryMinute: SensorMinute?
  /// True if the index is missing and is replaced by the age, which only salvaging does: the newest record is of the
  /// quarter hour of age − 3 (verified on 103 of 107 reference memories; the others already had the next record).
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

  /// Minute at which the sensor could still write history: its age, at most its maximum life, which its log has, too.
  private static func lastRecordedMinute(of memory: ValidatedFRAM) -> Int? {
    if let limit = memory.maxLifeMinutes { return min(memory.ageMinutes, limit) }
    if let end = memory.lastActiveMinute { return min(memory.ageMinutes, end.value) }
    return switch memory.state {
    case .notActivated, .warmingUp, .active: memory.ageMinutes
    case .expired, .shutdown, .failure, .unknown: nil
    }
  }
}
