// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import SampleStore

struct SentRecordTests {
  private let folder: StoreFolder
  private let store: SensorStore
  private let sink: StoredSink.ID
  private let start = ReadingFixture.start

  init() throws {
    folder = try StoreFolder()
    store = try folder.store()
    try store.enrol("site", receiver: "test", at: start, sendsFrom: start)
    sink = try #require(try store.sink("site")).id
  }

  private func stick(_ minutes: Int) -> HistoryEntry {
    .stick(SampleID(high: 0x5000, low: 0x8000_0000_0000_0000 | UInt64(minutes)), at: minutes)
  }

  private func record(_ minutes: Int, key: String? = nil) throws -> SentRecord {
    let id = try #require(stick(minutes).id)
    return SentRecord(id: id, key: key ?? "k\(minutes)", time: start.adding(minutes: minutes))
  }

  private func send(_ records: [SentRecord]) throws {
    try store.fillOutbox(of: sink, rings: [], kinds: [.fingerStick])
    let batch = try #require(try store.nextBatch(of: sink, limit: 100))
    try store.delivered(batch.id, at: start, records: records)
  }

  private func retracted() throws -> [SentRecord] { try store.retracted(of: sink, limit: 100) }

  @Test("no comparison is made for a sink without sent records, or without changes")
  func anchor() throws {
    _ = try store.add(stick(10))
    #expect(try store.retractionAnchor(of: sink) == nil)
    try send([record(10)])
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
    for minutes in [10, 20] { _ = try store.add(stick(minutes)) }
    try send([record(10), record(20)])
    for minutes in [10, 30] { try store.retract(record(minutes).id, but: nil, of: sink) }
    #expect(try retracted() == [record(10)] && store.retractedCount(of: sink) == 1)
    #expect(try store.held([record(10).id, record(20).id, record(30).id], by: sink) == [record(20).id])
    try store.withdrawn([record(10)], of: sink)
    #expect(try retracted().isEmpty && store.retractedCount(of: sink) == 0)
    try store.retract(record(10).id, but: nil, of: sink)
    #expect(try retracted().isEmpty)
  }

  @Test("a record with the current key of its value is kept; one with another key is deleted")
  func keys() throws {
    _ = try store.add(stick(10))
    try send([record(10, key: "old")])
    try store.retract(record(10).id, but: "old", of: sink)
    #expect(try retracted().isEmpty)
    try store.retract(record(10).id, but: "new", of: sink)
    #expect(try retracted() == [record(10, key: "old")])
  }

  @Test("a key now used by another value is not deleted: the receiver would lose that value")
  func takenOver() throws {
    for minutes in [10, 20] { _ = try store.add(stick(minutes)) }
    try send([record(10, key: "moment"), record(20, key: "other")])
    try store.retract(record(10).id, but: "new", of: sink)
    _ = try store.add(stick(30))
    try send([record(30, key: "moment")])
    #expect(try retracted().isEmpty && store.retractedCount(of: sink) == 0)
    #expect(try store.held([record(30).id], by: sink) == [record(30).id])
  }

  @Test("a record sent with a new key replaces the old one, unless the old one is still to be deleted")
  func replaced() throws {
    _ = try store.add(stick(10))
    try send([record(10, key: "a")])
    _ = try store.remove(record(10).id)
    _ = try store.add(stick(10), isTyped: true)
    try send([record(10, key: "b")])
    try store.retract(record(10).id, but: nil, of: sink)
    #expect(try retracted().map(\.key) == ["b"])
    _ = try store.remove(record(10).id)
    _ = try store.add(stick(10), isTyped: true)
    try send([record(10, key: "c")])
    #expect(try retracted().map(\.key) == ["b"])
  }

  @Test("a deletion that a receiver refused is repeated when the user retries")
  func refused() throws {
    _ = try store.add(stick(10))
    try send([record(10)])
    try store.retract(record(10).id, but: nil, of: sink)
    try store.withdrawn(retracted(), of: sink, isRefused: true)
    #expect(try retracted().isEmpty)
    #expect(try store.retryParked(of: sink) == 0)
    #expect(try retracted() == [record(10)])
  }

  @Test("another receiver has none of the records, and removing a sink removes them from the store")
  func otherReceiver() throws {
    _ = try store.add(stick(10))
    try send([record(10)])
    try store.enable(sink, receiver: "test", skipsGap: false)
    #expect(try store.held([record(10).id], by: sink).count == 1)
    try store.enable(sink, receiver: "another", skipsGap: false)
    #expect(try store.held([record(10).id], by: sink).isEmpty)
    try store.removeSink(sink)
    #expect(try store.faults() == [])
  }

  @Test("records too old for the store are kept at their receivers")
  func retention() throws {
    for minutes in [10, 200] { _ = try store.add(stick(minutes)) }
    try send([record(10), record(200)])
    #expect(try store.removeAll(before: start.adding(minutes: 100)) == 1)
    #expect(try store.removals(after: StoreAnchor(store: store.anchor().store, change: 0)).isEmpty)
    try store.retract(record(10).id, but: nil, of: sink)
    #expect(try retracted().isEmpty && store.held([record(200).id], by: sink).count == 1)
  }
}
