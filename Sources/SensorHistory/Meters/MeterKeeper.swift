// SPDX-License-Identifier: Apache-2.0
package import Meters

package actor MeterKeeper {
  private let store: SensorStore
  private let clock: LocalClock
  private let now: @Sendable () -> Instant
  package private(set) var receipt = MeterReceipt()
  /// The time at which the first records, or the end of the reading, came; nil before.
  package private(set) var readAt: Instant?

  /// `store` is open for writing. `clock` turns the time of a meter, which has no zone, into a moment. `now` is asked when
  /// the meter has answered, which may be long after the wait for it began.
  package init(_ store: sending SensorStore, clock: LocalClock, now: @escaping @Sendable () -> Instant) {
    (self.store, self.clock, self.now) = (store, clock, now)
  }

  /// Reads what is new on a meter and stores it before the link ends, in any case. A failure of the meter is not
  /// thrown: the reading has it, and the records that arrived before are stored. With `readsAll` the meter is asked for
  /// all of its records, of which only new ones are stored.
  package func read(over link: any MeterLink, readsAll: Bool = false) async throws(StoreError) -> MeterReading {
    let reading = try await MeterTransfer.run(
      over: link, bookmark: { meter in readsAll ? nil : try? await self.bookmark(for: meter) },
      keep: { (meter, records) async throws(StoreError) in try await self.keep(records, from: meter) })
    try finish(reading)
    return reading
  }

  package func bookmark(for meter: MeterDescription) throws(StoreError) -> MeterBookmark? {
    try store.meter(MeterFacts(meter))?.probe.map { MeterBookmark(sequenceNumber: $0.sequence, packet: $0.packet) }
  }

  /// Stores records, all of them or none: the meter may delete them after this call.
  package func keep(_ records: [MeterRecord], from meter: MeterDescription) throws(StoreError) {
    let facts = MeterFacts(meter)
    let readAt = time()
    let kept = records.map { KeptRecord($0, meter: facts, clock: clock, now: readAt) }
    let areNew = try store.keep(kept.map(\.row), from: facts, at: readAt)
    for (kept, isNew) in zip(kept, areNew) { receipt.add(kept, isNew: isNew) }
  }

  /// Notes the end of a reading, as `read` does: a meter whose numbers were set back is continued from its new numbers.
  package func finish(_ reading: MeterReading) throws(StoreError) {
    let (facts, readAt) = (MeterFacts(reading.meter), time())
    // A reading without records is a reading, too.
    if reading.failure == nil { _ = try store.keep([], from: facts, at: readAt) }
    guard reading.wasReset, reading.failure == nil else { return }
    let probe = reading.bookmark.map { StoredMeter.Probe(sequence: $0.sequenceNumber, packet: $0.packet) }
    try store.setProbe(probe, of: facts)
  }

  private func time() -> Instant {
    let time = readAt ?? now()
    readAt = time
    return time
  }
}

package struct MeterReceipt: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    package let record: MeterRecord
    package let result: MeterRow.Content
    package let isNew: Bool
  }

  package private(set) var items: [Item] = []

  package var newEntries: [HistoryEntry] { items.compactMap { $0.isNew ? $0.result.entry : nil } }
  package var knownCount: Int { items.count { !$0.isNew } }
  package var leftAside: [Item] { items.filter { $0.isNew && $0.result.entry == nil } }

  mutating func add(_ kept: KeptRecord, isNew: Bool) {
    items.append(Item(record: kept.record, result: kept.row.result, isNew: isNew))
  }
}
