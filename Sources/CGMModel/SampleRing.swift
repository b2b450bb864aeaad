// SPDX-License-Identifier: Apache-2.0

/// The one of the sensor's two rings that a sample comes from.
public enum SampleRing: String, Hashable, Sendable, CaseIterable {
  /// One value every 15 minutes: the last eight hours, or the whole life of a Libre Pro.
  case history
  /// One value a minute: the last 16 minutes.
  case trend

  package var text: StaticString {
    switch self {
    case .history: "history"
    case .trend: "trend"
    }
  }
}

extension Set<SampleRing> {
  package static var all: Set<SampleRing> { Set(SampleRing.allCases) }
}
