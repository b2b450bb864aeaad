// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@Suite("Minutes in which a later sensor counts") struct SupersededSpanTests {
  private static func span(_ time: Range<Int64>, newest: Int = 100) -> SupersededSpan? {
    SupersededSpan(.init(wear: 1, later: 2), by: 7, counting: time, from: 0, newest: newest)
  }

  @Test("begin at or after the time in which it counts, and end before its end or with the newest value")
  func minutes() {
    #expect(Self.span(600..<1_200)?.minutes == 10...19)
    #expect(Self.span(601..<1_201)?.minutes == 11...20)
    #expect(Self.span(-600..<1_200, newest: 12)?.minutes == 1...12)
    #expect(Self.span(600..<660, newest: 9) == nil && Self.span(601..<659) == nil)
  }

  /// The times in which a sensor with values at these minutes counts.
  private static func times(_ values: [Int], _ state: SensorState?) -> [Range<Int64>] {
    SupersededSpan.countingTimes(
      start: 0, lastState: state, oldest: { minute in values.first { $0 > minute } },
      newest: { minute in values.last { $0 <= minute } })
  }

  @Test("last until it has ended, or has given no value for eight hours")
  func counting() {
    #expect(Self.times([], .active).isEmpty)
    #expect(Self.times([60, 75], .active) == [3_600..<33_300])
    for state in [SensorState.expired, nil] { #expect(Self.times([60, 75], state) == [3_600..<4_501]) }
    #expect(Self.times([60, 540], .expired) == [3_600..<32_401])
    #expect(Self.times([60, 541], .warmingUp) == [3_600..<32_400, 32_460..<61_260])
  }

  @Test("change where one of two spans of a wear ends and the other goes on")
  func changes() throws {
    let (old, new) = (try #require(Self.span(600..<1_200)), try #require(Self.span(900..<1_800)))
    let changed = SupersededSpan.changes(from: [old], to: [new])
    #expect(changed.map(\.minutes) == [10...14, 20...29] && changed.map(\.wear) == [1, 1])
    #expect(SupersededSpan.changes(from: [old], to: [old]).isEmpty)
    #expect(SupersededSpan.changes(from: [], to: [new]).map(\.minutes) == [15...29])
  }
}
