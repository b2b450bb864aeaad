// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import SampleStore

final class SentRecordTests: StoreTest {
  private let start = ReadingFixture.start
  private var sink: StoredSink.ID { get throws { try (store.sink("site") ?? store.enrolled()).id } }

  private func stick(_ minutes: Int) -> HistoryEntry {
    .stick(SampleID(high: 0x5000, low: 0x8000_0000_0000_0000 | UInt64(minutes)), at: minutes)
  }

  private func record(_ minutes: Int, key: String? = nil) throws -> SentRecord {
    let id = try #require(stick(minutes).id)
    return SentRecord(id: id, key: key ?? "k\(minutes)", time: start.adding(minutes: minutes))
  }

  /// Types these finger-sticks in, and sends them.
  private func send(_ minutes: Int..., key: String? = nil) throws {
    for minutes in minutes { _ = try store.add(stick(minutes), isTyped: true) }
    try deliver(minutes, key: key)
  }

  private func deliver(_ minutes: [Int], key: String? = nil) throws {
    try store.fillOutbox(of: sink, rings: [], kinds: [.fingerStick])
    let batch = try #require(try store.nextBatch(of: sink, limit: 100))
    try store.delivered(batch.id, at: start, records: minutes.map { try record($0, key: key) })
  }

  private func retract(_ minutes: Int, but key: String? = nil) throws {
    try store.retract(record(minutes).id, but: key, of: sink)
  }

  private func retracted() throws -> [SentRecord] { try store.retracted(of: sink, limit: 100) }

  @Test("no comparison is made for a sink without sent records, or without changes")
  func anchor() throws {
    _ = try store.add(stick(10))
    #expect(try store.retractionAnchor(of: sink) == nil)
    try deliver([10])
    #expect(try store.retractionAnchor(of: sink) == nil)
    _ = try store.add(stick(20))
    let anchor = try #require(try store.retractionAnchor(of: sink))
    #expect(try store.removals(after: anchor) == [])
    try store.keepRetractionAnchor(store.anchor(), of: sink)
    #expect(try store.retractionAnchor(of: sink) == nil)
    #expect(try store.remove(record(10).id))
    let next = try #require(try store.retractionAnchor(of: sink))
    #expect(try store.removals(after: next) == [record(10).id])
  }

  @Test("a sent record is deleted at the receiver once; one that was never sent is not")
  func once() throws {
    try send(10, 20)
    for minutes in [10, 30] { try retract(minutes) }
    #expect(try retracted() == [record(10)] && store.retractedCount(of: sink) == 1)
    #expect(try store.held([record(10).id, record(20).id, record(30).id], by: sink) == [record(20).id])
    try store.withdrawn([record(10)], of: sink)
    #expect(try retracted().isEmpty && store.retractedCount(of: sink) == 0)
    try retract(10)
    #expect(try retracted().isEmpty)
  }

  @Test("a record with the current key of its value is kept; one with another key is deleted")
  func keys() throws {
    try send(10, key: "old")
    try retract(10, but: "old")
    #expect(try retracted().isEmpty)
    try retract(10, but: "new")
    #expect(try retracted() == [record(10, key: "old")])
  }

  @Test("a key now used by another value is not deleted: the receiver would lose that value")
  func takenOver() throws {
    try send(10, key: "moment")
    try send(20, key: "other")
    try retract(10, but: "new")
    try send(30, key: "moment")
    #expect(try retracted().isEmpty && store.retractedCount(of: sink) == 0)
    #expect(try store.held([record(30).id], by: sink) == [record(30).id])
  }

  @Test("a record sent with a new key replaces the old one, unless the old one is still to be deleted")
  func replaced() throws {
    try send(10, key: "a")
    _ = try store.remove(record(10).id)
    try send(10, key: "b")
    try retract(10)
    #expect(try retracted().map(\.key) == ["b"])
    _ = try store.remove(record(10).id)
    try send(10, key: "c")
    #expect(try retracted().map(\.key) == ["b"])
  }

  @Test("a deletion that a receiver refused is repeated when the user retries")
  func refused() throws {
    try send(10)
    try retract(10)
    try store.withdrawn(retracted(), of: sink, isRefused: true)
    #expect(try retracted().isEmpty && store.retryParked(of: sink) == 0)
    #expect(try retracted() == [record(10)])
  }

  @Test("another receiver has none of the records, and removing a sink removes them from the store")
  func otherReceiver() throws {
    try send(10)
    for (receiver, count) in [("test", 1), ("another", 0)] {
      try store.enable(sink, receiver: receiver, skipsGap: false)
      #expect(try store.held([record(10).id], by: sink).count == count)
    }
    try store.removeSink(sink)
    #expect(try store.faults() == [])
  }

  @Test("records too old for the store are kept at their receivers")
  func retention() throws {
    try send(10, 200)
    #expect(try store.removeAll(before: start.adding(minutes: 100)) == 1)
    #expect(try store.removals(after: StoreAnchor(store: store.anchor().store, change: 0)).isEmpty)
    try retract(10)
    #expect(try retracted().isEmpty && store.held([record(200).id], by: sink).count == 1)
  }
}
