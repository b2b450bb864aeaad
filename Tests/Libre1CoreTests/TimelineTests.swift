// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct TimelineTests {
  private func timeline(_ fixture: MemoryBuilder) throws -> Timeline { try fixture.sealed().validated().timeline }

  @Test(
    "the newest trend minute is the last possible one for its ring index, not the age",
    arguments: [
      // The two scans 62 seconds apart of Libre1Core/MemoryFormat, "Rings": the age grows by one, the ring by two.
      (age: 6_043, index: 10, newest: 6_042), (6_044, 12, 6_044),
      // The memory for which Abbott's own library reports minute 4568.
      (4_569, 8, 4_568),
      (16, 0, 16), (17, 0, 16), (15, 15, 15), (1, 1, 1), (1, 0, 0), (0, 0, 0), (20_000, 0, 20_000),
      // An index ahead of a young sensor's age gives minutes before the start, by floor modulo, and no sample.
      (3, 5, -11), (1, 13, -3), (0, 1, -15), (0, 15, -1),
    ])
  func trend(age: Int, index: Int, newest: Int) throws {
    let fixture = MemoryBuilder(age: age, trendIndex: index, historyIndex: 0)
    #expect(try timeline(fixture).newestTrendMinute?.value == newest)
    #expect(try fixture.sealed().decoded().trend.samples.isEmpty == (newest <= 0))
  }

  @Test(
    "history minute 15 is present from minute 18 and minute 30 from 33: before that the index gives the older one",
    arguments: [
      (age: 14, index: 0, newest: 0), (15, 0, 0), (17, 0, 0), (18, 1, 15), (29, 1, 15), (30, 1, 15), (32, 1, 15),
      (33, 2, 30), (479, 31, 465), (480, 31, 465), (483, 0, 480), (4_569, 16, 4_560), (8_992, 23, 8_985),
      // An index ahead of the age gives minutes before the start, by floor modulo.
      (1, 1, -465), (0, 31, -15), (14, 2, -450), (20, 2, -450),
    ])
  func history(age: Int, index: Int, newest: Int) throws {
    let fixture = MemoryBuilder(age: age, trendIndex: 0, historyIndex: index)
    #expect(try timeline(fixture).newestHistoryMinute?.value == newest)
    #expect(try fixture.sealed().decoded().history.samples.isEmpty == (newest <= 0))
  }

  @Test(
    "history stops at the maximum life while age and trend run on for 720 minutes and then freeze",
    arguments: [
      // 20700 / 15 = 1380 ≡ 4 (mod 32)
      (state: 3, age: 20_699, maxLife: 20_700, index: 3, newest: 20_685),
      (3, 20_703, 20_700, 4, 20_700), (4, 21_000, 20_700, 4, 20_700), (5, 21_420, 20_700, 4, 20_700),
      // 20793 / 15 = 1386.2: the last whole quarter is 1386 ≡ 10 (mod 32)
      (5, 21_513, 20_793, 10, 20_790), (5, 21_513, 20_793, 9, 20_775),
    ] as [(state: UInt8, age: Int, maxLife: Int, index: Int, newest: Int)])
  func afterMaximumLife(state: UInt8, age: Int, maxLife: Int, index: Int, newest: Int) throws {
    let timeline = try timeline(
      MemoryBuilder(state: state, age: age, trendIndex: age % 16, historyIndex: index, maxLife: maxLife))
    #expect(timeline.newestHistoryMinute?.value == newest)
    #expect(timeline.newestTrendMinute?.value == age)
  }

  @Test(
    "without a footer the first log entry of leaving the active state gives the maximum life, else a running age",
    arguments: [
      (4, 21_420, [(3, 20_700), (4, 21_420)], 20_700), (5, 21_420, [(2, 8), (3, 20_700), (4, 21_420)], 20_700),
      (5, 21_420, [(2, 8)], nil), (1, 20_703, [], 20_700), (2, 20_703, [], 20_700), (3, 20_703, [], 20_700),
      (4, 21_420, [], nil), (5, 21_420, [], nil), (6, 21_420, [], nil), (0, 21_420, [], nil), (9, 21_420, [], nil),
      (255, 21_420, [], nil),
    ] as [(UInt8, Int, [(code: UInt8, minute: Int)], Int?)])
  func badFooter(state: UInt8, age: Int, log: [(code: UInt8, minute: Int)], newest: Int?) throws {
    var fixture = MemoryBuilder(state: state, age: age, trendIndex: age % 16, historyIndex: 4)
    fixture.setEndOfLife(log)
    fixture.seal()
    fixture.breakChecksum(of: .footer)
    let timeline = try fixture.validated().timeline
    #expect(timeline.newestHistoryMinute?.value == newest && timeline.newestTrendMinute?.value == age)
  }

  @Test("samples are one and fifteen minutes apart, and only minutes above zero are samples")
  func spacing() throws {
    // Age 50: trend 50…35; history index 3 is minute 45.
    let young = try MemoryBuilder(age: 50, trendIndex: 2, historyIndex: 3).sealed().decoded()
    #expect(young.trend.samples.map(\.minute.value) == Array((35...50).reversed()))
    #expect(young.history.samples.map(\.minute.value) == [45, 30, 15])
    let first = try MemoryBuilder(age: 5, trendIndex: 5, historyIndex: 0).sealed().decoded()
    #expect(first.trend.samples.map(\.minute.value) == [5, 4, 3, 2, 1])
    #expect(first.history.samples.isEmpty)
    let old = try MemoryBuilder().sealed().decoded()
    #expect(old.trend.samples.map(\.minute.value) == Array((985...1_000).reversed()))
    #expect(old.history.samples.map(\.minute.value) == (0..<32).map { 990 - 15 * $0 })
  }

  @Test("each minute's record is found in the slot that its number gives")
  func slots() throws {
    var fixture = MemoryBuilder(age: 10_225, trendIndex: 0, historyIndex: 9)
    // 10225 ≡ 1 (mod 16), so index 0 is minute 10224; 681 ≡ 9 (mod 32), so index 9 is minute 10215.
    for minute in 10_209...10_224 { fixture.setTrend(minute: minute, MemoryBuilder.record(glucose: minute - 10_000)) }
    for quarter in 650...681 { fixture.setHistory(minute: 15 * quarter, MemoryBuilder.record(glucose: quarter)) }
    let decoded = try fixture.sealed().decoded()
    #expect(decoded.trend.samples.map { Int($0.raw.glucose) + 10_000 } == decoded.trend.samples.map(\.minute.value))
    #expect(decoded.trend.samples.count == 16)
    #expect(decoded.history.samples.map { Int($0.raw.glucose) * 15 } == decoded.history.samples.map(\.minute.value))
    #expect(decoded.history.samples.count == 32)
  }
}
