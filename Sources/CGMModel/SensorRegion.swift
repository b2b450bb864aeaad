// SPDX-License-Identifier: Apache-2.0

/// Where a sensor was sold: the byte at memory offset 323, also patch info byte 3 (read: DiaBLE, cryptax; verified 1, 2, 4, 8).
public enum SensorRegion: Hashable, Sendable {
  case unspecified
  case european
  case usa
  case australiaCanada
  case eastROW
  case unknown(UInt8)

  /// The described regions: the byte in memory, and the word used in JSON.
  private static let described: [(region: SensorRegion, raw: UInt8, name: String)] = [
    (.unspecified, 0, "unknown"), (.european, 1, "european"), (.usa, 2, "usa"),
    (.australiaCanada, 4, "australia_canada"), (.eastROW, 8, "east_row"),
  ]

  public init(_ raw: UInt8) { self = Self.described.first { $0.raw == raw }?.region ?? .unknown(raw) }

  /// The region of this name; unspecified for any other.
  public init(name: String) { self = Self.described.first { $0.name == name }?.region ?? .unspecified }

  /// The word used in JSON.
  public var name: String { Self.described.first { $0.region == self }?.name ?? "unknown" }
}
