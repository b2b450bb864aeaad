// SPDX-License-Identifier: Apache-2.0

/// Which of the sensor's two rings a sample comes from.
public enum SampleRing: String, Hashable, Sendable, CaseIterable {
  /// A value every 15 minutes: of the last eight hours, and of all its life on a Libre Pro.
  case history
  /// 16 values, one a minute: the last quarter of an hour.
  case trend
}
