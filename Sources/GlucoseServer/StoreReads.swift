// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import LibreKit
import SampleStore

/// Reads of the store itself, for what no snapshot holds.
package struct StoreReads: Sendable {
  /// The newest usable value of the store at a moment; throws `noValue` without one.
  package let latest: @Sendable (_ now: Instant) throws(StoreError) -> LatestValue
  /// The history values and finger-sticks between two moments, both within.
  package let history: @Sendable (_ from: Instant, _ to: Instant) throws(StoreError) -> GlucoseHistory

  package init(
    latest: @escaping @Sendable (_ now: Instant) throws(StoreError) -> LatestValue,
    history: @escaping @Sendable (_ from: Instant, _ to: Instant) throws(StoreError) -> GlucoseHistory
  ) {
    self.latest = latest
    self.history = history
  }
}
