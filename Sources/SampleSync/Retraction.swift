// SPDX-License-Identifier: Apache-2.0
import CGMModel
public import LibreKit
import SampleSinks
public import SampleStore

/// What receivers hold that was removed here, or is known there by another key since its time has changed.
extension SensorStore {
  /// Marks the records of a sink that are to be taken back.
  func retract(of sink: StoredSink.ID, for setup: SinkSetup) throws(StoreError) {
    guard case .byKey(let key) = setup.type.removal else { return }
    try transaction { () throws(StoreError) in
      guard let anchor = try retractionAnchor(of: sink) else { return }
      let (removed, now) = try changes(after: anchor)
      for id in removed { try retract(id, but: nil, of: sink) }
      var query = HistoryQuery()
      query.rings = Set(SampleRing.allCases)
      query.includesFingerSticks = true
      query.after = anchor
      try forEach(query) { entry throws(StoreError) in
        let entry = entry.withID
        if let id = entry.id { try retract(id, but: key(entry), of: sink) }
        return true
      }
      try keepRetractionAnchor(now, of: sink)
    }
  }

  /// Returns the ids of the entries that the receiver already holds.
  func held(_ entries: [HistoryEntry], by sink: StoredSink.ID, _ setup: SinkSetup) throws(StoreError) -> Set<SampleID> {
    guard case .byKey = setup.type.removal else { return [] }
    return try held(entries.compactMap(\.id), by: sink)
  }
}

extension SinkSetup {
  /// What the receiver can take back of entries that it is sent.
  func records(of entries: [HistoryEntry]) -> [SentRecord] {
    guard case .byKey(let key) = type.removal else { return [] }
    return entries.compactMap { entry in
      guard let id = entry.id, let time = entry.time, let key = key(entry) else { return nil }
      return SentRecord(id: id, key: key, time: time)
    }
  }

  /// What becomes of something that was removed here, at the receiver: a sentence for people.
  var removalSentence: String {
    switch type.removal {
    case .byKey: "\(name) (\(type.name)): what was sent of it is taken back with the next libre sync."
    case .impossible(let reason): "\(name) (\(type.name)): what was sent of it stays there; \(reason)."
    }
  }
}

extension ConfigurationFile {
  /// What becomes of values that were removed from the store, at each of the sinks that it sends to: a sentence for each.
  public static func removalSentences(_ file: ConfigurationFile?, in store: SensorStore) throws(StoreError) -> [String]
  {
    let setups = file?.sinkSetups() ?? [:]
    return try store.sinks().compactMap { sink in
      guard let setup = try? setups[sink.name]?.get(), setup.isEnabled else { return nil }
      return setup.removalSentence
    }
  }
}
