// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import SampleStore

extension SensorStore {
  /// The current anchor, and the ids of entries removed since another one.
  ///
  /// - Throws: `badAnchor`.
  package func changes(after anchor: StoreAnchor?) throws(StoreError) -> (removed: [SampleID], next: StoreAnchor) {
    let removals = if let anchor { try removals(after: anchor) } else { [Removal]() }
    return (removals.map(\.id), try self.anchor())
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
