// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import SampleStore

/// Records of receivers that are outdated: removed here, or known by another key because the time changed.
extension SensorStore {
  /// Marks the records of a sink that the receiver must delete.
  func retract(of sink: StoredSink.ID, for setup: SinkSetup) throws(StoreError) {
    guard let key = setup.type.recordKey else { return }
    try transaction { () throws(StoreError) in
      guard let anchor = try retractionAnchor(of: sink) else { return }
      let (removed, now) = try changes(after: anchor)
      for id in removed { try retract(id, but: nil, of: sink) }
      var query = HistoryQuery(rings: .all)
      query.includesFingerSticks = true
      query.after = anchor
      query.marksSuperseded = true
      try forEach(query) { entry throws(StoreError) in
        // A value that no longer counts was sent while it did.
        let isSuperseded = entry.stored?.supersededBy != nil
        if let id = entry.id { try retract(id, but: isSuperseded ? nil : key(entry), of: sink) }
        return true
      }
      try keepRetractionAnchor(now, of: sink)
    }
  }

  /// Queues the newest value that counts for a receiver whose state is outdated; false if the state is current, or no
  /// value is left for it.
  func queueState(of sink: StoredSink.ID, for setup: SinkSetup, until end: Instant) throws(StoreError) -> Bool {
    guard case .replacingState = setup.type.removal, try !retracted(of: sink, limit: 1).isEmpty,
      let newest = try newestSample(rings: setup.rings, until: end, isUsable: true)
    else { return false }
    return try queueAgain(newest, rings: setup.rings, for: sink)
  }

  func held(_ entries: [HistoryEntry], by sink: StoredSink.ID, _ setup: SinkSetup) throws(StoreError) -> Set<SampleID> {
    guard case .byKey = setup.type.removal else { return [] }
    return try held(entries.compactMap(\.id), by: sink)
  }
}

extension SinkType {
  /// Key of the record of an entry; nil for a receiver that cannot take records back. A state is one record.
  fileprivate var recordKey: (@Sendable (HistoryEntry) -> String?)? {
    switch removal {
    case .byKey(let key): key
    case .replacingState: { _ in "state" }
    case .impossible: nil
    }
  }

  package var keepsStateOnly: Bool { if case .replacingState = removal { true } else { false } }

  /// Days before its set-up from which a sink gets samples. A receiver that keeps no past values gets the newest one.
  var standardBackfillDays: Int { keepsStateOnly ? 0 : Self.standardBackfillDays }
  static var standardBackfillDays: Int { 90 }
}

extension SinkSetup {
  /// Returns the records of sent entries that the receiver takes back later.
  func records(of batch: SampleBatch) -> [SentRecord] {
    guard let key = type.recordKey else { return [] }
    let times = batch.entries.compactMap(\.time)
    let isState = type.keepsStateOnly
    return batch.entries.compactMap { entry in
      guard let id = entry.id, let time = entry.time, let key = key(entry) else { return nil }
      if isState, !batch.holdsNewest || time != times.max() { return nil }
      return SentRecord(id: id, key: key, time: time)
    }
  }
}
