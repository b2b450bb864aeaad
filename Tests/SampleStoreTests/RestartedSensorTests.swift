// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import SampleStore

/// Tests a restarted sensor, which has several wears: in each, the same minute is a different time.
final class RestartedSensorTests: StoreTest {
  private let first = ReadingFixture()
  /// The sensor after a restart half a day later: its start and its counts differ.
  private let second = ReadingFixture().restarted(after: 700)

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
    #expect(try other.samples(.of { $0.after = anchor }).count == other.samples().count)
    let gone = Set(early.compactMap(\.id)).subtracting(try other.samples().compactMap(\.id))
    #expect(try Set(other.removals(after: anchor)) == gone && other.faults() == [])
  }

  @Test("a clock wrong by years splits one wear in two, until a scan shows that they are the same")
  func bridge() throws {
    let wrong = first.with { $0.clockError = -4 * 365 * 86_400 }
    let scans = [wrong.scan(1_000), first.scan(1_300), first.scan(1_600)]
    var sets: [Set<StoredSample>] = []
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let store = try folder.store("\(order)")
      try add(order.map { scans[$0] }, to: store)
      #expect(try store.onlyWear().conflicts.isEmpty && store.faults() == [])
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
    #expect(try store.add(first.scan(5_010)).wear == 1 && store.only().wears.count == 2)
    #expect(try store.samples().allSatisfy { $0.sample.time != nil } && store.faults() == [])
  }
}
