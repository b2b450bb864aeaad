// SPDX-License-Identifier: Apache-2.0
import CGMModel
public import LibreKit
import SampleSinks
public import SampleStore

/// Records of receivers that are outdated: removed here, or known by another key because the time changed.
extension SensorStore {
  /// Marks the records of a sink that the receiver must delete.
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
  /// Returns the records of sent entries that the receiver can delete later.
  func records(of entries: [HistoryEntry]) -> [SentRecord] {
    guard case .byKey(let key) = type.removal else { return [] }
    return entries.compactMap { entry in
      guard let id = entry.id, let time = entry.time, let key = key(entry) else { return nil }
      return SentRecord(id: id, key: key, time: time)
    }
  }

  /// Effect of a removal at this receiver: a sentence for people.
  var removalSentence: String {
    switch type.removal {
    case .byKey: "\(name) (\(type.name)): sent values are deleted there with the next libre sync."
    case .impossible(let reason): "\(name) (\(type.name)): sent values stay there; \(reason)."
    }
  }
}

extension ConfigurationFile {
  /// Returns the effect of removals at each active sink: a sentence for each.
  public static func removalSentences(_ file: ConfigurationFile?, in store: SensorStore) throws(StoreError) -> [String]
  {
    let setups = file?.sinkSetups() ?? [:]
    return try store.sinks().compactMap { sink in
      guard let setup = try? setups[sink.name]?.get(), setup.isEnabled else { return nil }
      return setup.removalSentence
    }
  }
}
