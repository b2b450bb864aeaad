// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The sensor's log in the header: each state that it left, with the minute (Libre1Core/MemoryFormat, "End-of-life
/// log").
enum EndOfLifeLog {
  static func entries(in memory: Span<UInt8>) -> [EndOfLifeEntry] {
    (0..<count(in: memory)).map { index in
      let (code, minute) = entry(index, in: memory)
      return EndOfLifeEntry(leftState: SensorState(code), minute: minute)
    }
  }

  /// The minute at which the sensor left `state`, from the first such entry; nil without one.
  static func minute(leaving state: SensorState, in memory: Span<UInt8>) -> SensorMinute? {
    for index in 0..<count(in: memory) {
      let (code, minute) = entry(index, in: memory)
      if SensorState(code) == state { return minute }
    }
    return nil
  }

  static func failure(in memory: Span<UInt8>) -> SensorFailure {
    let (code, minute) = entry(0, in: memory)
    return SensorFailure(code: code, minute: minute)
  }

  private static func count(in memory: Span<UInt8>) -> Int {
    // The same bytes hold the failure in state 6 (read: DiaBLE, xdripswift).
    guard SensorState(memory.byte(MemoryMap.state)) != .failure else { return 0 }
    return min(memory.value(of: MemoryMap.endOfLifeCount), MemoryMap.endOfLifeLog.capacity)
  }

  private static func entry(_ index: Int, in memory: Span<UInt8>) -> (code: UInt8, minute: SensorMinute) {
    let offset = MemoryMap.endOfLifeLog.offset + index * MemoryMap.endOfLifeLog.stride
    return (memory.byte(offset), SensorMinute(Int(memory.short(at: offset + 1))))
  }
}
