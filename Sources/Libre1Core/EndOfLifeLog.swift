// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The sensor's log in the header: a state it left and the minute at which it did.
///
/// Derived, verified on nine shut-down sensors: `{3, maximum life}` then `{4, maximum life + 720}`, count 2. Software that
/// prints byte 6 as a failure code is wrong on every sensor that ended normally: there it is 3, "left active".
enum EndOfLifeLog {
  static func entries(in fram: FRAM) -> [EndOfLifeEntry] {
    // In state 6 the same bytes hold the failure instead (read: DiaBLE, xdripswift).
    guard SensorState(fram.byte(MemoryMap.state)) != .failure else { return [] }
    return (0..<count(in: fram)).map { index in
      let (code, minute) = entry(index, in: fram)
      return EndOfLifeEntry(leftState: SensorState(code), minute: minute)
    }
  }

  /// When the sensor left `state`, if it noted that; the first note counts.
  static func minute(leaving state: SensorState, in fram: FRAM) -> SensorMinute? {
    guard SensorState(fram.byte(MemoryMap.state)) != .failure else { return nil }
    for index in 0..<count(in: fram) {
      let (code, minute) = entry(index, in: fram)
      if SensorState(code) == state { return minute }
    }
    return nil
  }

  static func failure(in fram: FRAM) -> SensorFailure {
    let (code, minute) = entry(0, in: fram)
    return SensorFailure(code: code, minute: minute)
  }

  private static func count(in fram: FRAM) -> Int {
    min(fram.bytes.span.value(of: MemoryMap.endOfLifeCount), MemoryMap.endOfLifeLog.capacity)
  }

  private static func entry(_ index: Int, in fram: FRAM) -> (code: UInt8, minute: SensorMinute) {
    let offset = MemoryMap.endOfLifeLog.offset + index * MemoryMap.endOfLifeLog.stride
    return (fram.byte(offset), SensorMinute(Int(fram.number(at: offset + 1))))
  }
}
