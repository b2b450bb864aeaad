// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import LibreKit
public import SampleStore

/// Reads of the store itself, for what no snapshot holds.
public struct StoreReads: Sendable {
  /// The newest usable value of the store at a moment; throws `noValue` without one.
  public let latest: @Sendable (_ now: Instant) throws(StoreError) -> LatestValue
  /// The history values and finger-sticks between two moments, both within.
  public let history: @Sendable (_ from: Instant, _ to: Instant) throws(StoreError) -> GlucoseHistory

  public init(
    latest: @escaping @Sendable (_ now: Instant) throws(StoreError) -> LatestValue,
    history: @escaping @Sendable (_ from: Instant, _ to: Instant) throws(StoreError) -> GlucoseHistory
  ) {
    self.latest = latest
    self.history = history
  }
}
