// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import TestSupport
import Testing

@testable import SampleStore

/// Tests a restarted sensor, which has several wears: in each, the same minute is a different time.
struct RestartedSensorTests {
  private let folder: StoreFolder
  private let store: SensorStore
  private let first = ReadingFixture()
  /// The sensor after a restart half a day later: its start and its counts differ.
  private let second = ReadingFixture().with {
    $0.life = 1
    $0.startedAt = ReadingFixture.start.adding(minutes: 700)
  }

  init() throws { (folder, store) = try StoreFolder.opened() }

  private func add(_ scans: [IncomingScan], to store: SensorStore) throws {
    for scan in scans { _ = try store.add(scan) }
  }

  @Test("the import of an export keeps wears apart too")
  func export() throws {
    try add([first.scan(600), second.scan(30)], to: store)
    let copy = try folder.store("copy.sqlite")
    let foreign = ForeignWears()
    for entry in try store.entries(.of { $0.isNewestFirst = false }) { _ = try copy.add(entry, from: foreign) }
    #expect(try copy.remembered() == store.remembered())
  }

  @Test("wears are numbered by their starts, and samples with new ids are reported as changed")
  func numbers() throws {
    let other = try folder.store("other.sqlite")
    try add([first.scan(600), second.scan(30)], to: store)
    try add([second.scan(30)], to: other)
    let anchor = try other.anchor()
    let early = try other.samples()
    #expect(Set(early.map(\.wear)) == [1])
    try add([first.scan(600)], to: other)
    #expect(try other.remembered() == store.remembered())
    // All samples of the second wear have new ids; their old ids now belong to other samples.
    let changed = try other.samples(.of { $0.after = anchor })
    #expect(changed.count == (try other.samples().count))
    let inUse = Set(
      try other.samples().filter { $0.wear == 1 }.map { ReadingFixture.Place($0.sample.ring, $0.sample.minute.value) })
    let gone = early.map { ReadingFixture.Place($0.sample.ring, $0.sample.minute.value) }.filter { !inUse.contains($0) }
    #expect(try other.removals(after: anchor).count == gone.count)
    #expect(try other.faults() == [])
  }

  @Test("a clock wrong by years splits one wear in two, until a scan shows that they are the same")
  func bridge() throws {
    let wrong = first.with { $0.clockError = -4 * 365 * 86_400 }
    let scans = [wrong.scan(1_000), first.scan(1_300), first.scan(1_600)]
    var sets: [Set<Remembered>] = []
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let store = try folder.store("\(order)")
      try add(order.map { scans[$0] }, to: store)
      #expect(try store.onlyWear().conflicts.isEmpty)
      #expect(try store.faults() == [])
      sets.append(try store.remembered())
    }
    #expect(sets.allSatisfy { $0 == sets[0] })
  }

  @Test("an undated scan that fits two wears stays separate until counts show which one it is")
  func undated() throws {
    let undated = first.with { $0.source = .unknown }
    try add([first.scan(600), second.scan(60), undated.scan(5_000)], to: store)
    #expect(try store.only().wears.count == 3)
    #expect(try store.samples().filter { $0.sample.time == nil }.count == 48)
    // This scan has the start of one wear and counts of the other.
    let receipt = try store.add(first.scan(5_010))
    #expect(receipt.wear == 1)
    #expect(try store.only().wears.count == 2)
    #expect(try store.samples().allSatisfy { $0.sample.time != nil })
    #expect(try store.faults() == [])
  }

  @Test(
    "dated scans of restarted sensors give the same samples, wears and ids in any order and after a merge",
    arguments: 0..<UInt64(TestTier.rounds(8, full: 40)))
  func anyOrder(seed: UInt64) throws {
    var draws = SplitMix64(seed: seed)
    var scans: [IncomingScan] = []
    var startedAt = ReadingFixture.start
    for life in 0..<draws.number(1...3) {
      let sensor = first.with {
        $0.life = life
        $0.startedAt = startedAt
      }
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
    try add(scans, to: store)
    let plain = try store.remembered()
    let shuffled = try folder.store("shuffled")
    try add((scans + scans.filter { _ in draws.number(0...1) == 0 }).shuffled(using: &draws), to: shuffled)
    #expect(try shuffled.remembered() == plain)
    let (left, right) = (try folder.store("left"), try folder.store("right"))
    let sides = scans.map { ($0, draws.number(0...2)) }
    try add(sides.filter { $0.1 != 1 }.map(\.0).shuffled(using: &draws), to: left)
    try add(sides.filter { $0.1 != 0 }.map(\.0).shuffled(using: &draws), to: right)
    _ = try left.merge(right)
    _ = try right.merge(left)
    #expect(try left.remembered() == plain)
    #expect(try right.remembered() == plain)
    for store in [shuffled, left, right] { #expect(try store.only().wears.flatMap(\.conflicts).isEmpty) }
  }
}
