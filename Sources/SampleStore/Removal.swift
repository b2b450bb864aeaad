// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// What was removed from the store, for those who have taken it over. A sample's id, which needs SHA-1, is made by
/// LibreKit.
public enum Removal: Hashable, Sendable {
  case sample(uid: SensorUID, wear: Int, ring: SampleRing, minute: SensorMinute)
  /// An imported value or a finger-stick.
  case entry(SampleID)
}
