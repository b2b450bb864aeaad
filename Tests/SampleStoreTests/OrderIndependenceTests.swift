// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Libre1Core
import TestSupport
import Testing

@testable import SampleStore

/// Scans in any order, repeated, and by way of several stores must give the same samples.
struct OrderIndependenceTests {
  /// Scans of one to three sensors, with gaps and overlaps, some without a time or a UID, some with a wrong clock.
  private func series(_ draws: inout SplitMix64) -> [IncomingScan] {
    var scans: [IncomingScan] = []
    for number in 0..<draws.number(1...3) {
      let sensor = ReadingFixture().with {
        $0.uid = SensorUID(bits: 0xE007_A000_0000_0100 + UInt64(number))
        $0.fingerprint = SensorFingerprint(bytes: [UInt8](repeating: UInt8(number), count: 16))
        $0.life = number
        $0.startedAt = ReadingFixture.start.adding(minutes: draws.number(-9_000...9_000))
        // A sample that a sensor flags is flagged in every scan.
        for _ in 0..<20 { $0.flagged.insert(.init(.trend, draws.number(1...3_000))) }
      }
      var age = draws.number(1...900)
      // At least one scan must have the UID, or the sensor would have none.
      scans.append(sensor.scan(age))
      for _ in 0..<draws.number(2...9) {
        age += draws.number(0...2) == 0 ? draws.number(100...900) : draws.number(1...40)
        scans.append(
          sensor.with {
            $0.second = Int64(draws.number(0...59))
            $0.clockError = draws.number(0...9) == 0 ? 3_600 : 0
            $0.source = draws.number(0...3) == 0 ? .unknown : .clock
            if draws.number(0...3) == 0 { $0.uid = nil }
          }.scan(age))
      }
    }
    return scans
  }

  /// Scans of a sensor that is started up to three times, all with a right clock.
  private func restarts(_ draws: inout SplitMix64) -> [IncomingScan] {
    var scans: [IncomingScan] = []
    var startedAt = ReadingFixture.start
    for life in 0..<draws.number(1...3) {
      let sensor = ReadingFixture().with { ($0.life, $0.startedAt) = (life, startedAt) }
      var age = draws.number(61...900)
      for _ in 0..<draws.number(1...6) {
        scans.append(
          sensor.with {
            $0.second = Int64(draws.number(0...59))
            for _ in 0..<5 { $0.flagged.insert(.init(.trend, max(1, age - draws.number(0...15)))) }
          }.scan(age))
        age += draws.number(1...400)
      }
      startedAt = startedAt.adding(minutes: age + draws.number(1_500...9_000))
    }
    return scans
  }

  private func stored(_ scans: [IncomingScan], in store: SensorStore) throws -> Set<StoredSample> {
    // This test has no power failures.
    try store.database.execute("PRAGMA synchronous = OFF")
    try store.transaction { () throws(StoreError) in
      for scan in scans { _ = try store.add(scan) }
    }
    return try store.remembered()
  }

  @Test(
    "random series give the same samples, wears and ids in any order, with any repeats, and from two stores merged",
    arguments: 0..<TestTier.rounds(1, full: 10), [false, true])
  func anyOrder(tenth: Int, isRestarted: Bool) throws {
    let folder = try StoreFolder()
    for seed in tenth * 10..<tenth * 10 + 10 {
      var draws = SplitMix64(seed: UInt64(seed))
      let scans = isRestarted ? restarts(&draws) : series(&draws)
      let plain = try stored(scans, in: try folder.store("\(seed)-plain"))
      #expect(plain.count > 16)
      #expect(plain.allSatisfy { $0.sensor.uid != nil && $0.sample.time != nil }, "seed \(seed)")

      let repeated = scans.filter { _ in draws.number(0...1) == 0 }
      let shuffled = (scans + repeated).shuffled(using: &draws)
      #expect(try stored(shuffled, in: try folder.store("\(seed)-shuffled")) == plain, "seed \(seed)")

      // Divided over two stores, some scans in both.
      let (left, right) = (try folder.store("\(seed)-left"), try folder.store("\(seed)-right"))
      let sides = scans.map { ($0, draws.number(0...2)) }
      _ = try stored(sides.filter { $0.1 != 1 }.map(\.0).shuffled(using: &draws), in: left)
      _ = try stored(sides.filter { $0.1 != 0 }.map(\.0).shuffled(using: &draws), in: right)
      let copy = try folder.store("\(seed)-copy")
      _ = try copy.merge(left)
      _ = try left.merge(right)
      _ = try right.merge(copy)
      for store in [left, right] {
        #expect(try store.remembered() == plain && store.faults() == [], "seed \(seed)")
        let wears = try store.sensors().flatMap(\.wears)
        #expect(wears.allSatisfy { $0.conflicts.isEmpty && (isRestarted || $0.number == 1) }, "seed \(seed)")
      }
    }
  }

  @Test("looks between scans change nothing, and a time moves by less than a minute while all clocks are right")
  func looks() throws {
    let folder = try StoreFolder()
    for seed in 200..<200 + TestTier.rounds(3, full: 10) {
      var draws = SplitMix64(seed: UInt64(seed))
      let scans = series(&draws).filter { scan in
        guard let readAt = scan.reading.readAt, let start = scan.reading.sensor.activatedAt else { return true }
        return readAt.secondsSince1970 - start.secondsSince1970 - Int64(scan.reading.sensor.ageMinutes) * 60 < 60
      }.shuffled(using: &draws)
      let store = try folder.store("\(seed)")
      // The fingerprint is known from the first scan on; the UID may come later.
      var known: [SensorFingerprint?: [ReadingFixture.Place: Instant]] = [:]
      for scan in scans {
        _ = try store.add(scan)
        for stored in try SensorStore(folder.path("\(seed)"), for: .reading).samples() {
          let place = ReadingFixture.Place(stored.sample.ring, stored.sample.minute.value)
          let before = known[stored.sensor.fingerprint, default: [:]][place]
          if let before, let time = stored.sample.time, abs(time.secondsSince1970 - before.secondsSince1970) >= 60 {
            Issue.record("seed \(seed): \(place) wanders")
          }
          known[stored.sensor.fingerprint, default: [:]][place] = stored.sample.time
        }
      }
      #expect(try store.remembered() == stored(scans.shuffled(using: &draws), in: try folder.store("\(seed)-unseen")))
    }
  }
}
