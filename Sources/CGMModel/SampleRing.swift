// SPDX-License-Identifier: Apache-2.0

/// Which of the sensor's two rings a sample comes from.
public enum SampleRing: String, Hashable, Sendable, CaseIterable {
  /// 32 values, one every 15 minutes: the last eight hours.
  case history
  /// 16 values, one a minute: the last quarter of an hour.
  case trend
}
