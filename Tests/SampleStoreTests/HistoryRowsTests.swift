// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Testing

@testable import SampleStore

@Suite("Entries from many wears and sources, in one order") final class HistoryRowsTests: StoreTest {
  /// Stores wears that follow each other, overlap or have no time, each with another sensor, and values of another program
  /// and finger-sticks at some of their times.
  private func fill() throws {
    let starts: [Int?] = [0, 300, 310, -20_000, 70_000, nil, 40_000, nil]
    for (number, start) in starts.enumerated() {
      let sensor = sensor.other(after: start ?? 0, number: 100 + number).with {
        if start == nil { $0.source = .unknown }
      }
      for age in [100, 130, 700] { _ = try store.add(sensor.scan(age)) }
    }
    for number in 0..<40 {
      let (minutes, value) = (number * 30 - 200, Double(20 + number % 3))
      for second in UInt64(0)..<2 {
        let id = SampleID(high: UInt64(number), low: second)
        _ = try store.add(.value(id, at: minutes, value, source: "clarity", ring: number % 2 == 0 ? .history : .trend))
        _ = try store.add(.stick(SampleID(high: 500 + UInt64(number), low: second), at: minutes, value))
      }
    }
  }

  /// Orders entries newest first: by time, samples before imported values before finger-sticks. Samples without a time
  /// come after all others.
  private func precedes(_ one: HistoryEntry, _ other: HistoryEntry) -> Bool {
    func place(_ entry: HistoryEntry) -> [Int64] {
      let kind: Int64 =
        switch entry {
        case .sensor: 2
        case .imported: 1
        case .fingerStick, .bloodPressure: 0
        }
      let stored = entry.stored
      return [
        entry.time == nil ? 0 : 1, entry.time?.secondsSince1970 ?? 0, kind,
        // The sensors are stored in the order of their UIDs.
        Int64((stored?.sensor.uid?.bits ?? 0) & 0xFFFF), Int64(stored?.sample.minute.value ?? 0),
        stored?.sample.ring == .trend ? 1 : 0,
      ]
    }
    return place(other).lexicographicallyPrecedes(place(one))
  }

  @Test(
    "wears that overlap, imported values and finger-sticks are merged by time, in both directions and up to a limit")
  func order() throws {
    try fill()
    let newest = try store.entries(.withFingerSticks)
    #expect(newest.count > 600)
    #expect(zip(newest, newest.dropFirst()).allSatisfy { !precedes($1, $0) })
    let oldest = try store.entries(.of { ($0.includesFingerSticks, $0.isNewestFirst) = (true, false) })
    let isDated = { (entry: HistoryEntry) in entry.time != nil }
    #expect(oldest.filter(isDated) == newest.filter(isDated).reversed())
    #expect(oldest.filter { !isDated($0) } == newest.filter { !isDated($0) }.reversed())
    #expect(oldest.suffix(oldest.count { !isDated($0) }).allSatisfy { !isDated($0) })
    for limit in [1, 7, newest.count + 1] {
      let first = try store.entries(.of { ($0.includesFingerSticks, $0.limit) = (true, limit) })
      #expect(first == Array(newest.prefix(limit)))
    }
  }

  @Test("a range finds the same entries as a filter of all entries")
  func ranges() throws {
    try fill()
    let all = try store.entries()
    for (first, last) in [
      (0, 700), (305, 306), (-20_000, -19_900), (-100_000, 100_000), (690, 40_015), (71_000, 72_000),
    ] {
      let (from, to) = (ReadingFixture.start.adding(minutes: first), ReadingFixture.start.adding(minutes: last))
      let found = try store.entries(.of { ($0.from, $0.to) = (from, to) })
      #expect(found == all.filter { $0.time.map { (from...to).contains($0) } ?? false }, "\(first) to \(last)")
    }
  }
}
