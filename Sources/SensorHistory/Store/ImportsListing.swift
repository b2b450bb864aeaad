// SPDX-License-Identifier: Apache-2.0
import TextFormats

/// The imports of a store, the latest first.
package struct ImportsListing: Sendable {
  package let imports: [StoredImport]
  /// The number of values that were imported before the store kept a list.
  package let earlierValues: Int
  package let earlierScans: Int

  package init(of store: SensorStore) throws(StoreError) {
    imports = try store.imports()
    (earlierValues, earlierScans) = try store.importedEarlier()
  }

  /// A sentence about values that belong to no import; nil if all belong to one.
  package var remark: String? {
    let parts = [
      earlierValues > 0 ? CountText.of(earlierValues, "value") : nil,
      earlierScans > 0 ? CountText.of(earlierScans, "scan") : nil,
    ].compactMap(\.self)
    if parts.isEmpty { return nil }
    return
      "\(parts.joined(separator: " and ")) in the store were imported before this list existed and belong to no import; libre add --remove removes single values"
  }
}
