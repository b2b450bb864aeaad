// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Testing

@testable import SampleStore

final class EntryOutboxTests: StoreTest {
  private let start = ReadingFixture.start

  private func at(_ minutes: Int) -> Instant { start.adding(minutes: minutes) }

  private static func id(_ number: Int) -> SampleID {
    SampleID(high: 0x5000, low: 0x8000_0000_0000_0000 | UInt64(number))
  }

  private func imported(_ minutes: Int, source: String = "libreview") -> HistoryEntry {
    .value(Self.id(minutes), at: minutes, source: source, device: "D1")
  }

  private func stick(_ minutes: Int) -> HistoryEntry {
    .stick(Self.id(1_000_000 + minutes), at: minutes, note: "before lunch")
  }

  /// A sink, and these entries in the store.
  private func sink(from: Int = 0, enrolledAt: Int = 0, _ entries: [HistoryEntry]) throws -> StoredSink.ID {
    for entry in entries { _ = try store.add(entry) }
    return try store.enrolled(at: at(enrolledAt), from: at(from)).id
  }

  private func stored() throws -> StoredSink { try #require(try store.sink("site")) }

  private func fill(
    _ sink: StoredSink.ID, _ kinds: Set<EntryKind> = Set(EntryKind.allCases), ignoring: Set<String> = []
  ) throws {
    try store.fillOutbox(of: sink, rings: [.history], kinds: kinds, ignoring: ignoring)
  }

  private func drain(_ sink: StoredSink.ID, limit: Int = 100, until end: Instant? = nil) throws -> [StoredBatch] {
    var batches: [StoredBatch] = []
    while let batch = try store.nextBatch(of: sink, limit: limit, until: end) {
      batches.append(batch)
      try #require(batches.count < 100)
      try store.delivered(batch.id, at: start)
    }
    return batches
  }

  @Test("imported values and finger-sticks go once, oldest first, in batches without sensor samples")
  func once() throws {
    _ = try store.add(sensor.scan(1_000))
    let sink = try sink([imported(30), stick(20), imported(10)])
    try fill(sink)
    #expect(try stored().queued == 35 && stored().oldestQueuedAt == at(10))
    let batches = try drain(sink)
    #expect(batches.map(\.entries.count) == [32, 3])
    #expect(batches.map { $0.sensor == nil } == [false, true])
    #expect(batches[1].entries == [imported(10), stick(20), imported(30)] && batches[1].samples == [])
    try fill(sink)
    #expect(try drain(sink).isEmpty && stored().queued == 0)
    _ = try store.add(stick(40))
    try fill(sink)
    #expect(try drain(sink).map(\.entries) == [[stick(40)]])
  }

  @Test("entries that are not requested are held back until they are")
  func notAskedFor() throws {
    let sink = try sink([imported(30), stick(20)])
    try fill(sink, [])
    #expect(try stored().queued == 0 && drain(sink).isEmpty)
    try fill(sink, [.fingerStick])
    #expect(try drain(sink).flatMap(\.entries) == [stick(20)])
    // A started batch, then the part is no longer requested.
    try fill(sink)
    let begun = try #require(try store.nextBatch(of: sink, limit: 10))
    try fill(sink, [.fingerStick])
    #expect(try stored().queued == 0 && drain(sink).isEmpty)
    try fill(sink)
    let again = try #require(try store.nextBatch(of: sink, limit: 10))
    #expect(again.entries == [imported(30)] && again.key != begun.key)
  }

  @Test("values of an ignored source are held back while it is ignored")
  func ignored() throws {
    let sink = try sink([imported(10, source: "nightscout"), imported(20, source: "clarity, 2"), stick(30)])
    try fill(sink, ignoring: ["nightscout"])
    #expect(try stored().queued == 2)
    try fill(sink, ignoring: ["nightscout", "clarity, 2"])
    #expect(try drain(sink).flatMap(\.entries) == [stick(30)])
    try fill(sink, ignoring: ["libreview"])
    #expect(try drain(sink).flatMap(\.entries).count == 2)
  }

  @Test("too old entries are left out, entries from before the sink go alone, future entries wait")
  func spans() throws {
    let sink = try sink(from: 20, enrolledAt: 40, [10, 20, 30, 40, 50, 60].map { imported($0) })
    try fill(sink)
    let batches = try drain(sink, until: at(55))
    #expect(batches.map(\.isHistorical) == [true, false])
    #expect(batches.map { $0.entries.compactMap(\.time) } == [[at(20), at(30)], [at(40), at(50)]])
    #expect(try stored().queued == 1 && drain(sink, until: at(60)).count == 1)
  }

  @Test("entries that a receiver rejects are parked with its message, and sent again or given up")
  func parked() throws {
    let sink = try sink([imported(10), stick(20)])
    try fill(sink)
    let batch = try #require(try store.nextBatch(of: sink, limit: 10))
    try store.park([imported(10)], of: batch.id, reason: "only a limit", at: at(99))
    let letters = try store.parkedEntries(of: stored())
    #expect(letters == [ParkedEntry(sink: "site", entry: imported(10), reason: "only a limit", at: at(99))])
    #expect(try stored().queued == 1 && stored().parked == 1)
    #expect(try drain(sink).flatMap(\.entries) == [stick(20)])
    #expect(try store.retryParked(of: sink) == 1 && stored().queued == 1 && stored().parked == 0)
    #expect(try store.drop(.parked, of: sink) == 0 && store.drop(.queued, of: sink) == 1)
    try fill(sink)
    #expect(try drain(sink).isEmpty)
  }

  @Test("a removed entry leaves the outbox, and comes back if it is added again")
  func removed() throws {
    let sink = try sink([imported(10), stick(20)])
    try fill(sink)
    #expect(try store.nextBatch(of: sink, limit: 10)?.entries.count == 2)
    #expect(try store.remove(Self.id(10)) && store.remove(Self.id(1_000_020)))
    #expect(try stored().queued == 0 && drain(sink).isEmpty)
    _ = try store.add(stick(20), isTyped: true)
    try fill(sink)
    #expect(try drain(sink).flatMap(\.entries) == [stick(20)])
    #expect(try store.faults() == [])
  }
}
