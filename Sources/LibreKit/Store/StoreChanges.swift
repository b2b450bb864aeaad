// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import SampleStore

extension SensorStore {
  /// What is read inside is of one moment, whatever is written meanwhile. Throws what `work` throws, and `store`.
  public func reading<Value>(_ work: () throws(LibreError) -> Value) throws(LibreError) -> Value {
    let result = try libre { store throws(StoreError) in
      try store.snapshot {
        Result { () throws(LibreError) in try work() }
      }
    }
    return try result.get()
  }

  /// The anchor of this moment, and the ids of what was removed since another. Throws `LibreError.store`: `badAnchor`.
  public func changes(after anchor: StoreAnchor?) throws(LibreError) -> (removed: [SampleID], next: StoreAnchor) {
    try libre { store throws(StoreError) in
      let removals = try anchor.map { after throws(StoreError) in try store.removals(after: after) } ?? []
      return (removals.map(\.id), try store.anchor())
    }
  }
}

extension Removal {
  var id: SampleID {
    switch self {
    case .sample(let uid, let wear, let ring, let minute):
      UUIDv5.sample(uid: uid, ring: ring, minute: minute, wear: wear)
    case .entry(let id): id
    }
  }
}
