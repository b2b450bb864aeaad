// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A stretch without values that is longer than what is bridged.
public struct DataGap: Hashable, Sendable {
  /// Values that are further apart are not joined, in a picture or a number (the `inter_gap` of iglu, in its documentation).
  public static let bridgedMinutes = 45

  /// The last value before it, or the stretch's beginning.
  public let from: Instant
  /// The first value after it, or the stretch's end.
  public let to: Instant

  public var minutes: Int { Int(to.secondsSince1970 - from.secondsSince1970) / 60 }

  /// Whether values at two moments are near enough to be joined; in any order.
  static func isBridged(_ one: Instant, _ other: Instant) -> Bool {
    abs(other.secondsSince1970 - one.secondsSince1970) <= Int64(bridgedMinutes) * 60
  }

  /// The gaps among values in the order of time, and those before the first and after the last value of a stretch whose
  /// ends were asked for. None if there is no value at all.
  public static func among(_ points: [GlucosePoint], from: Instant? = nil, to: Instant? = nil) -> [DataGap] {
    guard !points.isEmpty else { return [] }
    let moments = (from.map { [$0] } ?? []) + points.map(\.time) + (to.map { [$0] } ?? [])
    return zip(moments, moments.dropFirst()).filter { $0 < $1 && !isBridged($0, $1) }
      .map { DataGap(from: $0, to: $1) }
  }
}
